/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

/** Whether a frame can be counted on. */
public enum FrameHealth {
  /** Reported by a node that reports in time, on a good disk with a good Lstor. */
  USABLE,
  /**
   * It holds its blocks but shall get no new ones: its node is silent for a while, or its Lstor has
   * failed.
   */
  HELD,
  /** Its disk or node is gone. */
  DEAD;

  /** Whether its blocks can be read. */
  public boolean alive() {
    return this != DEAD;
  }
}

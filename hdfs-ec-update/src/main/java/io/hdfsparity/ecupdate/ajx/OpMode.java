/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.ajx;

/** What a storage node's block is worth (paper: {@code opmode}, Fig. 4 lines 8 and 9). */
public enum OpMode {
  /** Valid data. */
  NORM,
  /** Written by a recovery that has not ended: right, but not to be served yet. */
  RECONS,
  /** A new copy that nobody has filled: garbage. */
  INIT
}

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.wire.message;

/** Asks for the rebuild of the Lstor of a disk, or how far it has come. */
public record LstorRebuildRequest(String diskId, Action action) {
  /** What is asked. */
  public enum Action {
    /** Starts it; a rebuild that is running continues. */
    START,
    /** Starts nothing. */
    WATCH
  }
}

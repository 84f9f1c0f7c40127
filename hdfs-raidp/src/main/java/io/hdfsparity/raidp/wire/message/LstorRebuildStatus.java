/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.wire.message;

/**
 * How far the rebuild of an Lstor has come.
 *
 * @param counted what done and total count: units of parity, or blocks of the disk
 * @param detail why it failed, or what was done with the old Lstor
 */
public record LstorRebuildStatus(
    String diskId, Phase phase, String counted, long done, long total, String detail) {
  /** States: RUNNING, then DONE or FAILED. */
  public enum Phase {
    RUNNING,
    DONE,
    FAILED
  }
}

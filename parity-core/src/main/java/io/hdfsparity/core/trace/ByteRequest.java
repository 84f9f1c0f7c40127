/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.core.trace;

/**
 * A request of a block trace.
 *
 * @param timeTicks when it was made, in ticks of 100 ns from any fixed point
 * @param offsetBytes >= 0
 * @param sizeBytes > 0
 */
public record ByteRequest(long timeTicks, Access access, long offsetBytes, long sizeBytes) {
  /** As a line of an MSR Cambridge trace, without its end. */
  public String line() {
    return line("generated", 0);
  }

  /**
   * As a line of an MSR Cambridge trace, without its end.
   *
   * @param host without comma
   * @param disk stands in the field DiskNumber
   */
  public String line(String host, long disk) {
    return timeTicks
        + ","
        + host
        + ","
        + disk
        + (access == Access.WRITE ? ",Write," : ",Read,")
        + offsetBytes
        + ","
        + sizeBytes
        + ",0";
  }
}

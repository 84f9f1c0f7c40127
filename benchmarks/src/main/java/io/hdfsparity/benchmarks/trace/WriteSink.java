/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.trace;

/** Hears the writes of a trace, in the order of time. */
@FunctionalInterface
public interface WriteSink {
  /**
   * A write.
   *
   * @param hour since the beginning of the trace, from 0 on
   * @param file number of the file, from 0 on
   * @param addressKib where it begins, in the working set of all files one after the other
   * @param sizeKib how long it is
   */
  void write(int hour, int file, long addressKib, int sizeKib);
}

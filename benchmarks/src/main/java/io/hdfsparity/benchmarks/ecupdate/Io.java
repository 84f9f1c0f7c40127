/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.ecupdate;

/**
 * An access of a storage's engine to its files, as the DataNode's {@code io.trace} notes it.
 *
 * @param what R, W, or F for a force
 */
record Io(char what, long offset, long lengthBytes, String file) {
  /**
   * Of a line.
   *
   * @throws IllegalArgumentException if it is none
   */
  static Io parse(String line) {
    String[] fields = line.split(" ", 5);
    if (fields.length != 5 || fields[1].length() != 1) {
      throw new IllegalArgumentException(
          "Cannot read a trace: line=" + line + ", expected time, R, W or F, offset, bytes, file");
    }
    return new Io(
        fields[1].charAt(0), Long.parseLong(fields[2]), Long.parseLong(fields[3]), fields[4]);
  }

  boolean isForce() {
    return what == 'F';
  }
}

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.ecupdate;

/**
 * Bytes of a file that lie together on its device.
 *
 * @param offset in the file
 * @param place on the device
 */
record Extent(long offset, long place, long lengthBytes) {
  long end() {
    return offset + lengthBytes;
  }

  /** Whether another one continues where this ends, in the file and on the device. */
  boolean goesOnWith(Extent next) {
    return end() == next.offset && place + lengthBytes == next.place;
  }
}

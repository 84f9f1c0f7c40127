/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it.clients;

import java.util.Random;

/**
 * A file of a cluster, and what it holds.
 *
 * @param path in HDFS
 * @param bytes all of its content; not to be changed
 */
record TestFile(String path, byte[] bytes) {
  String name() {
    return path.substring(path.lastIndexOf('/') + 1);
  }

  /** Bytes that follow from a path; the last one ends a line, for clients that write lines. */
  static byte[] content(String path, int lengthBytes) {
    byte[] bytes = new byte[lengthBytes];
    new Random(path.hashCode()).nextBytes(bytes);
    bytes[lengthBytes - 1] = '\n';
    return bytes;
  }
}

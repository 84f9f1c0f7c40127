/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.incast;

import com.sun.jna.LastErrorException;
import com.sun.jna.Native;

/** The calls of Linux that move a thread to another network namespace. Thread-safe. */
final class Libc {
  private static final int CLONE_NEWNET = 0x40000000;
  private static final int O_RDONLY_CLOEXEC = 0x80000;

  static {
    Native.register(Libc.class, "c");
  }

  private Libc() {}

  private static native int open(String path, int flags) throws LastErrorException;

  private static native int close(int file) throws LastErrorException;

  private static native int setns(int file, int kind) throws LastErrorException;

  /**
   * Moves the calling thread, for good, and threads that it makes.
   *
   * @param path of the namespace
   * @throws LastErrorException when it does not exist or may not be entered
   */
  static void enter(String path) {
    int file = open(path, O_RDONLY_CLOEXEC);
    try {
      setns(file, CLONE_NEWNET);
    } finally {
      close(file);
    }
  }
}

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;

/**
 * Ports for daemons that are started again: none that the kernel gives to outgoing connections, or
 * one of these could hold the port of a daemon that is down for a moment.
 *
 * @param first at least 1
 * @param end exclusive; no more than {@code first} when there is no such port
 */
record PortRange(int first, int end) {
  /** Above the ports that servers usually have. */
  private static final int FIRST = 15_000;

  /** What Linux has by default. */
  private static final int FIRST_OUTGOING = 32_768;

  private static final Path KERNEL = Path.of("/proc/sys/net/ipv4/ip_local_port_range");

  /** The range of this machine. */
  static PortRange ofMachine() throws IOException {
    if (!Files.isReadable(KERNEL)) {
      return new PortRange(FIRST, FIRST_OUTGOING);
    }
    // By lines: the kernel answers only one read, and Files.readString begins with a read of 1
    // byte.
    return below(String.join("\n", Files.readAllLines(KERNEL)));
  }

  /**
   * @param outgoing first and last port of outgoing connections, as the kernel writes them
   */
  static PortRange below(String outgoing) throws IOException {
    String first = outgoing.strip().split("\\s+")[0];
    try {
      return new PortRange(FIRST, Integer.parseInt(first));
    } catch (NumberFormatException e) {
      throw new IOException(
          "Cannot choose ports: " + KERNEL + "=" + outgoing + ", expected two numbers", e);
    }
  }

  /** Some of its ports, in random order, so that two clusters seldom try the same. */
  IntStream some(int most) {
    return end <= first ? IntStream.empty() : ThreadLocalRandom.current().ints(most, first, end);
  }
}

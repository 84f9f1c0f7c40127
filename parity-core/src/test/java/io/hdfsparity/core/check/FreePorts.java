/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.core.check;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Ports that servers of a test can bind, and bind again after a restart: below those that the
 * system gives to outgoing connections and to servers that ask for any port, one of which could
 * take a port while its server is down. Tests that run side by side in several JVMs have a range
 * each, by system property {@value #FORK_PROPERTY} ({@code fork-1} and so on), and no JVM gives out
 * a port twice before all of its range were. Thread-safe.
 */
public final class FreePorts {
  static final String FORK_PROPERTY = "test.fork";

  private static final String FORK_PREFIX = "fork-";

  private static final int LOWEST = 15_000;
  private static final int RANGE = 4_000;
  private static final int RANGES = 4;
  private static final AtomicInteger NEXT = new AtomicInteger(firstOffset());

  private FreePorts() {}

  /** A port of the loopback interface that nobody listens at. */
  public static int next() {
    int lowest = LOWEST + fork() % RANGES * RANGE;
    for (int i = 0; i < RANGE; i++) {
      int port = lowest + Math.floorMod(NEXT.getAndIncrement(), RANGE);
      try (ServerSocket probe = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
        return probe.getLocalPort();
      } catch (BindException taken) {
        continue;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    throw new IllegalStateException(
        "Cannot find a port: expected a free one in " + lowest + ".." + (lowest + RANGE - 1));
  }

  /** As Surefire numbers them, from 1 on; 0 where there is one JVM. */
  private static int fork() {
    String fork = System.getProperty(FORK_PROPERTY, FORK_PREFIX + 0);
    return Integer.parseUnsignedInt(fork.substring(FORK_PREFIX.length()));
  }

  /** Elsewhere than other builds on the machine begin, most likely. */
  private static int firstOffset() {
    return (int) (ProcessHandle.current().pid() * 131 % RANGE);
  }
}

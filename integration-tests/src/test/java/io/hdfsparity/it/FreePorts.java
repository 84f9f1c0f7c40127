/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Ports that servers of a test can bind again after a restart: below those that the system gives to
 * outgoing connections, one of which could take a port while its server is down.
 */
final class FreePorts {
  private static final int LOWEST = 15_000;
  private static final int PAST_HIGHEST = 32_000;
  private static final int ATTEMPTS = 100;

  private FreePorts() {}

  static int next() {
    for (int i = 0; i < ATTEMPTS; i++) {
      int port = ThreadLocalRandom.current().nextInt(LOWEST, PAST_HIGHEST);
      try (ServerSocket probe = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
        return probe.getLocalPort();
      } catch (BindException taken) {
        continue;
      } catch (IOException e) {
        throw new java.io.UncheckedIOException(e);
      }
    }
    throw new IllegalStateException(
        "Cannot find a port: attempts=" + ATTEMPTS + ", expected a free one in 15000..31999");
  }
}

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.feature;

import io.hdfsparity.bridge.wire.ServedProtocol;
import java.net.InetSocketAddress;
import org.apache.hadoop.conf.Configuration;

/**
 * What a feature is started with.
 *
 * @param <D> the daemon
 */
public interface FeatureContext<D> {
  /** The daemon. */
  D daemon();

  /** A copy of the daemon's configuration for this feature. */
  Configuration conf();

  /**
   * Has the daemon's server serve a protocol; to be called within {@link Feature#start}.
   *
   * @param protocol one of the feature's
   */
  void serve(ServedProtocol protocol);

  /**
   * Where the daemon's server listens, from {@link Feature#ready} on.
   *
   * @throws IllegalStateException when it does not listen, or the feature serves nothing
   */
  InetSocketAddress address();
}

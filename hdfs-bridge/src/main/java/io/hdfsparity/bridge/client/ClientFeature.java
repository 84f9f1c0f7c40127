/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.client;

import java.io.IOException;
import java.net.URI;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;

/**
 * A feature's part in clients. Found by {@link java.util.ServiceLoader} in the class path of
 * Hadoop's own classes; one is made for all clients of a process. Needs a constructor without
 * parameters; thread-safe.
 *
 * <p>Without a feature's jar its part is absent, and the client is Hadoop's own in that respect.
 */
public interface ClientFeature extends GroupReaderChoice {
  /** The name of the feature, as in {@code dfs.parity.features}. */
  String name();

  /**
   * What clients with this feature state of themselves where they ask NameNodes for locations, one
   * of {@link io.hdfsparity.bridge.guard.CallerAbilities}; empty if nothing.
   */
  default Optional<String> ability() {
    return Optional.empty();
  }

  /**
   * The reader for files of a policy; empty where this feature claims none.
   *
   * @throws IOException if the files are claimed, and cannot be read
   */
  @Override
  default Optional<GroupReader> readerFor(ErasureCodingPolicy policy) throws IOException {
    return Optional.empty();
  }

  /**
   * How a client reads files whose cells are stored in another order than their own; empty if this
   * feature knows of none. Called once while the client is made: asks no NameNode.
   */
  default Optional<OrderedFileReader> orderedFiles(DFSClient client) {
    return Optional.empty();
  }

  /**
   * How a client reads blocks that have no replica left; empty if this feature computes none.
   * Called once while the client is made: asks no NameNode.
   *
   * @throws IllegalArgumentException when a key of the feature cannot be used
   */
  default Optional<LostBlockReader> lostBlocks(URI nameNode, Configuration conf) {
    return Optional.empty();
  }
}

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.feature;

import io.hdfsparity.bridge.page.PageSection;
import io.hdfsparity.bridge.wire.ServedProtocol;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.authorize.Service;

/**
 * A feature's part of a daemon, or one of its parts there. Found by {@link java.util.ServiceLoader}
 * as {@link NameNodeFeature} or {@link DataNodeFeature}; one instance a daemon.
 *
 * <pre>
 * made → protect → start → (the daemon's server listens) → ready → stop
 *           |        |                 |                     |
 *           +--------+-----------------+---------------------+→ failed → stop
 * </pre>
 *
 * <p><b>Fails closed</b>: Hadoop continues with a daemon whose plugin has failed. {@link #protect}
 * is called first, for all features before one is started, and does what keeps the feature's files
 * safe even if all else fails. After an exception of protect, start or ready, and when the server
 * cannot listen, {@link #failed} ends what was started and refuses what could not be done safely.
 * The daemon and its other features go on.
 *
 * <p>Called by one thread. The constructor does nothing that can fail or that has to be ended.
 *
 * @param <D> the daemon
 */
public interface Feature<D> {
  /** As {@code dfs.parity.features} has it. */
  String name();

  /**
   * Different from that of other features. A feature may have several parts in a daemon: the main
   * one has its name, the others are started only where their settings are there.
   */
  default String part() {
    return name();
  }

  /** The protocols that it may serve, with their keys in hadoop-policy.xml. */
  default List<Service> protocols() {
    return List.of();
  }

  /**
   * Whether it can be started as the daemon is configured. Without {@code dfs.parity.features},
   * features that can are started.
   *
   * @return empty: it can; else the setting that it needs, as {@code key=value}
   */
  default Optional<String> lacks(Configuration conf) {
    return Optional.empty();
  }

  /** Keeps its files safe whatever happens to the rest of the feature. */
  default void protect(D daemon) throws IOException {}

  /** Keeps its files safe where it is not switched on; {@link #stop} alone follows then. */
  default void protectWhenOff(D daemon) throws IOException {}

  /** Starts all that does not need the server, and hands over what the server is to serve. */
  void start(FeatureContext<D> context) throws IOException;

  /** The server listens, and refuses the feature's calls until this has returned. */
  default void ready() throws IOException {}

  /** It is not in service and will not be: ends what was started, and refuses what it must. */
  default void failed(Throwable cause) {}

  /**
   * What the server serves of it although it has failed before the server listens: answers that
   * work with other files needs.
   */
  default List<ServedProtocol> servedWhenFailed() {
    return List.of();
  }

  /** From now on the server answers what {@link #servedWhenFailed} has given. */
  default void answersWhenFailed() {}

  /** The daemon ends. Also called after {@link #failed}, and where it is not switched on. */
  void stop();

  /** While it is in service: what of it does not work; empty: nothing. */
  default Optional<String> trouble() {
    return Optional.empty();
  }

  /**
   * While it is in service: figures that tell an administrator how it is, by name. Few and short;
   * {@code hdfs parity status} shows them, and the feature's DoctorCheck judges them. Called by any
   * thread.
   *
   * @throws IOException when they cannot be had now
   */
  default Map<String, String> figures() throws IOException {
    return Map.of();
  }

  /**
   * In a NameNode, while it is in service: its part of the page {@code /parity}. Takes no lock of
   * the namespace for long; the answer is kept for seconds. Called by any thread.
   *
   * @throws IOException when it cannot be had now
   */
  default List<PageSection> page() throws IOException {
    return List.of();
  }

  /**
   * In a NameNode, while it is in service: the ports of the suite's servers in DataNodes that have
   * reported to the feature, by the DataNode's UUID. Called by any thread.
   */
  default Map<String, Integer> nodePorts() {
    return Map.of();
  }
}

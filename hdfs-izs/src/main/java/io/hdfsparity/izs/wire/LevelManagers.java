/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.wire;

import io.hdfsparity.bridge.config.NameNodeServers;
import io.hdfsparity.bridge.swap.SwapProtocol;
import io.hdfsparity.bridge.swap.wire.SwapClient;
import io.hdfsparity.bridge.wire.ActiveNameNode;
import io.hdfsparity.bridge.wire.NameNodeServer;
import io.hdfsparity.izs.config.LevelOptions;
import io.hdfsparity.izs.level.FileOutcome;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.InodePaths;

/** The level managers beside the configured NameNodes. Immutable. */
public final class LevelManagers {
  /** It turns away at once those who are too many. */
  private static final long BUSY_PAUSE_MS = 500;

  private final Configuration conf;
  private final int timeoutMs;
  private final List<NameNodeServer> servers;

  /** A call at a manager. */
  @FunctionalInterface
  public interface Call<T> {
    T at(LevelClient manager) throws IOException;
  }

  private LevelManagers(Configuration conf, List<NameNodeServer> servers) {
    this(conf, LevelOptions.of(conf).adminTimeoutMs(), servers);
  }

  private LevelManagers(Configuration conf, int timeoutMs, List<NameNodeServer> servers) {
    this.conf = conf;
    this.timeoutMs = timeoutMs;
    this.servers = List.copyOf(servers);
  }

  /**
   * The same, for who cannot wait longer.
   *
   * @param maxTimeoutMs of a call, connecting included
   */
  public LevelManagers within(int maxTimeoutMs) {
    return new LevelManagers(conf, Math.min(timeoutMs, maxTimeoutMs), servers);
  }

  /** Those of every NameNode. */
  public static LevelManagers all(Configuration conf) throws IOException {
    return new LevelManagers(conf, NameNodeServers.all(conf));
  }

  /**
   * Those of the NameNodes of one file system: a path means another file elsewhere.
   *
   * @throws IOException when the configuration does not know its NameNodes, or it is a Router's
   */
  public static LevelManagers of(Configuration conf, DistributedFileSystem fileSystem)
      throws IOException {
    InodePaths.requireNameNode(fileSystem, "find the level managers");
    return of(conf, fileSystem.getUri());
  }

  /**
   * The same, for who knows that the file system is a NameNode's own.
   *
   * @throws IOException when the configuration does not know its NameNodes
   */
  public static LevelManagers of(Configuration conf, URI fileSystem) throws IOException {
    return new LevelManagers(conf, NameNodeServers.of(conf, fileSystem));
  }

  /** Where they listen. */
  public List<NameNodeServer> servers() {
    return servers;
  }

  /** Calls one manager. */
  public <T> T call(NameNodeServer server, Call<T> call) throws IOException {
    server.shareToken();
    try (LevelClient client = new LevelClient(server.address(), conf, timeoutMs)) {
      return call.at(client);
    }
  }

  /**
   * Has the active manager change the level of the first of some files, as many as it answers for;
   * waits a moment when it serves others.
   */
  public List<FileOutcome> setLevel(int level, List<String> paths) throws IOException {
    List<FileOutcome> outcomes = callActive(manager -> manager.setLevel(level, paths));
    if (outcomes.isEmpty()) {
      try {
        TimeUnit.MILLISECONDS.sleep(BUSY_PAUSE_MS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("Cannot change levels: interrupted");
      }
    }
    return outcomes;
  }

  /**
   * Calls one manager after the other until one is active.
   *
   * @throws IOException that of the active manager; else, what each manager said
   */
  public <T> T callActive(Call<T> call) throws IOException {
    return ActiveNameNode.call(servers, server -> call(server, call));
  }

  /** The file swap service of the active manager, whichever that is at each call. */
  public SwapProtocol swaps() {
    return new SwapClient(FormSwapProtocolPB.class, servers, conf, timeoutMs);
  }
}

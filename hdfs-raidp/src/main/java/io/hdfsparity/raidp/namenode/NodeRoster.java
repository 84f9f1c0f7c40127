/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.raidp.format.IdentityFileException;
import io.hdfsparity.raidp.format.NodesFile;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which DataNodes are RAIDP's, and where: all that ever reported to this manager or were named as a
 * partner, durable, so that after a restart nobody has to report before it is known again. A node
 * stays one: without RAIDP it begins with empty directories, and has another id then.
 *
 * <p><b>Invariant</b>: no frame is told to store a pairing before its node is in the file, hence no
 * block of a pair is on a node that is not, unless the file was lost.
 *
 * <p>Thread-safe; {@link #contains} takes no lock.
 */
final class NodeRoster {
  private static final Logger LOG = LoggerFactory.getLogger(NodeRoster.class);

  static final int MAX_NODES = 100_000;

  private final Store store;
  private volatile Map<String, String> nodes;

  /** Keeps the nodes. */
  @FunctionalInterface
  interface Store {
    /** Durable when it returns. */
    void save(Map<String, String> addresses) throws IOException;
  }

  /**
   * @param addresses by node
   */
  NodeRoster(Map<String, String> addresses, Store store) {
    this.nodes = Map.copyOf(addresses);
    this.store = store;
  }

  /**
   * What an earlier manager of this NameNode has noted.
   *
   * @param directory where the NameNode keeps its image
   * @throws IOException when the file cannot be read, or is damaged
   */
  static NodeRoster open(Path directory, String clusterId) throws IOException {
    return new NodeRoster(
        read(directory, clusterId), nodes -> new NodesFile(clusterId, nodes).write(directory));
  }

  private static Map<String, String> read(Path directory, String clusterId) throws IOException {
    NodesFile file;
    try {
      file = NodesFile.read(directory);
    } catch (NoSuchFileException e) {
      LOG.info("No DataNode of RAIDP is known yet: {} is not there", e.getFile());
      return Map.of();
    } catch (IdentityFileException e) {
      throw new IOException(
          e.getMessage()
              + "; move it away: it is rebuilt from what the DataNodes report, which all have to"
              + " do then before erasure-coded files are written",
          e);
    }
    if (!file.clusterId().equals(clusterId)) {
      LOG.warn(
          "Not heeding the DataNodes of an earlier cluster: clusterId={}, expected {}, file={}",
          file.clusterId(),
          clusterId,
          directory.resolve(NodesFile.NAME));
      return Map.of();
    }
    return file.addresses();
  }

  boolean contains(String nodeUuid) {
    return nodes.containsKey(nodeUuid);
  }

  /** All nodes, by their UUIDs. */
  Set<String> nodeUuids() {
    return nodes.keySet();
  }

  /** IP address at which a node was registered when it last reported. */
  Optional<String> addressOf(String nodeUuid) {
    return Optional.ofNullable(nodes.get(nodeUuid));
  }

  /**
   * Notes nodes; durable when it returns.
   *
   * @param addresses by node
   * @throws IOException also when there are more nodes than any cluster has
   */
  void add(Map<String, String> addresses) throws IOException {
    if (nodes.entrySet().containsAll(addresses.entrySet())) {
      return;
    }
    synchronized (this) {
      Map<String, String> more = new HashMap<>(nodes);
      more.putAll(addresses);
      if (more.size() > MAX_NODES) {
        throw new IOException(
            "Cannot note DataNodes of RAIDP: nodes="
                + more.size()
                + ", expected at most "
                + MAX_NODES);
      }
      if (!more.equals(nodes)) {
        store.save(more);
        nodes = Map.copyOf(more);
      }
    }
  }
}

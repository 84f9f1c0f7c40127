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
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which DataNodes are RAIDP's: all that ever reported to this manager or were named as a partner,
 * durable, so that after a restart nobody has to report before it is known again. A node stays one:
 * without RAIDP it begins with empty directories, and has another id then.
 *
 * <p><b>Invariant</b>: no frame is told to store a pairing before its node is in the file, hence no
 * block of a pair is on a node that is not, unless the file was lost.
 *
 * <p>Thread-safe; {@link #contains} takes no lock.
 */
final class NodeRoster {
  private static final Logger LOG = LoggerFactory.getLogger(NodeRoster.class);

  private final Store store;
  private volatile Set<String> nodes;

  /** Keeps the ids. */
  @FunctionalInterface
  interface Store {
    /** Durable when it returns. */
    void save(Set<String> nodeUuids) throws IOException;
  }

  NodeRoster(Set<String> nodes, Store store) {
    this.nodes = Set.copyOf(nodes);
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

  private static Set<String> read(Path directory, String clusterId) throws IOException {
    NodesFile file;
    try {
      file = NodesFile.read(directory);
    } catch (NoSuchFileException e) {
      LOG.info("No DataNode of RAIDP is known yet: {} is not there", e.getFile());
      return Set.of();
    } catch (IdentityFileException e) {
      throw new IOException(
          e.getMessage()
              + "; move it away: it is made anew from what the DataNodes report, which all have to"
              + " do then before erasure-coded files are written",
          e);
    }
    if (!file.clusterId().equals(clusterId)) {
      LOG.warn(
          "Not heeding the DataNodes of an earlier cluster: clusterId={}, expected {}, file={}",
          file.clusterId(),
          clusterId,
          directory.resolve(NodesFile.NAME));
      return Set.of();
    }
    return file.nodeUuids();
  }

  boolean contains(String nodeUuid) {
    return nodes.contains(nodeUuid);
  }

  /** Notes nodes; durable when it returns. Empty ids name none. */
  void add(Collection<String> nodeUuids) throws IOException {
    if (nodeUuids.stream().allMatch(uuid -> uuid.isEmpty() || contains(uuid))) {
      return;
    }
    synchronized (this) {
      Set<String> more = new HashSet<>(nodes);
      more.addAll(nodeUuids);
      more.remove("");
      if (more.size() > nodes.size()) {
        store.save(more);
        nodes = Set.copyOf(more);
      }
    }
  }
}

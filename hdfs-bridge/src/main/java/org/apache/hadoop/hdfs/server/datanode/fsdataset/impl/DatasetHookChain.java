/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import io.hdfsparity.bridge.datanode.DatasetAccess;
import io.hdfsparity.bridge.datanode.DatasetHooks;
import io.hdfsparity.bridge.datanode.VolumeHooks;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The configured hooks as one. Immutable. */
final class DatasetHookChain {
  private static final Logger LOG = LoggerFactory.getLogger(DatasetHookChain.class);
  private final List<DatasetHooks> chain;

  private DatasetHookChain(List<DatasetHooks> chain) {
    this.chain = List.copyOf(chain);
  }

  /** True when hooks are configured. */
  static boolean configured(Configuration conf) {
    return conf.getTrimmedStrings(DatasetHooks.CLASSES_KEY).length > 0;
  }

  static DatasetHookChain none() {
    return new DatasetHookChain(List.of());
  }

  /** Makes one instance of each configured class. */
  static DatasetHookChain load(Configuration conf) throws IOException {
    List<DatasetHooks> made = new ArrayList<>();
    for (String name : conf.getTrimmedStrings(DatasetHooks.CLASSES_KEY)) {
      try {
        made.add(
            conf.getClassByName(name)
                .asSubclass(DatasetHooks.class)
                .getConstructor()
                .newInstance());
      } catch (ReflectiveOperationException | ClassCastException | LinkageError e) {
        throw new IOException(
            "Cannot load dataset hooks: "
                + DatasetHooks.CLASSES_KEY
                + "="
                + name
                + ", expected a class on"
                + " the class path that implements "
                + DatasetHooks.class.getName()
                + " and has a public constructor",
            e);
      }
    }
    return new DatasetHookChain(made);
  }

  boolean isEmpty() {
    return chain.isEmpty();
  }

  /** Whether any has volumes whose replicas the NameNode places. */
  boolean needsNamedStorage() {
    return chain.stream().anyMatch(DatasetHooks::needsNamedStorage);
  }

  /** Whether any has volumes that belong together; see {@link DatasetHooks#pairsVolumes}. */
  boolean pairsVolumes() {
    return chain.stream().anyMatch(DatasetHooks::pairsVolumes);
  }

  /** Whether all allow it; see {@link DatasetHooks#allowsHotSwap}. */
  boolean allowsHotSwap() {
    return chain.stream().allMatch(DatasetHooks::allowsHotSwap);
  }

  /** Asks all; see {@link DatasetHooks#removing}. */
  void removing(Set<String> storageIds) throws IOException {
    for (DatasetHooks hooks : chain) {
      hooks.removing(storageIds);
    }
  }

  /** Whether all allow it; see {@link DatasetHooks#allowsRollback}. */
  boolean allowsRollback(Path volumeRoot) throws IOException {
    for (DatasetHooks hooks : chain) {
      if (!hooks.allowsRollback(volumeRoot)) {
        return false;
      }
    }
    return true;
  }

  /**
   * Whether a block pool is the one that the hooks work on.
   *
   * @throws IOException also if they do not agree
   */
  boolean takesPool(String blockPoolId) throws IOException {
    int takers = 0;
    for (DatasetHooks hooks : chain) {
      takers += hooks.takesPool(blockPoolId) ? 1 : 0;
    }
    if (takers > 0 && takers < chain.size()) {
      throw new IOException(
          "Cannot add block pool: blockPoolId="
              + blockPoolId
              + ", expected one that all features of this DataNode work on, or none");
    }
    return takers > 0;
  }

  void added(String storageId) throws IOException {
    for (DatasetHooks hooks : chain) {
      hooks.added(storageId);
    }
  }

  /** Opens all; when one throws, those that were opened are closed again. */
  void open(DataNode datanode, DatasetAccess dataset, Configuration conf) throws IOException {
    for (DatasetHooks hooks : chain) {
      try {
        hooks.open(datanode, dataset, conf);
      } catch (IOException | RuntimeException e) {
        throw new IOException(
            "Cannot start the dataset: hooks="
                + hooks.getClass().getName()
                + ", expected open to succeed: "
                + e.getMessage(),
            e);
      }
    }
  }

  /** The one of a type, if it is configured. */
  <T extends DatasetHooks> Optional<T> find(Class<T> type) {
    return chain.stream().filter(type::isInstance).map(type::cast).findFirst();
  }

  /** The hooks of a volume, or null when no feature wants it. */
  @Nullable VolumeHooks volume(String storageId, File root) throws IOException {
    VolumeHooks claimed = volume(storageId, root, /* ofUnits= */ false);
    VolumeHooks units = volume(storageId, root, /* ofUnits= */ true);
    if (claimed == null || units == null) {
      return claimed == null ? units : claimed;
    }
    return new SharedVolumeHooks(claimed, units);
  }

  private @Nullable VolumeHooks volume(String storageId, File root, boolean ofUnits)
      throws IOException {
    VolumeHooks found = null;
    for (DatasetHooks hooks : chain) {
      VolumeHooks candidate =
          hooks.sharesVolumes() == ofUnits ? hooks.volume(storageId, root) : null;
      if (candidate != null && found != null) {
        throw new IOException(
            "Cannot add volume: storageId="
                + storageId
                + ", expected one feature to claim it, "
                + hooks.getClass().getName()
                + " does so too, file="
                + root);
      }
      found = candidate == null ? found : candidate;
    }
    return found;
  }

  /** The first answer of any; see {@link DatasetHooks#storageFor}. */
  Optional<String> storageFor(Optional<String> named, ExtendedBlock block) throws IOException {
    for (DatasetHooks hooks : chain) {
      Optional<String> storageId = hooks.storageFor(named, block);
      if (storageId.isPresent()) {
        return storageId;
      }
    }
    return Optional.empty();
  }

  void started(String blockPoolId) throws IOException {
    for (DatasetHooks hooks : chain) {
      hooks.started(blockPoolId);
    }
  }

  /** Widened by each until nothing is added. */
  Set<String> widenFailure(Set<String> storageIds) {
    Set<String> wide = new HashSet<>(storageIds);
    int before;
    do {
      before = wide.size();
      for (DatasetHooks hooks : chain) {
        wide.addAll(hooks.widenFailure(Set.copyOf(wide)));
      }
    } while (wide.size() > before);
    return wide;
  }

  void failed(Set<String> storageIds) {
    for (DatasetHooks hooks : chain) {
      hooks.failed(storageIds);
    }
  }

  void unconfigured(Set<Path> directories) {
    for (DatasetHooks hooks : chain) {
      hooks.unconfigured(directories);
    }
  }

  boolean toleratesVolumeFailures() {
    return chain.stream().anyMatch(DatasetHooks::toleratesVolumeFailures);
  }

  void close() {
    for (DatasetHooks hooks : chain) {
      try {
        hooks.close();
      } catch (IOException | RuntimeException e) {
        LOG.warn(
            "Cannot close dataset hooks: hooks={}; the DataNode continues to shut down",
            hooks.getClass().getName(),
            e);
      }
    }
  }
}

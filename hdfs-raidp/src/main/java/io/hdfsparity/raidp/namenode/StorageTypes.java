/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.hadoop.hdfs.server.blockmanagement.NameNodeAccess.Node;
import org.apache.hadoop.hdfs.server.blockmanagement.NameNodeAccess.Storage;

/**
 * Storage types of disks, as HDFS names them: the two sides of a superchunk are of one. HDFS
 * forgets storages that have failed, and these are remembered as long as the manager knows them.
 * Thread-safe.
 */
final class StorageTypes {
  /** The type of all disks, where fewer than two types are known. */
  static final String ANY = "";

  private Map<String, String> byStorage = Map.of();

  /** Types at one moment. */
  static final class Known {
    private final Map<String, String> byStorage;
    private final List<String> all;

    private Known(Map<String, String> byStorage, List<String> all) {
      this.byStorage = byStorage;
      this.all = all;
    }

    /** Those of all disks, the most common first; never empty. */
    List<String> all() {
      return all;
    }

    /** That of a disk; empty: HDFS has forgotten it. */
    Optional<String> of(DiskView disk) {
      return all.size() == 1
          ? Optional.of(all.get(0))
          : disk.storageIds().stream()
              .filter(byStorage::containsKey)
              .map(byStorage::get)
              .findFirst();
    }
  }

  /** Looks at all disks. */
  synchronized Known look(ClusterView view, Collection<Node> nodes) {
    Map<String, String> now = new HashMap<>();
    byStorage.forEach(
        (storageId, type) -> {
          if (!view.framesOn(storageId).isEmpty()) {
            now.put(storageId, type);
          }
        });
    for (Node node : nodes) {
      for (Storage storage : node.storages()) {
        if (!view.framesOn(storage.id()).isEmpty()) {
          now.put(storage.id(), storage.type());
        }
      }
    }
    byStorage = Map.copyOf(now);
    Map<String, Integer> counts = new TreeMap<>();
    now.values().forEach(type -> counts.merge(type, 1, Integer::sum));
    List<String> all =
        counts.size() < 2
            ? List.of(ANY)
            : counts.entrySet().stream()
                .sorted(Map.Entry.<String, Integer>comparingByValue().reversed())
                .map(Map.Entry::getKey)
                .toList();
    return new Known(byStorage, all);
  }
}

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.quickstart;

import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

/** What HDFS has acknowledged: files and what they must hold. Thread-safe. */
final class Ledger {
  private final Map<String, Entry> entries = new ConcurrentHashMap<>();

  /**
   * A file whose close was acknowledged.
   *
   * @param path in HDFS
   * @param content what it holds
   * @param sha256 of the bytes that were sent
   */
  record Entry(String path, Content content, String sha256) {}

  void add(Entry entry) {
    entries.put(entry.path(), entry);
  }

  /** Forgets a file that is about to be deleted. */
  void remove(String path) {
    entries.remove(path);
  }

  @SuppressWarnings(
      "ReferenceEquality") // this very entry, not one for the same path and bytes written since
  boolean contains(Entry entry) {
    return entry.equals(entries.get(entry.path()));
  }

  /** Adds a file as its content is now. */
  void add(String path, Content content) throws IOException {
    add(new Entry(path, content, Digests.of(content)));
  }

  int size() {
    return entries.size();
  }

  Collection<Entry> all() {
    return List.copyOf(entries.values());
  }

  /** Any file with bytes. */
  Optional<Entry> any() {
    List<Entry> list =
        entries.values().stream().filter(e -> e.content().lengthBytes() > 0).toList();
    return list.isEmpty()
        ? Optional.empty()
        : Optional.of(list.get(ThreadLocalRandom.current().nextInt(list.size())));
  }
}

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.nbd;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Connections that have chosen no export yet: anybody who reaches the port can open them. When
 * there are too many, the host with the most of them loses its oldest one, so that no other host is
 * kept out by it. Not thread-safe.
 *
 * @param <C> a connection; compared by {@code equals}
 */
final class HandshakeQueue<C> {
  private final int max;

  /** Hosts of connections, the oldest connection first. */
  private final Map<C, String> hosts = new LinkedHashMap<>();

  /**
   * Empty.
   *
   * @param max connections at a time; at least 1
   */
  HandshakeQueue(int max) {
    this.max = max;
  }

  /**
   * Adds a connection.
   *
   * @return another one, which was removed for it, and is to be closed
   */
  Optional<C> add(C connection, String host) {
    Optional<C> victim = hosts.size() < max ? Optional.empty() : oldestOfGreediest();
    victim.ifPresent(hosts::remove);
    hosts.put(connection, host);
    return victim;
  }

  private Optional<C> oldestOfGreediest() {
    Map<String, Integer> counts = new HashMap<>();
    hosts.values().forEach(host -> counts.merge(host, 1, Integer::sum));
    int most = counts.values().stream().mapToInt(Integer::intValue).max().orElse(0);
    return hosts.entrySet().stream()
        .filter(each -> counts.getOrDefault(each.getValue(), 0) == most)
        .map(Map.Entry::getKey)
        .findFirst();
  }

  /**
   * Removes a connection that has ended, or chosen an export.
   *
   * @return false: it was not there any more
   */
  boolean remove(C connection) {
    return hosts.remove(connection) != null;
  }
}

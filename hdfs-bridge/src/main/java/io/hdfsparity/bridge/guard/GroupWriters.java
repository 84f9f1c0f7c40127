/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.guard;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Who has asked for which block group: lease holder, user and address of the latest {@value
 * #MAX_GROUPS} groups. Of this NameNode since its start. Thread-safe.
 */
public final class GroupWriters {
  /** Groups that are remembered. */
  public static final int MAX_GROUPS = 10_000;

  private final Map<Long, String> writers =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, String> eldest) {
          return size() > MAX_GROUPS;
        }
      };

  /** Remembers a group's writer. */
  public synchronized void put(long groupId, String writer) {
    writers.put(groupId, writer);
  }

  /** The writer of a group; empty: it is not known, or not any more. */
  public synchronized Optional<String> of(long groupId) {
    return Optional.ofNullable(writers.get(groupId));
  }
}

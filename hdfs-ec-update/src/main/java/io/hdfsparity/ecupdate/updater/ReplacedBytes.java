/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.updater;

import io.hdfsparity.ecupdate.ajx.Patch;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;

/**
 * How many bytes nodes keep for writes of a stripe that have ended: of each data block those that
 * the last write has replaced (see {@link io.hdfsparity.ecupdate.ajx.SwapReceipt}). Not
 * thread-safe.
 */
final class ReplacedBytes {
  private final Map<Integer, Integer> byBlock = new HashMap<>();

  /**
   * A write has ended.
   *
   * @return how many bytes more there are; negative if they are fewer
   */
  long add(SortedMap<Integer, Patch> patches) {
    long more = 0;
    for (Map.Entry<Integer, Patch> patch : patches.entrySet()) {
      int bytes = patch.getValue().bytes().length();
      Integer before = byBlock.put(patch.getKey(), bytes);
      more += bytes - (before == null ? 0 : before);
    }
    return more;
  }

  /**
   * They are being collected.
   *
   * @return how many there were
   */
  long clear() {
    long bytes = byBlock.values().stream().mapToLong(Integer::longValue).sum();
    byBlock.clear();
    return bytes;
  }
}

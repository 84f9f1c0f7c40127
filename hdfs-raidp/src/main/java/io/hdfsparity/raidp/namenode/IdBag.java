/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import java.util.Arrays;
import java.util.function.LongConsumer;

/** Ids of superchunks, each at least once. Not thread-safe. */
final class IdBag {
  private long[] ids = new long[4];
  private int size;

  void add(long id) {
    if (size == ids.length) {
      Arrays.sort(ids);
      int kept = 0;
      for (long each : ids) {
        if (kept == 0 || ids[kept - 1] != each) {
          ids[kept++] = each;
        }
      }
      size = kept;
      if (kept > ids.length / 2) {
        ids = Arrays.copyOf(ids, ids.length * 2);
      }
    }
    ids[size++] = id;
  }

  void forEach(LongConsumer consumer) {
    for (int i = 0; i < size; i++) {
      consumer.accept(ids[i]);
    }
  }
}

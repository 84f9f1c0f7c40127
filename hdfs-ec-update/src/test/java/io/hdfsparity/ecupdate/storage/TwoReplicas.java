/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.storage;

import io.hdfsparity.core.gf.GfMatrix;
import io.hdfsparity.core.gf.ScalarKernel;
import io.hdfsparity.ecupdate.ajx.Bytes;
import io.hdfsparity.ecupdate.ajx.Patch;
import io.hdfsparity.ecupdate.ajx.ReplicaKey;
import io.hdfsparity.ecupdate.ajx.Reply;
import io.hdfsparity.ecupdate.ajx.Request;
import io.hdfsparity.ecupdate.ajx.SlotKey;
import io.hdfsparity.ecupdate.ajx.StripeCode;
import java.io.IOException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;

/** A data unit and a parity unit of one block group, RS-2-2, on the disk of one engine. */
final class TwoReplicas {
  static final StripeCode CODE = new StripeCode(new ScalarKernel(), GfMatrix.cauchyParity(2, 2));
  static final ReplicaKey DATA = new ReplicaKey("BP-1", 1);
  static final ReplicaKey PARITY = new ReplicaKey("BP-1", 2);

  private TwoReplicas() {}

  /** A disk with both; all their bytes are zero. */
  static TestDisk disk(String scheme, Random random) throws IOException {
    return disk(scheme, TestDisk.FILE_BYTES, random);
  }

  /**
   * The same.
   *
   * @param dataBytes of the data unit, whose last cell need not be full
   */
  static TestDisk disk(String scheme, int dataBytes, Random random) throws IOException {
    Map<ReplicaKey, ReplicaLayout> layouts = layouts(dataBytes);
    Map<ReplicaKey, byte[]> zeros = new LinkedHashMap<>();
    layouts.forEach((key, layout) -> zeros.put(key, new byte[layout.lengthBytes()]));
    return TestDisk.of(layouts, zeros, scheme, random);
  }

  /** Of both, the data unit first. */
  static Map<ReplicaKey, ReplicaLayout> layouts(int dataBytes) {
    Map<ReplicaKey, ReplicaLayout> layouts = new LinkedHashMap<>();
    layouts.put(DATA, TestDisk.layout(CODE, 0, dataBytes));
    layouts.put(PARITY, TestDisk.layout(CODE, 2, TestDisk.FILE_BYTES));
    return layouts;
  }

  /** Eight bytes, all the same. */
  static Patch patch(int offset, int value) {
    return patch(offset, value, 8);
  }

  static Patch patch(int offset, int value, int lengthBytes) {
    byte[] bytes = new byte[lengthBytes];
    Arrays.fill(bytes, (byte) value);
    return new Patch(offset, Bytes.wrap(bytes));
  }

  /** Asks an engine without threads, whose log is committed here. */
  static Reply ask(BlockEngine engine, SlotKey slot, Request request) throws Exception {
    var reply = engine.handle(slot, request);
    engine.log().commitGroup();
    return reply.get();
  }

  /** A byte as a stock reader would get it. */
  static int read(BlockEngine engine, ReplicaKey key, int offset) throws Exception {
    try (PinnedReader reader = engine.openReader(key)) {
      return reader.read(offset, 1)[0];
    }
  }
}

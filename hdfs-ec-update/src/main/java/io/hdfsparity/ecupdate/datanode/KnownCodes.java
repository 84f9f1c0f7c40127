/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.datanode;

import io.hdfsparity.core.geometry.StripeGeometry;
import io.hdfsparity.ecupdate.ajx.CodeTable;
import io.hdfsparity.ecupdate.ajx.CoderProbe;
import io.hdfsparity.ecupdate.config.ConfiguredCoder;
import io.hdfsparity.ecupdate.protocol.StripeCode;
import io.hdfsparity.ecupdate.protocol.UnitTerms;
import java.io.IOException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;

/**
 * The codes of block groups, asked of this DataNode's coders once, and which lengths of codewords
 * were seen to be coded so. Thread-safe.
 */
final class KnownCodes {
  /** Lengths that are kept a code; beyond that the oldest is tried again. */
  private static final int MAX_LENGTHS = 4096;

  /** More than any cluster has policies. */
  static final int MAX_CODES = 256;

  private final Configuration conf;

  /** Without block tokens a code is what a client says. */
  private final Map<StripeCode, Known> codes = Collections.synchronizedMap(new Lately<>(MAX_CODES));

  private record Known(CodeTable table, Set<Integer> lengths) {}

  KnownCodes(Configuration conf) {
    this.conf = conf;
  }

  /**
   * The code of a unit's group. Of a parity unit, which will multiply and place what clients
   * broadcast, also the last codeword's length has been tried.
   *
   * @throws IOException if this DataNode has no such coder, or its code is none that can be updated
   */
  CodeTable of(UnitTerms terms) throws IOException {
    StripeCode code = terms.code();
    Known known = codes.get(code);
    if (known == null) {
      try (CoderProbe coder = open(code)) {
        known = new Known(coder.learn(code.cellBytes()), bounded());
      }
      codes.put(code, known);
    }
    int lastBytes = lastCodewordBytes(terms);
    if (terms.unit() >= terms.code().dataUnits()
        && !known.table.rowMap().isPlain()
        && !known.lengths.contains(lastBytes)) {
      try (CoderProbe coder = open(code)) {
        coder.require(known.table, lastBytes);
      }
      known.lengths.add(lastBytes);
    }
    return known.table;
  }

  private CoderProbe open(StripeCode code) throws IOException {
    return ConfiguredCoder.probe(conf, code.codec(), code.dataUnits(), code.parityUnits());
  }

  /** Length of the parity cell in the last stripe of a group. */
  private static int lastCodewordBytes(UnitTerms terms) {
    StripeGeometry geometry =
        new StripeGeometry(
            terms.code().dataUnits(), terms.code().parityUnits(), terms.code().cellBytes());
    long before = (geometry.stripeCount(terms.groupBytes()) - 1) * terms.code().cellBytes();
    return (int) (geometry.blockBytes(terms.code().dataUnits(), terms.groupBytes()) - before);
  }

  private static Set<Integer> bounded() {
    return Collections.synchronizedSet(Collections.newSetFromMap(new Lately<>(MAX_LENGTHS)));
  }

  /** Codes that are kept. */
  int size() {
    return codes.size();
  }

  /** The entries that were put last. */
  private static final class Lately<K, V> extends LinkedHashMap<K, V> {
    private static final long serialVersionUID = 1L;

    private final int maxEntries;

    Lately(int maxEntries) {
      this.maxEntries = maxEntries;
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
      return size() > maxEntries;
    }
  }
}

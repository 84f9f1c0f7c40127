/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.ecupdate;

import io.hdfsparity.localcluster.ClusterMode;
import java.util.ArrayList;
import java.util.List;

/**
 * What is compared.
 *
 * @param scheme FO, FL, PL or PLR; {@link #COPY} for none
 * @param dataUnits of its code
 * @param parityUnits of its code
 */
record Contender(String scheme, int dataUnits, int parityUnits) {
  /** Stock HDFS: a changed file is rewritten. */
  static final String COPY = "HDFS copy";

  private static final List<String> SCHEMES = List.of("FO", "FL", "PL", "PLR");

  /** The schemes under one code, and what a user has today. */
  static List<Contender> schemes(int dataUnits, int parityUnits) {
    List<Contender> all = new ArrayList<>();
    for (String scheme : SCHEMES) {
      all.add(new Contender(scheme, dataUnits, parityUnits));
    }
    all.add(new Contender(COPY, dataUnits, parityUnits));
    return all;
  }

  /**
   * Reserved space of a chunk for each parity unit, against as many units more without it: all data
   * or all parity.
   */
  static List<Contender> sameSpace(int dataUnits, int parityUnits) {
    List<Contender> all = new ArrayList<>();
    all.add(new Contender("PLR", dataUnits, parityUnits));
    for (String scheme : List.of("FO", "FL", "PL")) {
      all.add(new Contender(scheme, dataUnits + parityUnits, parityUnits));
      all.add(new Contender(scheme, dataUnits, 2 * parityUnits));
    }
    return all;
  }

  /** Scheme and code, named as HDFS does. */
  String label() {
    return scheme + " RS-" + dataUnits + "-" + parityUnits;
  }

  int units() {
    return dataUnits + parityUnits;
  }

  boolean isCopy() {
    return scheme.equals(COPY);
  }

  ClusterMode mode() {
    return isCopy() ? ClusterMode.STOCK : ClusterMode.EC_UPDATE;
  }
}

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.incast;

import io.hdfsparity.core.gf.Kernels;
import io.hdfsparity.izs.codec.IzsCodec;
import io.hdfsparity.izs.codec.IzsFamily;
import io.hdfsparity.izs.codec.RepairPlan;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What is read again and again. Immutable.
 *
 * @param turns bytes of each helper, by turn; taken one after the other
 * @param rebuiltBytes what a turn rebuilds; 0 where nothing is
 */
record Reading(List<int[]> turns, int rebuiltBytes) {
  Reading {
    turns = List.copyOf(turns);
  }

  /** The same of all helpers. */
  static Reading equal(int helpers, int lengthBytes) {
    int[] lengths = new int[helpers];
    Arrays.fill(lengths, lengthBytes);
    return new Reading(List.of(lengths), 0);
  }

  /** A column from k whole ones. */
  static Reading ofRs(int dataUnits, int columnBytes) {
    return new Reading(equal(dataUnits, columnBytes).turns(), columnBytes);
  }

  /** The same by the half-read plans of IZS, each data column in turn. */
  static Reading ofIzs(int dataUnits, int parityUnits, int columnBytes) {
    List<int[]> turns = new ArrayList<>();
    IzsCodec codec = new IzsCodec(Kernels.best(), IzsFamily.code(dataUnits, parityUnits));
    for (int lost = 0; lost < dataUnits; lost++) {
      RepairPlan plan = codec.repairPlan(lost);
      int[] lengths = new int[plan.helpers().size()];
      for (int helper = 0; helper < lengths.length; helper++) {
        lengths[helper] = (int) plan.bytesRead(helper, columnBytes);
      }
      turns.add(lengths);
    }
    return new Reading(turns, columnBytes);
  }

  int helpers() {
    return turns.stream().mapToInt(lengths -> lengths.length).max().orElseThrow();
  }

  int[] turn(int number) {
    return turns.get(number % turns.size());
  }
}

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.layout;

import java.util.ArrayList;
import java.util.List;

/**
 * Verifies the rules of paper section 3.1 on a {@link PairTable}, knowing nothing of how it was
 * made: the compact form of {@link LayoutChecker}. Names the first violations only.
 */
final class PairTableChecker {
  private static final int MAX_VIOLATIONS = 100;

  private final PairTable table;
  private final DiskMap disks;
  private final List<LayoutViolation> found = new ArrayList<>();

  private PairTableChecker(PairTable table) {
    this.table = table;
    this.disks = table.disks();
  }

  /** Broken rules; empty for a legal table. */
  static List<LayoutViolation> check(PairTable table) {
    PairTableChecker checker = new PairTableChecker(table);
    for (int d = 0; d < table.disks().disks() && checker.found.size() < MAX_VIOLATIONS; d++) {
      for (int i = 0; i < table.load(d); i++) {
        checker.checkSide(d, i);
      }
    }
    return checker.found;
  }

  private void checkSide(int disk, int i) {
    int peer = table.peer(disk, i);
    if (peer < 0 || peer >= disks.disks()) {
      add(LayoutRule.KNOWN_FRAME, disk, peer, "a known disk");
      return;
    }
    if (i > 0 && table.peer(disk, i - 1) >= peer) {
      add(LayoutRule.ONE_SHARING, disk, peer, "at most one superchunk shared by two disks");
    }
    if (table.frame(peer, disk) < 0) {
      add(LayoutRule.ONE_MIRRORING, disk, peer, "two sides of each superchunk");
    }
    if (disk == peer) {
      add(LayoutRule.ONE_MIRRORING, disk, peer, "two disks");
    } else if (disks.node(disk) == disks.node(peer)) {
      add(LayoutRule.DIFFERENT_NODES, disk, peer, "two nodes");
    } else if (disks.racks() >= 2 && disks.rack(disk) == disks.rack(peer)) {
      add(LayoutRule.DIFFERENT_RACKS, disk, peer, "two racks");
    }
  }

  private void add(LayoutRule rule, int disk, int peer, String expected) {
    found.add(
        new LayoutViolation(
            rule, "superchunk of disks=" + disk + "," + peer + ", expected " + expected));
  }
}

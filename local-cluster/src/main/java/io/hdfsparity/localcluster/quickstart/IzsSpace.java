/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.quickstart;

import static io.hdfsparity.localcluster.quickstart.Texts.format;
import static io.hdfsparity.localcluster.quickstart.Texts.size;

import java.util.List;

/**
 * Bytes of replicas with their checksums on the disks of the nodes that are alive. Pure.
 *
 * @param higher after the level was raised
 */
record IzsSpace(long before, long higher, long lower) {
  /** A table of three lines. */
  List<String> table(long sourceBytes) {
    return List.of(
        row(IzsShape.LEVEL, before, sourceBytes),
        row(IzsShape.HIGHER_LEVEL, higher, sourceBytes),
        row(IzsShape.LOWER_LEVEL, lower, sourceBytes));
  }

  private static String row(int level, long bytes, long sourceBytes) {
    double times = (double) bytes / sourceBytes;
    String share = sourceBytes == 0 ? "" : format("%.2f times the files", times);
    return format("on disks with %-16s %12s   %s", IzsShape.policy(level), size(bytes), share);
  }

  void addTo(Report report) {
    String template = "level 2 {bytes}, level 3 {bytes}, level 1 {bytes}";
    report.row("on disks", template, before, higher, lower);
  }
}

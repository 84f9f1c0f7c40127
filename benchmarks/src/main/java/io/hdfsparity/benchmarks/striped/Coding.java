/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.striped;

import io.hdfsparity.izs.config.RepairKey;
import io.hdfsparity.localcluster.ClusterMode;
import java.util.Map;

/** How files are coded and who computes it. */
enum Coding {
  /**
   * The suite: half reads, own client. Files of codec rs, where there are any, use the suite's
   * coder.
   */
  IZS("IZS", ClusterMode.IZS, "izs", Map.of(Coding.RS_CODERS, "rs_isal")),

  /** The same without half reads, to tell what they do from what the rest does. */
  IZS_FULL_READ(
      "IZS full read", ClusterMode.IZS, "izs", Map.of(RepairKey.HALF_READ.key(), "false")),

  /** Stock HDFS, its coder replaced by the suite's. */
  RS_ISAL("RS isal", ClusterMode.STOCK, "rs", Map.of(Coding.RS_CODERS, "rs_isal")),

  /** Stock HDFS as it is without libhadoop. */
  RS_JAVA("RS java", ClusterMode.STOCK, "rs", Map.of(Coding.RS_CODERS, "rs_java"));

  private static final String RS_CODERS = "io.erasurecode.codec.rs.rawcoders";

  final String label;
  final ClusterMode mode;
  final String codec;
  final Map<String, String> conf;

  Coding(String label, ClusterMode mode, String codec, Map<String, String> conf) {
    this.label = label;
    this.mode = mode;
    this.codec = codec;
    this.conf = conf;
  }

  /** The one so labelled. */
  static Coding labelled(String label) {
    for (Coding coding : values()) {
      if (coding.label.equals(label)) {
        return coding;
      }
    }
    throw new IllegalArgumentException("Cannot run: coding=" + label + ", expected a known one");
  }
}

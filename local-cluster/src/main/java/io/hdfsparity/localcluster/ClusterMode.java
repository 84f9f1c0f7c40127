/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster;

import java.util.Locale;
import java.util.Optional;

/** How the cluster keeps data redundant. */
public enum ClusterMode {
  /** Plain HDFS with replication; no class of the suite is configured. */
  STOCK,
  /** Two replicas and parity in Lstors. */
  RAIDP,
  /**
   * Files of codec izs and levels: policies, repair in DataNodes, the level manager and its guard
   * in the NameNode, and the suite's file system for clients. Directories without a policy hold
   * replicas, as in plain HDFS.
   */
  IZS,
  /**
   * Erasure-coded files that can be changed in place: the session manager in the NameNode, engine
   * and update channel in DataNodes. Directories without a policy hold replicas.
   */
  EC_UPDATE,
  /**
   * As {@link #EC_UPDATE}, and files may be organized by how they are used: the layout plugin and
   * parity placed by forecast in the NameNode, and hdfs-caso's file system for clients.
   */
  CASO,
  /** All four features in every DataNode, as {@code conf/hdfs-site-all.xml} switches them on. */
  ALL;

  /** The name used on command lines and in files. */
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** The file of {@code conf/} that switches the features on in every process. */
  Optional<String> sample() {
    return this == STOCK
        ? Optional.empty()
        : Optional.of("hdfs-site-" + label().replace("-", "") + ".xml");
  }

  /** Whether DataNodes keep pairs of replicas and parity in Lstors. */
  public boolean hasRaidp() {
    return this == RAIDP || this == ALL;
  }

  /** Whether there are codec izs and levels. */
  public boolean hasIzs() {
    return this == IZS || this == ALL;
  }

  /** Whether DataNodes take in-place updates of erasure-coded files. */
  public boolean hasUpdates() {
    return this == EC_UPDATE || hasCaso();
  }

  /** Whether files may be organized by how they are used. */
  public boolean hasCaso() {
    return this == CASO || this == ALL;
  }

  /** Parses {@link #label}. */
  public static ClusterMode parse(String text) {
    for (ClusterMode mode : values()) {
      if (mode.label().equals(text)) {
        return mode;
      }
    }
    throw new IllegalArgumentException(
        "Cannot read the mode: mode="
            + text
            + ", expected stock, raidp, izs, ec-update, caso or all");
  }
}

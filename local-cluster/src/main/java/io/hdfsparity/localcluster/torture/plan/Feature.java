/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.torture.plan;

import io.hdfsparity.localcluster.ClusterMode;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** What is tortured. */
public enum Feature {
  /** Plain files with three replicas: the control. */
  STOCK(2, ClusterMode.STOCK),
  /** A file of RS-3-2 that is updated in place. */
  ECUPDATE(2, ClusterMode.EC_UPDATE),
  /** Files in a protected directory: two replicas and parity. */
  RAIDP(1, ClusterMode.RAIDP),
  /** Files of IZS-4-2, whose level changes between 2 and 3. */
  IZS(2, ClusterMode.IZS),
  /** A file of RS-3-2 that is updated in place and put in one order after the other. */
  CASO(2, ClusterMode.CASO);

  private static final Set<ClusterMode> WITH_UPDATES =
      Set.of(ClusterMode.EC_UPDATE, ClusterMode.CASO);

  private final int maxAway;
  private final ClusterMode mode;

  Feature(int maxAway, ClusterMode mode) {
    this.maxAway = maxAway;
    this.mode = mode;
  }

  /** DataNodes that may be away at once without a loss. */
  public int maxAway() {
    return maxAway;
  }

  /** The name on command lines and in files. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** That of a label. */
  public static Optional<Feature> named(String label) {
    return Arrays.stream(values()).filter(each -> each.label().equals(label)).findFirst();
  }

  /** DataNodes that may be away at once without a loss to any of them. */
  public static int maxAway(Set<Feature> features) {
    return features.stream().mapToInt(Feature::maxAway).min().orElse(0);
  }

  /** The mode of a cluster that has them all. */
  public static ClusterMode mode(Set<Feature> features) {
    Set<ClusterMode> modes =
        features.stream()
            .filter(each -> each != STOCK)
            .map(each -> each.mode)
            .collect(Collectors.toSet());
    if (modes.isEmpty()) {
      return ClusterMode.STOCK;
    }
    if (modes.equals(WITH_UPDATES)) {
      return ClusterMode.CASO;
    }
    return modes.size() == 1 ? modes.iterator().next() : ClusterMode.ALL;
  }
}

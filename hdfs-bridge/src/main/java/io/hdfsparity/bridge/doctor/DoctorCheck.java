/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.doctor;

import io.hdfsparity.bridge.config.ConfigKey;
import java.util.List;

/**
 * A check of {@code hdfs parity doctor}. Features bring theirs by {@link java.util.ServiceLoader};
 * the suite's own are in {@link Doctor}. Stateless.
 */
public interface DoctorCheck {
  /** All that it can find. */
  List<? extends FindingKind> kinds();

  /** Keys of the feature, which distinguish a known key from an unknown one. */
  default List<ConfigKey> keys() {
    return List.of();
  }

  /** Looks for them. */
  void check(ClusterFacts facts, FindingList found);
}

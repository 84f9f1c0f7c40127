/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.doctor;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What is known of the host that the command runs on. Immutable.
 *
 * @param keys of its configuration, as {@link io.hdfsparity.bridge.status.ReportedKeys} names them
 * @param fileSystemProblem why the class of {@code fs.hdfs.impl} cannot be loaded; empty: it can,
 *     or none is set
 */
public record LocalFacts(
    String suiteVersion, String hadoopVersion, Map<String, String> keys, String fileSystemProblem) {
  public LocalFacts {
    keys = Collections.unmodifiableMap(new LinkedHashMap<>(keys));
  }

  /** A key's value; empty text where it is not set and has no default. */
  public String key(String name) {
    return keys.getOrDefault(name, "");
  }
}

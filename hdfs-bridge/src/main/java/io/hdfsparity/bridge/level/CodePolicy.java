/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.level;

import java.util.Map;

/**
 * An erasure coding policy that the NameNode knows. Immutable.
 *
 * @param id as in the headers of files
 * @param name as in {@code hdfs ec -listPolicies}
 * @param codec name of its codec
 * @param dataUnits k
 * @param parityUnits r
 * @param cellBytes size of a cell
 * @param options extra options of the schema
 * @param enabled whether new files may have it
 */
public record CodePolicy(
    int id,
    String name,
    String codec,
    int dataUnits,
    int parityUnits,
    int cellBytes,
    Map<String, String> options,
    boolean enabled) {
  public CodePolicy {
    options = Map.copyOf(options);
  }

  /** Units of a full group. */
  public int units() {
    return dataUnits + parityUnits;
  }
}

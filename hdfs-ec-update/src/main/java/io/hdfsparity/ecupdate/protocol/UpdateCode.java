/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.protocol;

import java.util.Map;

/**
 * The erasure code of a file. Immutable.
 *
 * @param policy name, as in {@code hdfs ec -listPolicies}
 * @param codec name of the codec, as in {@code rs} or {@code izs}
 * @param dataUnits k
 * @param parityUnits r
 * @param cellBytes size of a cell
 * @param options extra options of the schema
 */
public record UpdateCode(
    String policy,
    String codec,
    int dataUnits,
    int parityUnits,
    int cellBytes,
    Map<String, String> options) {
  public UpdateCode {
    options = Map.copyOf(options);
  }

  /** Units of a full group. */
  public int units() {
    return dataUnits + parityUnits;
  }
}

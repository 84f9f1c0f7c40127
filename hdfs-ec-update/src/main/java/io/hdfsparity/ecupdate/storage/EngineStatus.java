/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.storage;

/**
 * How an engine is. Immutable.
 *
 * @param failure why it has stopped; empty: it works
 * @param logBytes that its log may take
 * @param logUsedBytes of those, what has not been released yet
 */
public record EngineStatus(String failure, long logBytes, long logUsedBytes) {
  /** Where there is none. */
  public static final EngineStatus NONE = new EngineStatus("", 0, 0);

  /**
   * How one of its replicas is.
   *
   * @param scheme FO, FL, PL or PLR
   * @param overlayBytes of changes that are in the log only
   * @param reservedBytes of its reserved space
   * @param reservedUsedBytes of those, filled by deltas
   * @param trouble why its changes are not brought on; empty: they are
   */
  public record Replica(
      String scheme,
      long overlayBytes,
      long reservedBytes,
      long reservedUsedBytes,
      String trouble) {}
}

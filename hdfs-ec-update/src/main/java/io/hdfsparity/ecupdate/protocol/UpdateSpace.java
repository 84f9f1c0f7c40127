/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.protocol;

/**
 * Space that updates of replicas take beside their blocks. Immutable.
 *
 * @param overlayBytes of changes that are in the log only
 * @param reservedBytes of reserved space
 * @param reservedUsedBytes of those, filled by deltas
 */
public record UpdateSpace(long overlayBytes, long reservedBytes, long reservedUsedBytes) {
  /** No space at all. */
  public static final UpdateSpace NONE = new UpdateSpace(0, 0, 0);

  /** The sum of both. */
  public UpdateSpace plus(UpdateSpace other) {
    return new UpdateSpace(
        overlayBytes + other.overlayBytes,
        reservedBytes + other.reservedBytes,
        reservedUsedBytes + other.reservedUsedBytes);
  }
}

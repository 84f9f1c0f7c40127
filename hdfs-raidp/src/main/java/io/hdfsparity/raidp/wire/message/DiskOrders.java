/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.wire.message;

import java.util.List;

/**
 * What the manager says of a node's disks.
 *
 * @param failedIds disks that an administrator declared failed
 * @param unneededIds disks out of service that nothing depends on any more: each of their
 *     superchunks has two sides elsewhere, with all its blocks. Their Lstors decode nothing
 */
public record DiskOrders(List<String> failedIds, List<String> unneededIds) {
  public static final DiskOrders NONE = new DiskOrders(List.of(), List.of());

  public DiskOrders {
    failedIds = List.copyOf(failedIds);
    unneededIds = List.copyOf(unneededIds);
  }
}

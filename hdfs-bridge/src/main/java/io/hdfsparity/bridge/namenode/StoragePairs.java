/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.namenode;

import java.util.Collection;
import java.util.function.BiPredicate;

/** Looks for a pair among the storages of a block. Stateless. */
public final class StoragePairs {
  private StoragePairs() {}

  /**
   * Whether two of these storages make a pair.
   *
   * @param storageIds of a block's replicas
   * @param arePartners whether two storages, by id, are the two of a pair
   */
  public static boolean haveOne(
      Collection<String> storageIds, BiPredicate<String, String> arePartners) {
    return storageIds.stream()
        .anyMatch(one -> storageIds.stream().anyMatch(other -> arePartners.test(one, other)));
  }
}

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.ajx;

import io.hdfsparity.core.check.Checks;

/**
 * One cell of a replica: a block of a stripe as AJX sees it.
 *
 * @param stripe index of the stripe in its block group, from 0
 */
public record SlotKey(ReplicaKey replica, int stripe) {
  public SlotKey {
    Checks.argument(stripe >= 0, "name a slot", "stripe", stripe, ">= 0");
  }

  @Override
  public String toString() {
    return replica + "#" + stripe;
  }
}

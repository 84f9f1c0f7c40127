/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.status;

/** An erasure coding policy that is enabled. Immutable. */
public record EnabledPolicy(String name, String codec, int dataUnits, int parityUnits) {
  /** Units of a block group. */
  public int width() {
    return dataUnits + parityUnits;
  }
}

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.updater;

/**
 * A stripe of a file.
 *
 * @param group index of its block group
 * @param stripe index in the group
 */
record StripeKey(int group, int stripe) {
  @Override
  public String toString() {
    return "stripe " + stripe + " of group " + group;
  }
}

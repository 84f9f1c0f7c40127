/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.adoption;

/** A number of files or blocks, and the bytes in them, once each. */
public record Tally(long count, long bytes) {
  static final Tally NONE = new Tally(0, 0);

  Tally plus(long moreBytes) {
    return new Tally(count + 1, bytes + moreBytes);
  }
}

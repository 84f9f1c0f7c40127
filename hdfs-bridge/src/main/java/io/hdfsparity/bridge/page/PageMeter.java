/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.page;

/**
 * Work that has an end. Everybody may see it.
 *
 * @param done of total, in bytes or another unit; from 0 to total
 * @param text how far it is, in words
 */
public record PageMeter(String label, long done, long total, String text) {
  /**
   * @throws IllegalArgumentException when a count is out of range
   */
  public PageMeter {
    if (done < 0 || total < done) {
      throw new IllegalArgumentException(
          "Cannot show progress: done="
              + done
              + ", total="
              + total
              + ", expected 0 <= done <= total");
    }
  }

  /** From 0 to 100; 100 where there is nothing to do. */
  public int percent() {
    return total == 0 ? 100 : (int) (100.0 * done / total);
  }
}

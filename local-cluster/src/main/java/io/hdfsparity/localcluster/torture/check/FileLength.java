/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.torture.check;

import java.util.OptionalLong;

/**
 * What a read of a file has found, as the value of an operation: {@code 4096}, or {@code 4096!17}
 * if the first wrong byte is at 17.
 *
 * @param bytes length that was read
 * @param wrongAt place of the first byte that differs from what was written, if any
 */
public record FileLength(long bytes, OptionalLong wrongAt) {
  /**
   * Parses {@link #toString}.
   *
   * @throws NumberFormatException if it is none
   */
  static FileLength parse(String text) {
    int mark = text.indexOf('!');
    return mark < 0
        ? new FileLength(Long.parseLong(text), OptionalLong.empty())
        : new FileLength(
            Long.parseLong(text.substring(0, mark)),
            OptionalLong.of(Long.parseLong(text.substring(mark + 1))));
  }

  @Override
  public String toString() {
    return wrongAt.isPresent() ? bytes + "!" + wrongAt.getAsLong() : String.valueOf(bytes);
  }
}

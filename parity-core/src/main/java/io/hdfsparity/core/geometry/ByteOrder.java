/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.core.geometry;

/**
 * Where the bytes of a file are stored that is kept in another order than its own. Both orders have
 * the same length; no two bytes are in one place. Pure, thread-safe.
 */
public interface ByteOrder {
  /** Every byte is stored where it belongs. */
  ByteOrder OWN =
      new ByteOrder() {
        @Override
        public long stored(long position) {
          return position;
        }

        @Override
        public long run(long position) {
          return Long.MAX_VALUE - position;
        }
      };

  /**
   * Where a byte is stored.
   *
   * @param position in the file's own order, inside the file
   */
  long stored(long position);

  /**
   * How many bytes from a position on, itself included, follow each other in both orders: at least
   * one, and perhaps more than the file has.
   */
  long run(long position);
}

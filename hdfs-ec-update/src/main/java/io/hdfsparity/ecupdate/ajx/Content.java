/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.ajx;

/**
 * The bytes of one block of a stripe, wherever they are kept. Called by one {@link SlotMachine},
 * under whatever lock guards that.
 */
public interface Content {
  /** Length of the block in bytes; does not change. */
  int length();

  /** Bytes as all changes so far left them. */
  Bytes read(int offset, int lengthBytes);

  /** Replaces bytes. */
  void overwrite(Patch patch);

  /** Adds, in GF(2^8), to the bytes that are there. */
  void add(Patch delta);
}

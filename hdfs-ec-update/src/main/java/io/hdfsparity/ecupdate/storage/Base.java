/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.storage;

/** The bytes under an overlay: the replica's file. Guarded by whatever guards the overlay. */
interface Base {
  /** Length in bytes; does not change. */
  int length();

  /** Fills {@code into} from a place. */
  void read(int offset, byte[] into);

  /** Replaces bytes. Doing it twice is the same as once. */
  void write(int offset, byte[] bytes);
}

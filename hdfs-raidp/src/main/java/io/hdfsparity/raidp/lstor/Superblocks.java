/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.lstor;

import io.hdfsparity.core.store.ByteStore;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * The two copies of the header.
 *
 * <p>Invariant: a copy is written only when the other one is valid and durable, so a crash tears at
 * most one.
 */
final class Superblocks {
  private final ByteStore store;
  private final boolean copyLost;
  private Superblock current;

  private Superblocks(ByteStore store, Superblock current, boolean copyLost) {
    this.store = store;
    this.current = current;
    this.copyLost = copyLost;
  }

  /** Reads both copies and takes the newest valid one. */
  static Superblocks read(ByteStore store) throws IOException {
    if (store.sizeBytes() < (long) LstorFormat.SUPERBLOCKS * LstorFormat.SUPERBLOCK_BYTES) {
      throw new LstorException.NotAnLstor(
          "Cannot open Lstor: size="
              + store.sizeBytes()
              + ", expected at least "
              + LstorFormat.SUPERBLOCKS * LstorFormat.SUPERBLOCK_BYTES
              + " bytes");
    }
    ByteBuffer a = readCopy(store, 0);
    ByteBuffer b = readCopy(store, 1);
    Superblock.Status statusA = Superblock.judge(a);
    Superblock.Status statusB = Superblock.judge(b);
    refuseOtherVersions(statusA, a);
    refuseOtherVersions(statusB, b);
    boolean validA = statusA == Superblock.Status.VALID;
    boolean validB = statusB == Superblock.Status.VALID;
    if (!validA && !validB) {
      if (statusA == Superblock.Status.FOREIGN && statusB == Superblock.Status.FOREIGN) {
        throw new LstorException.NotAnLstor(
            "Cannot open Lstor: magic="
                + Long.toHexString(a.getLong(0))
                + ", expected "
                + Long.toHexString(LstorFormat.MAGIC)
                + ", offset=0");
      }
      throw new LstorException.CorruptHeader(
          "Cannot open Lstor: superblockA="
              + statusA
              + " superblockB="
              + statusB
              + ", expected a right CRC in at least one, offset=0");
    }
    boolean takeA =
        validA
            && (!validB || a.getLong(LstorFormat.SB_SEQUENCE) > b.getLong(LstorFormat.SB_SEQUENCE));
    Superblock newest = Superblock.decode(takeA ? a : b);
    if ((newest.sequence() & 1) != (takeA ? 0 : 1)) {
      throw new LstorException.CorruptHeader(
          "Cannot open Lstor: sequence="
              + newest.sequence()
              + ", expected an "
              + (takeA ? "even" : "odd")
              + " one, offset="
              + (takeA ? 0 : LstorFormat.SUPERBLOCK_BYTES));
    }
    if (store.sizeBytes() < newest.layout().fileBytes()) {
      throw new LstorException.NotAnLstor(
          "Cannot open Lstor: size="
              + store.sizeBytes()
              + ", expected "
              + newest.layout().fileBytes()
              + " bytes as the header says: the file was cut");
    }
    return new Superblocks(store, newest, !validA || !validB);
  }

  /** Writes both copies of a fresh Lstor and makes them durable. */
  static void writeFirst(ByteStore store, Superblock first) throws IOException {
    store.write(first.offset(), first.encode());
    Superblock second = first.next(first.checkpoint());
    store.write(second.offset(), second.encode());
    store.sync(0, (long) LstorFormat.SUPERBLOCKS * LstorFormat.SUPERBLOCK_BYTES);
  }

  Superblock current() {
    return current;
  }

  /** Whether one of the copies was unreadable at open: torn by a crash, or damaged later. */
  boolean copyLost() {
    return copyLost;
  }

  /** Makes a new checkpoint durable, in the place of the older copy. */
  void advance(long checkpoint) throws IOException {
    Superblock next = current.next(checkpoint);
    store.write(next.offset(), next.encode());
    store.sync(next.offset(), LstorFormat.SUPERBLOCK_BYTES);
    current = next;
  }

  static ByteBuffer readCopy(ByteStore store, int index) throws IOException {
    ByteBuffer copy = ByteBuffer.allocateDirect(LstorFormat.SUPERBLOCK_BYTES);
    store.read((long) index * LstorFormat.SUPERBLOCK_BYTES, copy);
    return copy.clear();
  }

  private static void refuseOtherVersions(Superblock.Status status, ByteBuffer copy)
      throws LstorException {
    String message =
        "Cannot open Lstor: version="
            + copy.getInt(LstorFormat.SB_VERSION)
            + ", expected "
            + LstorFormat.OLDEST_VERSION
            + ".."
            + LstorFormat.VERSION
            + ", offset="
            + LstorFormat.SB_VERSION;
    if (status == Superblock.Status.TOO_OLD) {
      throw new LstorException.TooOld(message);
    } else if (status == Superblock.Status.TOO_NEW) {
      throw new LstorException.TooNew(message);
    }
  }
}

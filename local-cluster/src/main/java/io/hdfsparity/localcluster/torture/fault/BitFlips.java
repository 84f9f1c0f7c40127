/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.torture.fault;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Single bits of a DataNode's finalized replicas that are flipped, behind its back and not in the
 * checksums, and flipped back later where they still are. The DataNode must be stopped meanwhile.
 * Bytes whose stored checksum does not fit are left alone. Used by one thread.
 */
final class BitFlips {
  /** One bit at most is flipped in each piece of so many bytes. */
  private static final int PIECE_BYTES = 4096;

  private static final int ONE_BLOCK_IN = 2;
  private static final int ONE_PIECE_IN = 4;

  private final List<Path> storages;
  private final List<Flip> flips = new ArrayList<>();

  private record Flip(Path storage, String block, long offset, int bit) {}

  private BitFlips(List<Path> storages) {
    this.storages = List.copyOf(storages);
  }

  /**
   * Flips.
   *
   * @param storages the entries of {@code dfs.datanode.data.dir}
   * @param random what decides which
   * @throws IOException if a file cannot be changed; the others may be
   */
  static BitFlips make(List<Path> storages, SplittableRandom random) throws IOException {
    BitFlips made = new BitFlips(storages);
    for (Path storage : made.storages) {
      for (Map.Entry<String, StoredBlock> entry : StoredBlock.in(storage).entrySet()) {
        if (random.nextInt(ONE_BLOCK_IN) == 0 && entry.getValue().isFinalized()) {
          made.flip(storage, entry.getKey(), entry.getValue(), random);
        }
      }
    }
    return made;
  }

  private void flip(Path storage, String name, StoredBlock block, SplittableRandom random)
      throws IOException {
    long lengthBytes = block.lengthBytes();
    for (long piece = 0; piece < lengthBytes; piece += PIECE_BYTES) {
      if (random.nextInt(ONE_PIECE_IN) == 0) {
        long offset = piece + random.nextLong(Math.min(PIECE_BYTES, lengthBytes - piece));
        int bit = random.nextInt(Byte.SIZE);
        if (block.matches(offset)) {
          block.flip(offset, bit);
          flips.add(new Flip(storage, name, offset, bit));
        }
      }
    }
  }

  /** Number of bits. */
  int count() {
    return flips.size();
  }

  /** Number of replicas with such bits. */
  long blocks() {
    return flips.stream().map(Flip::block).distinct().count();
  }

  /**
   * Flips back all bits that are still flipped: where the replica is there, the checksum of the
   * bytes does not fit, and does then. All others were written over, or HDFS has deleted or
   * replaced the replica.
   *
   * @return how many
   */
  int restore() throws IOException {
    Map<Path, Map<String, StoredBlock>> all = new HashMap<>();
    for (Path storage : storages) {
      all.put(storage, StoredBlock.in(storage));
    }
    int restored = 0;
    for (Flip flip : flips) {
      StoredBlock block = all.get(flip.storage()).get(flip.block());
      if (block != null && restore(block, flip)) {
        restored++;
      }
    }
    return restored;
  }

  private static boolean restore(StoredBlock block, Flip flip) throws IOException {
    if (flip.offset() >= block.lengthBytes() || block.matches(flip.offset())) {
      return false;
    }
    block.flip(flip.offset(), flip.bit());
    if (block.matches(flip.offset())) {
      return true;
    }
    block.flip(flip.offset(), flip.bit());
    return false;
  }
}

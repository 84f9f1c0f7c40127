/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.recovery;

import io.hdfsparity.raidp.lstor.ParityKind;
import io.hdfsparity.raidp.lstor.SlotEntry;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A dead disk during a decode: its sources, its index, and what has been learnt about them.
 * Thread-safe.
 *
 * <p>A contributor that failed once is not asked again, so that a dead mirror costs one time limit
 * a block and not one a chunk; a contributor that was itself decoded is served from its recovered
 * bytes.
 */
final class DecodeSource {
  private final DeadDisk disk;
  private final RowIndex index;
  private final AtomicLong decodedBytes = new AtomicLong();
  private final AtomicLong assignedBytes = new AtomicLong();
  private final Map<SlotEntry, String> unavailable = new ConcurrentHashMap<>();
  private final Map<SlotEntry, VerifiedBlock> peeled = new ConcurrentHashMap<>();

  DecodeSource(DeadDisk disk) throws IOException {
    this.disk = disk;
    this.index = new RowIndex(disk.parity());
  }

  String diskId() {
    return disk.parity().diskId();
  }

  int lostFrame() {
    return disk.lostFrame();
  }

  /** Rows of a block, at most one in each frame. */
  List<SlotEntry> rows(long blockId) {
    return index.rows(blockId);
  }

  ChunkPlan plan(SlotEntry row, ParityKind kind, long position, int lengthBytes) {
    return ChunkPlan.of(index, disk.parity().geometry(), row, kind, position, lengthBytes);
  }

  void readParity(ParityKind kind, long position, ByteBuffer dst) throws IOException {
    disk.parity().readParity(kind, position, dst);
  }

  void readImage(SlotEntry row, ParityKind kind, long position, ByteBuffer dst) throws IOException {
    VerifiedBlock recovered = peeled.get(row);
    if (recovered != null) {
      recovered.read(kind, position, dst);
      return;
    }
    String reason = unavailable.get(row);
    if (reason != null) {
      throw new IOException(reason);
    }
    try {
      disk.mirrors().readImage(row, kind, position, dst);
    } catch (IOException e) {
      unavailable.putIfAbsent(row, String.valueOf(e.getMessage()));
      throw e;
    }
  }

  /** Serves a contributor from now on from its own recovered bytes. */
  void providePeeled(SlotEntry row, VerifiedBlock block) {
    peeled.put(row, block);
  }

  @Nullable VerifiedBlock peeled(SlotEntry row) {
    return peeled.get(row);
  }

  /** Bytes of recovered data that were given to this Lstor to decode. */
  AtomicLong assignedBytes() {
    return assignedBytes;
  }

  /** Bytes of recovered data that this Lstor gave and that proved right. */
  AtomicLong decodedBytes() {
    return decodedBytes;
  }
}

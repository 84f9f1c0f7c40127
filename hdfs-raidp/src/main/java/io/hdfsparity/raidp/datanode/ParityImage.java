/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.datanode;

import io.hdfsparity.core.gf.Gf256;
import io.hdfsparity.core.gf.Kernel;
import io.hdfsparity.core.gf.Kernels;
import io.hdfsparity.raidp.lstor.BlockImage;
import io.hdfsparity.raidp.lstor.Extents;
import io.hdfsparity.raidp.lstor.Extents.Segment;
import io.hdfsparity.raidp.lstor.Lstor;
import io.hdfsparity.raidp.lstor.ParityKind;
import io.hdfsparity.raidp.lstor.Run;
import io.hdfsparity.raidp.lstor.SlotEntry;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * The image of a row as the disk's own parity knows it: the parity without the images of all other
 * rows at the same units, divided by the row's coefficient. For a block of which both replicas are
 * damaged [3.2, but with both disks alive].
 *
 * <p>What it gives is decoded, not verified: the caller checks the data against the CRCs that are
 * decoded with them. Thread-safety: one thread at a time.
 */
final class ParityImage implements BlockImage {
  private static final int ATTEMPTS = 10;

  private final DiskEngine disk;
  private final SlotEntry row;
  private final Lstor lstor;
  private final Kernel kernel = Kernels.best();

  ParityImage(DiskEngine disk, SlotEntry row) {
    this.disk = disk;
    this.row = row;
    this.lstor = disk.lstor();
  }

  @Override
  public void readData(long position, ByteBuffer dst) throws IOException {
    read(ParityKind.DATA, lstor.geometry().unitBytes(), position, dst);
  }

  @Override
  public void readMeta(long prefixBytes, long position, ByteBuffer dst) throws IOException {
    if (prefixBytes != row.coveredBytes()) {
      throw new IllegalArgumentException(
          "Cannot decode checksums: prefix="
              + prefixBytes
              + ", expected the covered one "
              + row.coveredBytes());
    }
    read(ParityKind.META, lstor.geometry().metaBytesPerUnit(), position, dst);
  }

  private void read(ParityKind kind, int bytesPerUnit, long position, ByteBuffer dst)
      throws IOException {
    for (Segment segment : Extents.segments(row.runs(), bytesPerUnit, position, dst.remaining())) {
      decode(kind, bytesPerUnit, segment, dst);
    }
  }

  private void decode(ParityKind kind, int bytesPerUnit, Segment segment, ByteBuffer dst)
      throws IOException {
    int firstUnit = (int) (segment.regionOffset() / bytesPerUnit);
    int lastUnit = (int) ((segment.regionOffset() + segment.lengthBytes() - 1) / bytesPerUnit);
    List<Integer> units = IntStream.rangeClosed(firstUnit, lastUnit).boxed().toList();
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      Set<SlotEntry> rows = new HashSet<>(lstor.entriesOn(units));
      ByteBuffer decoded = ByteBuffer.allocate(segment.lengthBytes());
      lstor.readParity(kind, segment.regionOffset(), decoded);
      decoded.flip();
      for (SlotEntry other : rows) {
        if (other.frameIndex() != row.frameIndex() || other.blockId() != row.blockId()) {
          takeOut(other, kind, bytesPerUnit, segment, decoded);
        }
      }
      if (!rows.contains(row)) {
        break;
      }
      if (rows.equals(new HashSet<>(lstor.entriesOn(units)))) {
        put(decoded.clear(), dst);
        return;
      }
    }
    throw new IOException(
        "Cannot decode block from parity: block="
            + row.blockId()
            + " units="
            + firstUnit
            + ".."
            + lastUnit
            + ", expected their rows to stand still for a moment, disk="
            + disk.diskId());
  }

  private void put(ByteBuffer multiplied, ByteBuffer dst) {
    ByteBuffer image = ByteBuffer.allocate(multiplied.remaining());
    kernel.multiplyAdd(Gf256.inverse(row.coefficient()), multiplied, image);
    dst.put(image);
  }

  /** Takes out what another row has in the segment. */
  private void takeOut(
      SlotEntry other, ParityKind kind, int bytesPerUnit, Segment segment, ByteBuffer decoded)
      throws IOException {
    long covered = kind == ParityKind.DATA ? other.coveredBytes() : other.coveredMetaBytes();
    long segmentEnd = segment.regionOffset() + segment.lengthBytes();
    long logical = 0;
    try (RowImage image = new RowImage(disk.frame(other.frameIndex()), other)) {
      for (Run run : other.runs()) {
        long runStart = (long) run.start() * bytesPerUnit;
        long from = Math.max(runStart, segment.regionOffset());
        long position = logical + from - runStart;
        long to = Math.min((long) run.end() * bytesPerUnit, segmentEnd);
        int count = (int) Math.min(to - from, covered - position);
        if (count > 0) {
          ByteBuffer bytes = ByteBuffer.allocate(count);
          if (kind == ParityKind.DATA) {
            image.readData(position, bytes);
          } else {
            image.readMeta(other.coveredBytes(), position, bytes);
          }
          kernel.multiplyAdd(
              other.coefficient(),
              bytes.flip(),
              decoded.slice((int) (from - segment.regionOffset()), count));
        }
        logical += (long) run.count() * bytesPerUnit;
      }
    }
  }
}

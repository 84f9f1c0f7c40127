/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.lstord;

import io.hdfsparity.core.store.Allocation;
import io.hdfsparity.core.store.FileByteStore;
import io.hdfsparity.raidp.lstor.BlockImage;
import io.hdfsparity.raidp.lstor.ChecksumSpec;
import io.hdfsparity.raidp.lstor.FrameRow;
import io.hdfsparity.raidp.lstor.Lstor;
import io.hdfsparity.raidp.lstor.LstorExpectation;
import io.hdfsparity.raidp.lstor.LstorGeometry;
import io.hdfsparity.raidp.lstor.LstorIdentity;
import io.hdfsparity.raidp.lstor.ParityKind;
import io.hdfsparity.raidp.lstor.SlotCause;
import io.hdfsparity.raidp.lstor.SlotEntry;
import io.hdfsparity.raidp.lstor.SlotState;
import io.hdfsparity.raidp.recovery.SimCluster;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** Makes real Lstor files of the dumb twin's disks. */
public final class SimLstors {
  public static final String CLUSTER = "CID-test";
  private static final long JOURNAL_BYTES = 4 << 20;
  private static final int MAX_ENTRIES = 512;

  private SimLstors() {}

  public static Path file(Path dir, String diskId) {
    return dir.resolve("lstor-" + diskId);
  }

  public static String storageId(SimCluster.Disk disk, int frame) {
    return "DS-" + disk.id + "-" + frame;
  }

  /** Formats an Lstor without rows. */
  public static Path format(Path dir, String diskId, LstorGeometry geometry) throws IOException {
    Path file = file(dir, diskId);
    long bytes = Lstor.requiredBytes(geometry, JOURNAL_BYTES, MAX_ENTRIES);
    try (FileByteStore store = FileByteStore.create(file, bytes, Allocation.SPARSE)) {
      Lstor.format(
          store,
          geometry,
          new LstorIdentity(CLUSTER, diskId, "node-of-" + diskId),
          JOURNAL_BYTES,
          MAX_ENTRIES);
    }
    return file;
  }

  public static Lstor open(Path dir, String diskId) throws IOException {
    return Lstor.open(FileByteStore.open(file(dir, diskId)), new LstorExpectation(CLUSTER, diskId));
  }

  /** Formats an Lstor and covers all rows of a disk. */
  public static Path fill(Path dir, SimCluster cluster, SimCluster.Disk disk) throws IOException {
    Path file = format(dir, disk.id, cluster.geometry);
    try (Lstor lstor = open(dir, disk.id)) {
      for (int frame = 0; frame < disk.frames.length; frame++) {
        SimCluster.Superchunk superchunk = disk.frames[frame];
        if (superchunk != null) {
          SimCluster.Disk other = superchunk.other(disk);
          lstor.setFrame(
              new FrameRow(
                  frame,
                  storageId(disk, frame),
                  cluster.superchunks.indexOf(superchunk),
                  1,
                  storageId(other, superchunk.frameOn(other)),
                  "node-of-" + other.id,
                  superchunk.coefficientOn(disk)));
        }
      }
      for (SlotEntry row : disk.rows) {
        cover(lstor, cluster, row);
        if (row.state() == SlotState.LIMBO) {
          lstor.apply(row.frameIndex(), row.blockId(), SlotCause.DELETED);
        }
      }
    }
    return file;
  }

  /** Takes the Lstor from its daemon as a DataNode does, covers further rows, and gives it back. */
  public static void coverAsDataNode(
      Path dir, SimCluster cluster, SimCluster.Disk disk, List<SlotEntry> rows) throws IOException {
    try (LstorLock lock = LstorLock.acquire(file(dir, disk.id), "DataNode", 120_000);
        Lstor lstor = open(dir, disk.id)) {
      for (SlotEntry row : rows) {
        cover(lstor, cluster, row);
      }
    }
  }

  private static void cover(Lstor lstor, SimCluster cluster, SlotEntry row) throws IOException {
    lstor.reserve(row.frameIndex(), row.blockId(), row.runs(), row.generationStamp());
    if (row.metaCovered()) {
      lstor.setCoverage(
          row.frameIndex(),
          row.blockId(),
          row.generationStamp(),
          new ChecksumSpec(row.checksumTypeId(), row.bytesPerChecksum()),
          row.coveredBytes(),
          image(cluster, row));
    }
  }

  private static BlockImage image(SimCluster cluster, SlotEntry row) {
    byte[] data = cluster.image(ParityKind.DATA, row);
    return new BlockImage() {
      @Override
      public void readData(long position, ByteBuffer dst) {
        dst.put(data, (int) position, dst.remaining());
      }

      @Override
      public void readMeta(long prefixBytes, long position, ByteBuffer dst) {
        byte[] meta = SimCluster.checksumFile(row, Arrays.copyOf(data, (int) prefixBytes));
        dst.put(meta, (int) position, dst.remaining());
      }
    };
  }
}

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.recovery;

import io.hdfsparity.core.gf.Gf256;
import io.hdfsparity.raidp.lstor.LstorGeometry;
import io.hdfsparity.raidp.lstor.ParityKind;
import io.hdfsparity.raidp.lstor.Run;
import io.hdfsparity.raidp.lstor.SlotCoverage;
import io.hdfsparity.raidp.lstor.SlotEntry;
import io.hdfsparity.raidp.lstor.SlotState;
import io.hdfsparity.raidp.lstor.SlotStatus;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;
import java.util.zip.Checksum;

/**
 * The dumb twin: disks, frames, superchunks and blocks in plain arrays; the parity is added up byte
 * by byte from what the rows claim. Faults can be switched on per image.
 */
public final class SimCluster {
  public static final int FIRST_GS = 1000;

  public final LstorGeometry geometry;
  public final Random random;
  public final List<Disk> disks = new ArrayList<>();
  public final List<Superchunk> superchunks = new ArrayList<>();

  /** Content of a block under a generation stamp. */
  public final Map<Long, Map<Long, byte[]>> contents = new HashMap<>();

  /** Images that no mirror serves: disk id + block id. */
  public final Set<String> unavailable = Collections.synchronizedSet(new HashSet<>());

  /** Images of which a mirror serves wrong bytes. */
  public final Set<String> corrupt = Collections.synchronizedSet(new HashSet<>());

  public final Set<String> deadLstors = new HashSet<>();
  public final AtomicLong bytesRead = new AtomicLong();
  private long nextBlock = 1;

  /** A pair of frames; the images of one side are multiplied by 2, unless both are 1. */
  public record Superchunk(
      Disk a, int frameA, int coefficientA, Disk b, int frameB, int coefficientB) {

    public int frameOn(Disk disk) {
      return disk == a ? frameA : frameB;
    }

    public int coefficientOn(Disk disk) {
      return disk == a ? coefficientA : coefficientB;
    }

    public Disk other(Disk disk) {
      return disk == a ? b : a;
    }
  }

  /** A disk with its Lstor. */
  public final class Disk {
    public final String id;
    public final List<SlotEntry> rows = new ArrayList<>();
    public final Superchunk[] frames = new Superchunk[geometry.frames()];
    public byte[] dataParity = new byte[0];
    public byte[] metaParity = new byte[0];

    Disk(String id) {
      this.id = id;
    }

    public ParitySource paritySource() {
      return new ParitySource() {
        @Override
        public String diskId() {
          return id;
        }

        @Override
        public LstorGeometry geometry() {
          return geometry;
        }

        @Override
        public List<SlotEntry> rows() {
          return List.copyOf(rows);
        }

        @Override
        public void readParity(ParityKind kind, long position, ByteBuffer dst) throws IOException {
          if (deadLstors.contains(id)) {
            throw new IOException("Lstor is gone");
          }
          bytesRead.addAndGet(dst.remaining());
          dst.put(
              kind == ParityKind.DATA ? dataParity : metaParity, (int) position, dst.remaining());
        }

        @Override
        public void requireUnchanged() {
          // Nobody changes it.
        }
      };
    }

    /** Mirrors of this disk's blocks, as long as the disk with the mirror frame lives. */
    public MirrorSource mirrorSource(Set<Disk> dead) {
      return (row, kind, position, dst) -> {
        String key = key(this, row.blockId());
        Superchunk superchunk = frames[row.frameIndex()];
        if (dead.contains(superchunk.other(this)) || unavailable.contains(key)) {
          throw new IOException("no mirror serves block " + row.blockId());
        }
        byte[] image = image(kind, row);
        bytesRead.addAndGet(dst.remaining());
        int at = dst.position();
        dst.put(image, (int) position, dst.remaining());
        if (corrupt.contains(key) && at < dst.position()) {
          dst.put(at, (byte) (dst.get(at) ^ 0x41));
        }
      };
    }

    public DeadDisk dead(Set<Disk> dead, int lostFrame) {
      return new DeadDisk(paritySource(), mirrorSource(dead), lostFrame);
    }
  }

  public static String key(Disk holder, long blockId) {
    return holder.id + "/" + blockId;
  }

  public SimCluster(Random random, LstorGeometry geometry) {
    this.random = random;
    this.geometry = geometry;
  }

  public Disk addDisk() {
    Disk disk = new Disk("disk-" + disks.size());
    disks.add(disk);
    return disk;
  }

  /** Pairs the next free frames of two disks. */
  public Superchunk pair(Disk a, Disk b) {
    return random.nextBoolean() ? pair(a, 1, b, 2) : pair(a, 2, b, 1);
  }

  /** Pairs the next free frames of two disks, whose images get these coefficients. */
  public Superchunk pair(Disk a, int coefficientA, Disk b, int coefficientB) {
    Superchunk superchunk =
        new Superchunk(a, freeFrame(a), coefficientA, b, freeFrame(b), coefficientB);
    a.frames[superchunk.frameA()] = superchunk;
    b.frames[superchunk.frameB()] = superchunk;
    superchunks.add(superchunk);
    return superchunk;
  }

  private static int freeFrame(Disk disk) {
    for (int i = 0; i < disk.frames.length; i++) {
      if (disk.frames[i] == null) {
        return i;
      }
    }
    throw new IllegalStateException("no free frame on " + disk.id);
  }

  /** Makes a superchunk of two disks. */
  public interface Pairer {
    Superchunk pair(SimCluster cluster, Disk a, Disk b);
  }

  /** Every pair of disks shares one superchunk; one side of each, at random, is multiplied by 2. */
  public static SimCluster full(Random random, LstorGeometry geometry, int diskCount) {
    return full(random, geometry, diskCount, SimCluster::pair);
  }

  /** As above, with plain XOR as in the paper. */
  public static SimCluster fullByXor(Random random, LstorGeometry geometry, int diskCount) {
    return full(random, geometry, diskCount, (cluster, a, b) -> cluster.pair(a, 1, b, 1));
  }

  /** Every pair of disks shares one superchunk. */
  public static SimCluster full(
      Random random, LstorGeometry geometry, int diskCount, Pairer pairer) {
    SimCluster cluster = new SimCluster(random, geometry);
    for (int i = 0; i < diskCount; i++) {
      cluster.addDisk();
    }
    for (int i = 0; i < diskCount; i++) {
      for (int j = i + 1; j < diskCount; j++) {
        pairer.pair(cluster, cluster.disks.get(i), cluster.disks.get(j));
      }
    }
    return cluster;
  }

  /** Fills superchunks with blocks at random extents; some rows lag behind, some are in limbo. */
  public void fill(double share, boolean skew) {
    for (Superchunk superchunk : superchunks) {
      List<Integer> free = new ArrayList<>();
      for (int unit = 0; unit < geometry.unitsPerFrame(); unit++) {
        free.add(unit);
      }
      if (random.nextInt(3) == 0) {
        Collections.shuffle(free, random);
      }
      int keep = (int) (geometry.unitsPerFrame() * (1 - share));
      while (free.size() > keep) {
        int units = Math.min(free.size(), 1 + random.nextInt(Math.min(6, SlotEntry.MAX_RUNS)));
        List<Run> runs = new ArrayList<>();
        for (int i = 0; i < units; i++) {
          runs.add(new Run(free.remove(0), 1));
        }
        addBlock(superchunk, runs, randomLength(units), skew);
      }
    }
    computeParity();
  }

  private long randomLength(int units) {
    long most = (long) units * geometry.unitBytes();
    switch (random.nextInt(8)) {
      case 0:
        return most;
      case 1:
        return 0;
      case 2:
        return Math.min(most, 1 + random.nextInt(600));
      default:
        return (long) (random.nextDouble() * (most + 1));
    }
  }

  public long addBlock(Superchunk superchunk, List<Run> runs, long length, boolean skew) {
    long blockId = nextBlock++;
    int bytesPerChecksum = List.of(512, 512, 512, 1000, 4096, 65536).get(random.nextInt(6));
    int type = 1 + random.nextInt(2);
    Map<Long, byte[]> versions = new HashMap<>();
    contents.put(blockId, versions);
    long gs = FIRST_GS + random.nextInt(5);
    byte[] content = new byte[(int) length];
    random.nextBytes(content);
    versions.put(gs, content);
    SlotEntry a =
        row(
            superchunk.frameA(),
            blockId,
            gs,
            runs,
            length,
            true,
            type,
            bytesPerChecksum,
            SlotState.LIVE);
    SlotEntry b =
        row(
            superchunk.frameB(),
            blockId,
            gs,
            runs,
            length,
            true,
            type,
            bytesPerChecksum,
            SlotState.LIVE);
    if (skew) {
      a = skewed(a, versions);
      b = skewed(b, versions);
    }
    superchunk.a().rows.add(times(superchunk.coefficientA(), a));
    superchunk.b().rows.add(times(superchunk.coefficientB(), b));
    return blockId;
  }

  /**
   * A row whose side lags: less covered, nothing covered, deleted, or still under the stamp before
   * an append or truncate.
   */
  private SlotEntry skewed(SlotEntry row, Map<Long, byte[]> versions) {
    int what = random.nextInt(12);
    if (what == 0) {
      return row(
          row.frameIndex(),
          row.blockId(),
          row.generationStamp(),
          row.runs(),
          0,
          false,
          row.checksumTypeId(),
          row.bytesPerChecksum(),
          SlotState.RESERVED);
    } else if (what == 1) {
      return row(
          row.frameIndex(),
          row.blockId(),
          row.generationStamp(),
          row.runs(),
          row.coveredBytes(),
          true,
          row.checksumTypeId(),
          row.bytesPerChecksum(),
          SlotState.LIMBO);
    } else if (what == 2) {
      return row(
          row.frameIndex(),
          row.blockId(),
          row.generationStamp(),
          row.runs(),
          (long) (random.nextDouble() * row.coveredBytes()),
          true,
          row.checksumTypeId(),
          row.bytesPerChecksum(),
          SlotState.LIVE);
    } else if (what == 3) {
      long older = row.generationStamp() - 1;
      byte[] now = versions.get(row.generationStamp());
      byte[] before = Arrays.copyOf(now, (int) (random.nextDouble() * now.length));
      if (before.length > 0 && random.nextBoolean()) {
        before[before.length - 1] ^= 0x11;
      }
      byte[] known = versions.putIfAbsent(older, before);
      return row(
          row.frameIndex(),
          row.blockId(),
          older,
          row.runs(),
          known == null ? before.length : known.length,
          true,
          row.checksumTypeId(),
          row.bytesPerChecksum(),
          SlotState.LIVE);
    }
    return row;
  }

  private static SlotEntry times(int coefficient, SlotEntry row) {
    SlotCoverage old = row.coverage();
    return new SlotEntry(
        row.frameIndex(),
        row.blockId(),
        row.generationStamp(),
        row.runs(),
        new SlotCoverage(
            old.bytes(),
            old.hasChecksums(),
            old.checksumTypeId(),
            old.bytesPerChecksum(),
            coefficient),
        row.status());
  }

  public static SlotEntry row(
      int frame,
      long blockId,
      long gs,
      List<Run> runs,
      long covered,
      boolean metaCovered,
      int type,
      int bytesPerChecksum,
      SlotState state) {
    return new SlotEntry(
        frame,
        blockId,
        gs,
        runs,
        new SlotCoverage(covered, metaCovered, type, bytesPerChecksum, 1),
        new SlotStatus(state, false, false));
  }

  /** The covered image that a row claims. */
  public byte[] image(ParityKind kind, SlotEntry row) {
    byte[] data =
        Arrays.copyOf(
            contents.get(row.blockId()).get(row.generationStamp()), (int) row.coveredBytes());
    return kind == ParityKind.DATA
        ? data
        : row.metaCovered() ? checksumFile(row, data) : new byte[0];
  }

  public static byte[] checksumFile(SlotEntry row, byte[] data) {
    int chunk = row.bytesPerChecksum();
    int chunks = (data.length + chunk - 1) / chunk;
    ByteBuffer out = ByteBuffer.allocate(7 + 4 * chunks);
    out.putShort((short) 1).put((byte) row.checksumTypeId()).putInt(chunk);
    for (int i = 0; i < chunks; i++) {
      Checksum checksum = row.checksumTypeId() == 1 ? new CRC32() : new CRC32C();
      checksum.update(data, i * chunk, Math.min(chunk, data.length - i * chunk));
      out.putInt((int) checksum.getValue());
    }
    return out.array();
  }

  public void computeParity() {
    for (Disk disk : disks) {
      disk.dataParity = parity(disk, ParityKind.DATA, geometry.unitBytes());
      disk.metaParity = parity(disk, ParityKind.META, geometry.metaBytesPerUnit());
    }
  }

  private byte[] parity(Disk disk, ParityKind kind, int perUnit) {
    byte[] parity = new byte[geometry.unitsPerFrame() * perUnit];
    for (SlotEntry row : disk.rows) {
      byte[] image = image(kind, row);
      int at = 0;
      for (Run run : row.runs()) {
        for (int unit = run.start(); unit < run.end(); unit++) {
          for (int i = 0; i < perUnit && at < image.length; i++) {
            parity[unit * perUnit + i] ^=
                (byte) Gf256.multiply(row.coefficient(), image[at++] & 0xff);
          }
        }
      }
    }
    return parity;
  }
}

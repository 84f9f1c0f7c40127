/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.rebuild;

import io.hdfsparity.raidp.lstor.ParityKind;
import io.hdfsparity.raidp.lstor.Run;
import io.hdfsparity.raidp.lstor.SlotEntry;
import io.hdfsparity.raidp.lstord.SimLstors;
import io.hdfsparity.raidp.recovery.SimCluster;
import io.hdfsparity.raidp.wire.RaidpPeerProtocol;
import io.hdfsparity.raidp.wire.message.HealReport;
import io.hdfsparity.raidp.wire.message.HealRequest;
import io.hdfsparity.raidp.wire.message.ImageKind;
import io.hdfsparity.raidp.wire.message.ImageRequest;
import io.hdfsparity.raidp.wire.message.LstorRebuildRequest;
import io.hdfsparity.raidp.wire.message.LstorRebuildStatus;
import io.hdfsparity.raidp.wire.message.ScrubReport;
import io.hdfsparity.raidp.wire.message.ScrubRequest;
import io.hdfsparity.raidp.wire.message.SuperchunkRef;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** A DataNode that serves covered images of the twin for the frames of the living disks. */
final class SimPeer implements RaidpPeerProtocol {
  private final SimCluster cluster;
  private final Set<SimCluster.Disk> dead;
  final Set<Long> refused = java.util.concurrent.ConcurrentHashMap.newKeySet();
  final Set<Long> wrong = java.util.concurrent.ConcurrentHashMap.newKeySet();

  SimPeer(SimCluster cluster, Set<SimCluster.Disk> dead) {
    this.cluster = cluster;
    this.dead = dead;
  }

  @Override
  public byte[] readImage(ImageRequest request) throws IOException {
    if (refused.contains(request.blockId())) {
      throw new IOException("Cannot serve image: block=" + request.blockId() + " is gone");
    }
    for (SimCluster.Disk disk : cluster.disks) {
      for (int frame = 0; frame < disk.frames.length && !dead.contains(disk); frame++) {
        if (disk.frames[frame] != null
            && SimLstors.storageId(disk, frame).equals(request.storageId())) {
          return image(disk.frames[frame].other(disk), request);
        }
      }
    }
    throw new IOException("Cannot serve image: storage=" + request.storageId() + " is not here");
  }

  private byte[] image(SimCluster.Disk asking, ImageRequest request) throws IOException {
    for (SlotEntry row : asking.rows) {
      if (row.blockId() == request.blockId()
          && row.generationStamp() == request.generationStamp()
          && row.coveredBytes() == request.coveredBytes()) {
        byte[] image =
            cluster.image(
                request.kind() == ImageKind.DATA ? ParityKind.DATA : ParityKind.META, row);
        byte[] part =
            Arrays.copyOfRange(
                image, (int) request.position(), (int) request.position() + request.count());
        if (wrong.contains(request.blockId()) && part.length > 0) {
          part[part.length / 2] ^= 4;
        }
        return part;
      }
    }
    throw new IOException("Cannot serve image: " + request);
  }

  @Override
  public List<Run> allocate(
      SuperchunkRef superchunk, long blockId, int units, Optional<SlotEntry> followerHas)
      throws IOException {
    throw new IOException("not in this test");
  }

  @Override
  public Optional<SlotEntry> covered(
      SuperchunkRef superchunk,
      long blockId,
      long generationStamp,
      long coveredBytes,
      List<Run> runs)
      throws IOException {
    throw new IOException("not in this test");
  }

  @Override
  public boolean released(SuperchunkRef superchunk, long blockId) throws IOException {
    throw new IOException("not in this test");
  }

  @Override
  public List<SlotEntry> listEntries(String storageId, OptionalLong superchunkId)
      throws IOException {
    throw new IOException("not in this test");
  }

  @Override
  public List<SlotEntry> findRows(String storageId, List<Long> blockIds) throws IOException {
    throw new IOException("not in this test");
  }

  @Override
  public List<Long> cover(String storageId, SuperchunkRef superchunk, List<Long> blockIds)
      throws IOException {
    throw new IOException("not in this test");
  }

  @Override
  public List<Long> release(
      String storageId, SuperchunkRef superchunk, Map<Long, Long> generationStamps, long ticket) {
    throw new UnsupportedOperationException();
  }

  @Override
  public long releaseTicket() {
    throw new UnsupportedOperationException();
  }

  @Override
  public ScrubReport scrub(ScrubRequest request) throws IOException {
    throw new IOException("not in this test");
  }

  @Override
  public LstorRebuildStatus rebuildLstor(LstorRebuildRequest request) throws IOException {
    throw new IOException("not in this test");
  }

  @Override
  public HealReport heal(HealRequest request) throws IOException {
    throw new IOException("not in this test");
  }
}

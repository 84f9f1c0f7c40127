/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.datanode;

import io.hdfsparity.core.check.ErrorMessage;
import io.hdfsparity.raidp.image.CoveredImage;
import io.hdfsparity.raidp.image.ImageException;
import io.hdfsparity.raidp.image.ReplicaFiles;
import io.hdfsparity.raidp.image.StampRule;
import io.hdfsparity.raidp.lstor.Extents;
import io.hdfsparity.raidp.lstor.Lstor;
import io.hdfsparity.raidp.lstor.Run;
import io.hdfsparity.raidp.lstor.SlotEntry;
import io.hdfsparity.raidp.lstor.SlotState;
import io.hdfsparity.raidp.wire.RaidpPeerProtocol;
import io.hdfsparity.raidp.wire.message.HealReport;
import io.hdfsparity.raidp.wire.message.HealRequest;
import io.hdfsparity.raidp.wire.message.ImageKind;
import io.hdfsparity.raidp.wire.message.ImageRequest;
import io.hdfsparity.raidp.wire.message.LstorRebuildRequest;
import io.hdfsparity.raidp.wire.message.LstorRebuildStatus;
import io.hdfsparity.raidp.wire.message.Pairing;
import io.hdfsparity.raidp.wire.message.ScrubReport;
import io.hdfsparity.raidp.wire.message.ScrubRequest;
import io.hdfsparity.raidp.wire.message.SuperchunkRef;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What this node answers to the partners of its frames. No handler takes a lock of HDFS or calls
 * another node.
 *
 * <p>Thread-safe. Idempotent.
 */
public final class PeerService implements RaidpPeerProtocol {
  private static final int MAX_BYTES = 64 << 20;
  private static final int ATTEMPTS = 3;

  private final NodeFrames frames;
  private final Scrubs scrubs;
  private final Rebuilds rebuilds;
  private final Heals heals;
  private final ReleaseTickets tickets;
  private final RefusedReplicas refused;

  /** Runs a scrub. */
  interface Scrubs {
    ScrubReport run(ScrubRequest request) throws IOException;
  }

  /** Rebuilds Lstors. */
  interface Rebuilds {
    LstorRebuildStatus run(LstorRebuildRequest request) throws IOException;
  }

  /** Heals a replica. */
  interface Heals {
    HealReport heal(HealRequest request) throws IOException;
  }

  PeerService(
      NodeFrames frames,
      Scrubs scrubs,
      Rebuilds rebuilds,
      Heals heals,
      ReleaseTickets tickets,
      RefusedReplicas refused) {
    this.frames = frames;
    this.scrubs = scrubs;
    this.rebuilds = rebuilds;
    this.heals = heals;
    this.tickets = tickets;
    this.refused = refused;
  }

  @Override
  public List<Run> allocate(
      SuperchunkRef superchunk, long blockId, int units, Optional<SlotEntry> followerHas)
      throws IOException {
    FrameEngine engine = engineOf(superchunk);
    return engine.agreement().serve(superchunk, blockId, units, followerHas);
  }

  @Override
  public Optional<SlotEntry> covered(
      SuperchunkRef superchunk,
      long blockId,
      long generationStamp,
      long coveredBytes,
      List<Run> runs)
      throws IOException {
    FrameEngine engine = engineOf(superchunk);
    requireNotPending(engine, blockId);
    Optional<SlotEntry> mine = engine.coverage().find(blockId);
    if (mine.isEmpty()) {
      takeIn(engine.frame(), superchunk, blockId);
    }
    if (mine.isPresent() && mine.get().ackPending() && mine.get().coveredBytes() == coveredBytes) {
      // It may be an old message, so it proves nothing; but it is worth asking now.
      engine.frame().schedule(blockId);
    }
    if (mine.isPresent() && !runs.isEmpty()) {
      engine.places().compare(requireEpoch(engine.frame(), superchunk), mine.get(), runs);
      if (mine.get().units() > Extents.units(runs)) {
        // A leader that was asked for more than the follower needed in the end.
        engine.frame().schedule(blockId);
      }
    }
    return mine;
  }

  /** The partner has a row of a block of which we have none. */
  private static void takeIn(Frame frame, SuperchunkRef superchunk, long blockId)
      throws IOException {
    new ReplicaTakeIn(frame).takeIn(List.of(blockId), requireEpoch(frame, superchunk));
  }

  @Override
  public boolean released(SuperchunkRef superchunk, long blockId) throws IOException {
    FrameEngine engine = engineOf(superchunk);
    requireNotPending(engine, blockId);
    SlotEntry mine = engine.coverage().find(blockId).orElse(null);
    if (mine == null) {
      return false;
    }
    if (mine.state() == SlotState.LIMBO) {
      engine.frame().hurry(blockId);
      engine.frame().schedule(blockId);
    }
    // A replica being written will be covered soon, and its mirror may be what is asked about. And
    // the leader frees units,
    // so it must learn of the follower's row as long as there is one.
    return mine.coversAnything()
        || engine.frame().isOpen(blockId)
        || !engine.frame().leads(engine.frame().requirePairing());
  }

  private static void requireNotPending(FrameEngine engine, long blockId)
      throws PeerException.Busy {
    if (engine.frame().isPending(blockId)) {
      throw new PeerException.Busy(
          "Cannot answer yet: block="
              + blockId
              + ", expected no question about it to be on its way to the leader, storageId="
              + engine.frame().storageId());
    }
  }

  /** No sum of what a caller says: it could overflow. */
  static void requireInside(ImageRequest request, long end) throws ImageException {
    if (request.position() > end - request.count()) {
      throw new ImageException(
          "Cannot serve image: " + request + ", expected a range inside its " + end + " bytes");
    }
  }

  private FrameEngine engineOf(SuperchunkRef ref) throws IOException {
    FrameEngine engine =
        frames.bySuperchunk(ref.superchunkId()).orElseThrow(() -> unknown(ref.superchunkId()));
    engine.frame().disk().requireOk();
    requireEpoch(engine.frame(), ref);
    return engine;
  }

  private static Pairing requireEpoch(Frame frame, SuperchunkRef ref) throws IOException {
    Pairing pairing = frame.requirePairing();
    if (pairing.superchunkId() != ref.superchunkId() || pairing.epoch() != ref.epoch()) {
      throw new PeerException.StaleEpoch(
          "Cannot answer: superchunk="
              + ref.superchunkId()
              + " epoch="
              + ref.epoch()
              + ", expected "
              + pairing.epoch()
              + ", storageId="
              + frame.storageId());
    }
    return pairing;
  }

  @Override
  public byte[] readImage(ImageRequest request) throws IOException {
    if (request.count() < 0 || request.count() > MAX_BYTES || request.position() < 0) {
      throw new IOException(
          "Cannot serve image: " + request + ", expected position >= 0 and count 0.." + MAX_BYTES);
    }
    Optional<byte[]> bytes = refused.read(request);
    if (bytes.isPresent()) {
      return bytes.get();
    }
    Volume volume = volume(request.storageId());
    for (int attempt = 1; ; attempt++) {
      try {
        return read(volume, request);
      } catch (IOException e) {
        // Files that move under the reader are found at their new place; damage stays damage.
        if (attempt == ATTEMPTS) {
          throw e;
        }
      }
    }
  }

  private byte[] read(Volume volume, ImageRequest request) throws IOException {
    Optional<FrameEngine> engine = enginePairedBy(request);
    try (CoveredImage image =
        CoveredImage.of(
            volume.directory(),
            volume.limbo(),
            volume.disk().context().pool().id(),
            request.blockId(),
            request.generationStamp(),
            engine.filter(each -> hasCovered(each, request.blockId())).isPresent()
                ? StampRule.SAME_OR_NEWER
                : StampRule.SAME)) {
      byte[] bytes = bytes(image, request);
      if (engine.isPresent()) {
        requireNoted(engine.get(), request);
        // In this order: the length is noted before the row gets the new stamp.
        image.requireStillValid();
      }
      return bytes;
    }
  }

  /** What is asked for of an image. */
  static byte[] bytes(CoveredImage image, ImageRequest request) throws IOException {
    boolean isData = request.kind() == ImageKind.DATA;
    requireInside(
        request,
        isData ? request.coveredBytes() : image.checksum().metaLength(request.coveredBytes()));
    ByteBuffer bytes = ByteBuffer.allocate(request.count());
    if (isData) {
      image.readData(request.position(), bytes);
    } else {
      image.readMeta(request.coveredBytes(), request.position(), bytes);
    }
    return bytes.array();
  }

  /**
   * The frame that is paired with the one whose row asks: for that row is kept what is cut off
   * here. Empty: another frame asks, or one of a pair of before.
   */
  private Optional<FrameEngine> enginePairedBy(ImageRequest request) {
    return request
        .pair()
        .flatMap(pair -> frames.bySuperchunk(pair.superchunkId()))
        .filter(engine -> engine.frame().storageId().equals(request.storageId()))
        .filter(engine -> engine.frame().pairing().map(Frame::ref).equals(request.pair()));
  }

  /**
   * Whether cuts of the block have gone to limbo. As long as the frame has covered nothing of it,
   * its replica is plain, or was when it was last changed.
   */
  private static boolean hasCovered(FrameEngine engine, long blockId) {
    return engine.coverage().find(blockId).filter(row -> row.generationStamp() != 0).isPresent();
  }

  /**
   * A packet is on disk before its hook covers it and, if it is the first one under a new stamp,
   * notes how long the replica was before. Between both, a longer replica proves nothing of stamps
   * before its own.
   */
  private static void requireNoted(FrameEngine engine, ImageRequest request) throws IOException {
    Frame frame = engine.frame();
    SlotEntry row = engine.coverage().find(request.blockId()).orElse(null);
    if (row == null) {
      return;
    }
    boolean isGrowing =
        frame.coversPackets()
            && row.state() == SlotState.LIVE
            && row.coversAnything()
            && row.coveredBytes() < request.coveredBytes();
    // A new replica for the row of one that went without the hooks: the first cover notes that.
    boolean isUncovered = !row.coversAnything() && row.generationStamp() != 0;
    if (!isGrowing && !isUncovered) {
      return;
    }
    Optional<ReplicaFiles> live = frame.directory().find(frame.blockPoolId(), request.blockId());
    long stamp = live.map(ReplicaFiles::generationStamp).orElse(0L);
    if (stamp > row.generationStamp()
        && stamp > request.generationStamp()
        && (isGrowing || engine.coverage().isOfUnknownPast(row, stamp))) {
      throw new ImageException.NotHeld(
          "Cannot serve image: "
              + request
              + ", expected at most what was held under generationStamp="
              + row.generationStamp()
              + ", coveredBytes="
              + row.coveredBytes());
    }
  }

  private Volume volume(String storageId) throws IOException {
    Volume volume =
        frames
            .volume(storageId)
            .orElseThrow(
                () ->
                    new IOException(
                        "Cannot find frame: storageId="
                            + storageId
                            + ", expected one of this node's frames"))
            .volume();
    volume.disk().requireOk();
    return volume;
  }

  @Override
  public List<SlotEntry> listEntries(String storageId, OptionalLong superchunkId)
      throws IOException {
    Volume volume = volume(storageId);
    Collection<Frame> asked = volume.frames();
    if (superchunkId.isPresent()) {
      long id = superchunkId.getAsLong();
      asked = List.of(volume.frameIn(id).orElseThrow(() -> unknown(id)));
    }
    Lstor lstor = volume.disk().lstor();
    return asked.stream().flatMap(frame -> lstor.entries(frame.index()).stream()).toList();
  }

  @Override
  public List<SlotEntry> findRows(String storageId, List<Long> blockIds) throws IOException {
    requireFew(blockIds);
    Volume volume = volume(storageId);
    List<SlotEntry> rows = new ArrayList<>();
    for (long blockId : blockIds) {
      row(volume, blockId).or(() -> lockedRow(volume, blockId)).ifPresent(rows::add);
    }
    return rows;
  }

  private static Optional<SlotEntry> row(Volume volume, long blockId) {
    return volume
        .frameWithRow(blockId)
        .flatMap(frame -> volume.disk().lstor().entry(frame.index(), blockId));
  }

  /**
   * A row that is being moved to other units is gone for a moment, under the block's lock. A row
   * that may come says that the replica is not plain for sure.
   */
  private static Optional<SlotEntry> lockedRow(Volume volume, long blockId) {
    return volume
        .disk()
        .blockLocks()
        .under(
            blockId,
            () -> {
              Optional<SlotEntry> row = row(volume, blockId);
              if (row.isPresent()) {
                return row;
              }
              boolean mayCome =
                  volume.claims().of(blockId).isPresent() || volume.isRowSought(blockId);
              return mayCome
                  ? Optional.of(SlotEntry.expected(NO_FRAME, blockId))
                  : Optional.empty();
            });
  }

  @Override
  public List<Long> cover(String storageId, SuperchunkRef superchunk, List<Long> blockIds)
      throws IOException {
    requireFew(blockIds);
    Volume volume = volume(storageId);
    FrameEngine engine = engineOf(superchunk);
    Frame frame = engine.frame();
    requireOwn("cover replicas", volume, frame, superchunk);
    // A partner in another superchunk may have a row of one that is sought.
    List<Long> known = blockIds.stream().filter(id -> !volume.isRowSought(id)).toList();
    return new ReplicaTakeIn(frame).takeIn(known, requireEpoch(frame, superchunk));
  }

  @Override
  public List<Long> release(
      String storageId, SuperchunkRef superchunk, Map<Long, Long> generationStamps, long ticket)
      throws IOException {
    requireFew(generationStamps.keySet());
    Volume volume = volume(storageId);
    // The superchunk may have been rebuilt on another disk of this node, and this frame been left.
    Optional<Frame> own = volume.frameIn(superchunk.superchunkId(), superchunk.epoch());
    Frame frame = own.isPresent() ? own.get() : engineOf(superchunk).frame();
    frame.disk().requireOk();
    requireOwn("release replicas", volume, frame, superchunk);
    return new ReplicaRelease(frame)
        .release(
            generationStamps, requireEpoch(frame, superchunk), () -> tickets.requireValid(ticket));
  }

  @Override
  public long releaseTicket() {
    return tickets.issue();
  }

  private static void requireOwn(String doing, Volume volume, Frame frame, SuperchunkRef superchunk)
      throws IOException {
    if (frame.volume() != volume) {
      throw new IOException(
          ErrorMessage.to(doing)
              .value("storageId", volume.storageId())
              .value("superchunk", superchunk.superchunkId())
              .expected("a volume that has a frame in that superchunk")
              .message());
    }
  }

  private static void requireFew(Collection<Long> blockIds) throws IOException {
    if (blockIds.size() > MAX_BLOCKS) {
      throw new IOException(
          ErrorMessage.to("look for rows")
              .value("blocks", blockIds.size())
              .expected("at most " + MAX_BLOCKS)
              .message());
    }
  }

  private static PeerException.UnknownSuperchunk unknown(long superchunkId) {
    return new PeerException.UnknownSuperchunk(
        "Cannot find superchunk: superchunk="
            + superchunkId
            + ", expected a frame of this node in it");
  }

  @Override
  public ScrubReport scrub(ScrubRequest request) throws IOException {
    return scrubs.run(request);
  }

  @Override
  public LstorRebuildStatus rebuildLstor(LstorRebuildRequest request) throws IOException {
    return rebuilds.run(request);
  }

  @Override
  public HealReport heal(HealRequest request) throws IOException {
    return heals.heal(request);
  }
}

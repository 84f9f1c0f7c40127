/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.datanode;

import io.hdfsparity.bridge.datanode.VolumeHooks;
import io.hdfsparity.core.check.ErrorMessage;
import io.hdfsparity.raidp.image.ReplicaFiles;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.LongConsumer;
import org.apache.hadoop.hdfs.protocol.datatransfer.BlockPinningException;

/**
 * The hooks of a volume: gives each call to the frame that the block belongs to. A volume with one
 * frame gives it every call. With several, each way on which a replica comes to be gets its frame
 * from:
 *
 * <ul>
 *   <li>create, also of a temporary replica (a write, a copy, a transfer): {@link Volume#homeOf},
 *       else the manager's answer that {@link FrameQuestions} has kept ({@link FrameChoice});
 *   <li>a block that is rebuilt: the claim that its installer makes before ({@link
 *       NodeFrames#claim}). After a restart the order comes again, and claims again;
 *   <li>a copy made by truncate: the frame of the replica that it copies ({@link #reserveCopy});
 *   <li>append, recovery of an append or of a pipeline, a temporary replica that goes on as RBW, a
 *       cut, a new generation stamp, finalize, healing: the row that the replica has;
 *   <li>a file that comes back (trash, rollback, a hand that went past HDFS) or a replica whose row
 *       was lost with the Lstor: the row if there is one, else the partner that has one ({@link
 *       BlockClaims}).
 * </ul>
 *
 * <p>In a volume with several frames, a block without a row that no frame has chosen or claimed is
 * plain: its calls do nothing here, and HDFS does what it does without hooks.
 *
 * <p>Thread-safe, as {@link VolumeHooks} asks.
 */
final class VolumeFrames implements VolumeHooks {
  private final Volume volume;
  private final FrameChoice choice;
  private final Map<Integer, FrameEngine> engines = new TreeMap<>();

  VolumeFrames(Volume volume, List<FrameEngine> engines, FrameChoice choice) {
    this.volume = volume;
    this.choice = choice;
    engines.forEach(engine -> this.engines.put(engine.frame().index(), engine));
  }

  Volume volume() {
    return volume;
  }

  /** By frame index. */
  Collection<FrameEngine> engines() {
    return engines.values();
  }

  FrameEngine engine(Frame frame) {
    return engine(frame.index());
  }

  private FrameEngine engine(int index) {
    FrameEngine engine = engines.get(index);
    if (engine == null) {
      throw new IllegalStateException(
          "Cannot find frame: frameIndex="
              + index
              + ", expected one of "
              + engines.keySet()
              + ", storageId="
              + volume.storageId());
    }
    return engine;
  }

  /** Who keeps the parity right for a block; empty: it is plain. */
  Optional<FrameEngine> engineOf(long blockId) {
    return volume.frameOf(blockId).or(() -> lockedFrameOf(blockId)).map(this::engine);
  }

  /** A row that is being moved to other units is gone for a moment, under the block's lock. */
  private Optional<Frame> lockedFrameOf(long blockId) {
    return locks().under(blockId, () -> volume.frameOf(blockId));
  }

  // ---------------------------------------------------------------- plain replicas

  @Override
  public boolean isPinned(String blockPoolId, long blockId) {
    return engineOf(blockId).isPresent() || volume.isRowSought(blockId);
  }

  @Override
  public Move moving(String blockPoolId, long blockId) throws IOException {
    if (!volume.beginMove(blockId)) {
      // The Balancer and the Mover leave such a replica alone.
      throw new BlockPinningException(
          ErrorMessage.to("move a replica to another volume")
              .value("block", blockId)
              .value("storageId", volume.storageId())
              .expected("one that is in no superchunk")
              .message());
    }
    return () -> volume.plain().endMove(blockId);
  }

  private BlockLocks locks() {
    return volume.disk().blockLocks();
  }

  @Override
  public void movingHere(String blockPoolId, long blockId) throws IOException {
    requireNoRow(blockId);
  }

  /**
   * Who keeps the parity right for a block that HDFS is about to change. If nobody does, no frame
   * takes it meanwhile. One that has only claimed it lets it go: the change must not need a partner
   * that it would not need without the claim. A partner that has a row of it is found again, also
   * when the change comes to nothing.
   *
   * @param plain notes what HDFS does to a block without a row
   */
  private Optional<FrameEngine> engineOr(long blockId, LongConsumer plain) {
    BlockLocks locks = locks();
    boolean isSought;
    locks.lock(blockId);
    try {
      Optional<Frame> frame = volume.frameWithRow(blockId);
      if (frame.isPresent()) {
        return frame.map(this::engine);
      }
      plain.accept(blockId);
      BlockClaims claims = volume.claims();
      isSought = claims.of(blockId).isPresent() || claims.isFrameless(blockId);
      volume.endClaim(blockId);
    } finally {
      locks.unlock(blockId);
    }
    if (isSought) {
      volume.searchFrames(List.of(blockId));
    }
    return Optional.empty();
  }

  /** As {@link #engineOr}, of a block about which nothing is to be noted. */
  private Optional<FrameEngine> engineByRow(long blockId) {
    return locks().under(blockId, () -> volume.frameWithRow(blockId).map(this::engine));
  }

  // ---------------------------------------------------------------- replicas

  /**
   * HDFS is about to make a replica, of a block whose frame is known: units for it are agreed on,
   * which can take long. No lock of the dataset is held.
   */
  void reserveAhead(String blockPoolId, long blockId, long maxBytes) throws IOException {
    Frame holder = volume.frameWithRow(blockId).orElse(null);
    if (holder != null
        && (volume.isLive(holder, blockId)
            || volume.directory().find(blockPoolId, blockId).isPresent())) {
      // HDFS may be about to delete that replica for a younger one, before it asks for the row.
      return;
    }
    boolean isDone = false;
    try {
      Optional<Frame> frame = homeOrChosen(blockId);
      if (frame.isPresent() && (holder == null || holder == frame.get())) {
        engine(frame.get()).reserveAhead(blockPoolId, blockId, maxBytes);
      }
      isDone = true;
    } finally {
      if (!isDone) {
        choice.done(blockId);
      }
    }
  }

  @Override
  public void reserve(String blockPoolId, long blockId, long maxBytes) throws IOException {
    try {
      requireNoneLeftBehind(blockId);
      Optional<Frame> frame = frameForNew(blockId);
      if (frame.isPresent()) {
        engine(frame.get()).reserve(blockPoolId, blockId, maxBytes);
        volume.endClaim(blockId);
      }
    } finally {
      choice.done(blockId);
    }
  }

  @Override
  public void reserveCopy(String blockPoolId, long blockId, long sourceBlockId, long maxBytes)
      throws IOException {
    Optional<FrameEngine> engine = engineByRow(sourceBlockId);
    if (engine.isPresent()) {
      engine.get().reserve(blockPoolId, blockId, maxBytes);
      return;
    }
    beginPlain(blockId);
    if (volume.claims().isFrameless(sourceBlockId)) {
      volume.searchFrames(List.of(blockId));
    }
  }

  /** The frame of a new replica; empty: it is plain. */
  private Optional<Frame> frameForNew(long blockId) throws IOException {
    Optional<Frame> frame = homeOrChosen(blockId);
    if (frame.isEmpty()) {
      beginPlain(blockId);
    }
    return frame;
  }

  private Optional<Frame> homeOrChosen(long blockId) throws IOException {
    Optional<Frame> home = volume.homeOf(blockId);
    if (home.isPresent()) {
      return home;
    }
    FrameChoice.Chosen chosen = choice.frameFor(blockId).orElse(null);
    if (chosen == null) {
      return Optional.empty();
    }
    Frame frame = engine(chosen.frameIndex()).frame();
    if (!frame.isInUse() || !chosen.fits(frame)) {
      throw new PeerException.Busy(
          "Cannot create block: block="
              + blockId
              + " superchunk="
              + chosen.superchunkId()
              + " epoch="
              + chosen.epoch()
              + ", expected frame "
              + frame.index()
              + " to be in it still, it has been paired anew; write again, storageId="
              + volume.storageId());
    }
    return Optional.of(frame);
  }

  private void beginPlain(long blockId) throws IOException {
    boolean isOpened = engineOr(blockId, volume.plain()::open).isEmpty();
    try {
      requireNoRow(blockId);
    } catch (PeerException.Busy e) {
      // Its row came meanwhile.
      if (isOpened) {
        volume.plain().close(blockId);
      }
      throw e;
    }
  }

  private void requireNoRow(long blockId) throws PeerException.Busy {
    Optional<Frame> frame = volume.frameWithRow(blockId);
    if (frame.isPresent()) {
      throw volume.leftoverRow(frame.get(), blockId);
    }
  }

  /**
   * The row of a frame that its superchunk has left behind is about to go: a new replica in that
   * frame would have no mirror.
   */
  private void requireNoneLeftBehind(long blockId) throws IOException {
    Frame frame = volume.frameWithRow(blockId).orElse(null);
    if (frame != null && frame.pairing().filter(frame::isSuperseded).isPresent()) {
      throw new PeerException.Busy(
          "Cannot create block: block="
              + blockId
              + ", expected no row in frame "
              + frame.index()
              + ", which its superchunk has left, storageId="
              + volume.storageId());
    }
  }

  @Override
  public void reserveFailed(String blockPoolId, long blockId) {
    volume.plain().close(blockId);
    engineOf(blockId).ifPresent(engine -> engine.reserveFailed(blockId));
  }

  /** {@inheritDoc} A block that has no row yet may be plain: {@link #finalizing} finds that out. */
  @Override
  public void beforeFinalizing(
      String blockPoolId,
      long blockId,
      long generationStamp,
      File blockFile,
      File metaFile,
      long lengthBytes)
      throws IOException {
    Optional<FrameEngine> engine = engineByRow(blockId);
    if (engine.isPresent()) {
      engine
          .get()
          .beforeFinalizing(
              blockPoolId, files(blockId, generationStamp, blockFile, metaFile), lengthBytes);
    }
  }

  @Override
  public void finalizeFailed(String blockPoolId, long blockId) {
    engineOf(blockId).ifPresent(engine -> engine.finalizeFailed(blockId));
  }

  @Override
  public void finalizing(
      String blockPoolId,
      long blockId,
      long generationStamp,
      File blockFile,
      File metaFile,
      long lengthBytes)
      throws IOException {
    Optional<FrameEngine> engine = engineOr(blockId, volume.plain()::close);
    if (engine.isPresent()) {
      engine
          .get()
          .finalizing(
              blockPoolId, files(blockId, generationStamp, blockFile, metaFile), lengthBytes);
      volume.endClaim(blockId);
    }
    volume.plain().close(blockId);
  }

  private static ReplicaFiles files(
      long blockId, long generationStamp, File blockFile, File metaFile) {
    return new ReplicaFiles(blockId, generationStamp, blockFile.toPath(), metaFile.toPath());
  }

  @Override
  public boolean wantsWrites() {
    return engines().stream().anyMatch(FrameEngine::wantsWrites);
  }

  @Override
  public void written(
      String blockPoolId,
      long blockId,
      long generationStamp,
      File blockFile,
      File metaFile,
      long lengthBytes)
      throws IOException {
    Optional<FrameEngine> engine = engineByRow(blockId);
    if (engine.isPresent()) {
      engine
          .get()
          .written(blockPoolId, files(blockId, generationStamp, blockFile, metaFile), lengthBytes);
    }
  }

  @Override
  public void beforeReopening(String blockPoolId, long blockId, long maxBytes) throws IOException {
    Optional<FrameEngine> engine = engineByRow(blockId);
    if (engine.isPresent()) {
      engine.get().beforeReopening(blockPoolId, blockId, maxBytes);
    }
  }

  @Override
  public void reopening(
      String blockPoolId, long blockId, File blockFile, File metaFile, long maxBytes)
      throws IOException {
    Optional<FrameEngine> engine = engineOr(blockId, volume.plain()::open);
    if (engine.isPresent()) {
      engine.get().reopening(blockPoolId, blockId, maxBytes);
    }
  }

  @Override
  public void reopenFailed(String blockPoolId, long blockId) {
    volume.plain().close(blockId);
    engineOf(blockId).ifPresent(engine -> engine.reopenFailed(blockId));
  }

  @Override
  public void truncating(
      String blockPoolId, long blockId, File blockFile, File metaFile, long newLengthBytes)
      throws IOException {
    Optional<FrameEngine> engine = engineOr(blockId, volume.plain()::open);
    if (engine.isPresent()) {
      engine.get().truncating(blockPoolId, blockId, blockFile, metaFile, newLengthBytes);
    }
  }

  @Override
  public boolean removing(String blockPoolId, File file) throws IOException {
    Path path = file.toPath();
    volume.disk().context().pool().use(blockPoolId);
    if (!volume.directory().isLivePlace(blockPoolId, path)
        || !Files.exists(path)
        || !ReplicaFiles.isData(path)) {
      // Trash, or a checksum file whose block file is gone: the block file took its checksum file
      // along.
      return false;
    }
    long blockId = ReplicaFiles.blockIdOf(path);
    Optional<FrameEngine> engine = engineOr(blockId, volume.plain()::leave);
    if (engine.isPresent()) {
      volume.disk().requireOk();
    }
    boolean isTaken = engine.isPresent() && engine.get().removing(blockId, path);
    volume.endClaim(blockId);
    return isTaken;
  }

  @Override
  public void restored(String blockPoolId, File blockFile) throws IOException {
    long blockId = ReplicaFiles.blockIdOf(blockFile.toPath());
    volume.plain().close(blockId);
    Optional<FrameEngine> engine = engineOr(blockId, volume.plain()::close);
    if (engine.isPresent()) {
      engine.get().restored(blockPoolId, blockFile);
      volume.endClaim(blockId);
    } else {
      volume.searchFrames(List.of(blockId));
    }
  }

  @Override
  public void lost(String blockPoolId, long blockId) throws IOException {
    volume.plain().close(blockId);
    Optional<FrameEngine> engine = engineOf(blockId);
    if (engine.isPresent()) {
      engine.get().lost(blockPoolId, blockId);
    }
    volume.endClaim(blockId);
  }
}

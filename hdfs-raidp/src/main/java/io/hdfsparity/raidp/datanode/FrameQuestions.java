/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.datanode;

import io.hdfsparity.core.check.Clock;
import io.hdfsparity.core.check.ErrorMessage;
import io.hdfsparity.raidp.wire.message.SuperchunkAnswer;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hdfs.protocol.BlockType;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;

/**
 * Asks the active manager, before a replica is made, for the superchunk of its block, and for the
 * storage where the sender has named none. The answer is kept for the {@link VolumeFrames#reserve}
 * that follows, under the dataset's locks.
 *
 * <p>Nobody is asked when the volume knows the block's frame already: by a LIVE row, by the row
 * that the leader has made for its follower a moment ago, or because the block is being rebuilt.
 * Other rows may be left from an earlier life of the block in another superchunk.
 *
 * <p>A LIVE row is no answer for a replica with a younger stamp: that one replaces the replica of
 * the row, which HDFS deletes before {@link VolumeFrames#reserve}, so that the row says nothing any
 * more. A copy for a side that has missed an append is such a replica.
 *
 * <p>An answer counts as long as the frame stays in that superchunk. It is dropped when each
 * replica that asked for it has its row or has failed, and after a minute. A replica whose answer
 * is gone is refused, so that the sender tries again: none is made without cover.
 *
 * <p>The answer may be plain: the next replica of that block is made without a row, on any volume
 * of the node. The latest answer for a block counts. Units of erasure-coded files are plain, and
 * nobody is asked. A row of the block that is left from an earlier life is waited for, and then
 * refuses the replica: calls about a block go by its row, so the plain replica would be covered by
 * a frame that has no part in it.
 *
 * <p>Thread-safe. No lock is held while anything is waited for.
 */
final class FrameQuestions {
  private static final long ANSWER_LIFE_MS = 60_000;
  private static final int MAX_ANSWERS = 1 << 14;
  private static final long PAUSE_MS = 50;

  private final Query query;
  private final NodeFrames frames;
  private final Clock clock;
  private final long waitMs;
  private final ExpiringMap<Key, FrameChoice.Chosen> answers;
  private final ExpiringMap<Long, SuperchunkAnswer> plain;

  /** Asks the manager. */
  @FunctionalInterface
  interface Query {
    /** A pair, or plain. */
    SuperchunkAnswer ask(Optional<String> named, ExtendedBlock block) throws IOException;
  }

  private record Key(String storageId, long blockId) {}

  /**
   * @param waitMs for an assignment that is on its way, or for an older row of the block to go
   */
  FrameQuestions(Query query, NodeFrames frames, Clock clock, long waitMs) {
    this.query = query;
    this.frames = frames;
    this.clock = clock;
    this.waitMs = waitMs;
    this.answers = new ExpiringMap<>(clock, ANSWER_LIFE_MS, MAX_ANSWERS);
    this.plain = new ExpiringMap<>(clock, ANSWER_LIFE_MS, MAX_ANSWERS);
  }

  /**
   * As {@link io.hdfsparity.bridge.datanode.DatasetHooks#storageFor}.
   *
   * @throws PeerException.Busy if the frame does not take the block yet
   */
  Optional<String> storageFor(Optional<String> named, ExtendedBlock block) throws IOException {
    if (isAlwaysPlain(block.getBlockId()) || (named.isPresent() && !isAsked(named.get(), block))) {
      return Optional.empty();
    }
    SuperchunkAnswer answer = query.ask(named, block);
    if (!(answer instanceof SuperchunkAnswer.Pair pair)) {
      notePlain(named, block, answer);
      return Optional.empty();
    }
    if (named.isPresent() && !named.get().equals(pair.storageId())) {
      throw new IOException(
          ErrorMessage.to("make a replica")
              .value("block", block)
              .value("storageId", named.get())
              .expected("the storage that the NameNode has chosen for it: " + pair.storageId())
              .message());
    }
    Volume volume = inService(pair.storageId()).orElseThrow(() -> notInService(pair, block));
    if (named.isPresent() && isReplacedElsewhere(volume, pair, block)) {
      return Optional.empty();
    }
    Frame frame = awaitFrame(volume, pair, block);
    plain.remove(block.getBlockId());
    answers.put(
        new Key(pair.storageId(), block.getBlockId()),
        new FrameChoice.Chosen(frame.index(), pair.superchunkId(), pair.epoch()));
    return Optional.of(pair.storageId());
  }

  private static boolean isAlwaysPlain(long blockId) {
    return BlockType.fromBlockId(blockId) != BlockType.CONTIGUOUS;
  }

  /** Of a sender that names no storage, HDFS chooses the volume. */
  private void notePlain(Optional<String> named, ExtendedBlock block, SuperchunkAnswer answer)
      throws IOException {
    List<Volume> volumes =
        named.isPresent()
            ? inService(named.get()).stream().toList()
            : frames.volumes().stream()
                .flatMap(each -> inService(each.volume().storageId()).stream())
                .toList();
    for (Volume volume : volumes) {
      awaitNoRow(volume, block.getBlockId());
      answers.remove(new Key(volume.storageId(), block.getBlockId()));
    }
    plain.put(block.getBlockId(), answer);
  }

  /** A row of a live replica stays; {@link VolumeFrames#reserve} looks at what has become of it. */
  private void awaitNoRow(Volume volume, long blockId) throws IOException {
    long startNanos = clock.nanoTime();
    while (true) {
      Frame frame =
          volume.frameWithRow(blockId).filter(each -> !volume.isLive(each, blockId)).orElse(null);
      if (frame == null) {
        return;
      }
      hurryOtherRow(volume, blockId);
      if (isOver(startNanos)) {
        throw volume.leftoverRow(frame, blockId);
      }
      pause();
    }
  }

  private boolean isOver(long startNanos) {
    return clock.nanoTime() - startNanos >= TimeUnit.MILLISECONDS.toNanos(waitMs);
  }

  /** Where replicas may be plain, disks without an Lstor in service take those. */
  private boolean isAsked(String storageId, ExtendedBlock block) {
    Optional<Volume> volume = frames.volume(storageId).map(VolumeFrames::volume);
    return volume.flatMap(each -> each.homeOf(block.getBlockId())).isEmpty()
        || volume.flatMap(each -> each.frameToReplace(block)).isPresent();
  }

  /**
   * Whether the replica replaces one in another superchunk. HDFS deletes that one now, and {@link
   * VolumeFrames#reserve} refuses this one, as no answer is kept. When it comes again, the row is
   * in limbo and is waited for: a LIVE one would be waited for in vain.
   */
  private static boolean isReplacedElsewhere(
      Volume volume, SuperchunkAnswer.Pair pair, ExtendedBlock block) {
    return volume
        .frameToReplace(block)
        .flatMap(Frame::pairing)
        .filter(replaced -> replaced.superchunkId() != pair.superchunkId())
        .isPresent();
  }

  /** Of a disk in service: the others refuse what is made on them. */
  private Optional<Volume> inService(String storageId) {
    return frames
        .volume(storageId)
        .map(VolumeFrames::volume)
        .filter(volume -> volume.disk().failure().isEmpty());
  }

  private Frame awaitFrame(Volume volume, SuperchunkAnswer.Pair pair, ExtendedBlock block)
      throws IOException {
    long startNanos = clock.nanoTime();
    while (true) {
      Frame frame =
          volume
              .frameIn(pair.superchunkId())
              .filter(each -> each.isInUse() && epoch(each) >= pair.epoch())
              .orElse(null);
      if (frame != null && !frame.hasOtherRow(block.getBlockId())) {
        return frame;
      }
      if (frame != null) {
        hurryOtherRow(volume, block.getBlockId());
      }
      if (isOver(startNanos)) {
        throw notYet(volume, pair, block, frame != null);
      }
      pause();
    }
  }

  private static long epoch(Frame frame) {
    return frame.pairing().orElseThrow().epoch();
  }

  private static void hurryOtherRow(Volume volume, long blockId) {
    volume.frameWithRow(blockId).ifPresent(other -> other.release(blockId));
  }

  private static PeerException.Busy notYet(
      Volume volume, SuperchunkAnswer.Pair pair, ExtendedBlock block, boolean isPaired) {
    return new PeerException.Busy(
        ErrorMessage.to("make a replica")
            .value("block", block)
            .value("storageId", volume.storageId())
            .value("superchunk", pair.superchunkId())
            .value("epoch", pair.epoch())
            .expected(
                isPaired
                    ? "no row of it in another frame of the volume, which is being released; write"
                        + " again"
                    : "a frame of the volume in that superchunk, which is being assigned; write"
                        + " again")
            .message());
  }

  private static IOException notInService(SuperchunkAnswer.Pair pair, ExtendedBlock block) {
    return new IOException(
        ErrorMessage.to("make a replica")
            .value("block", block)
            .value("storageId", pair.storageId())
            .value("superchunk", pair.superchunkId())
            .expected("a disk whose Lstor is in service, as the block is protected")
            .message());
  }

  private static void pause() throws InterruptedIOException {
    try {
      TimeUnit.MILLISECONDS.sleep(PAUSE_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException(
          "Cannot make a replica: interrupted while waiting for the frame of its superchunk");
    }
  }

  /** Answers that replicas are to be made by. */
  int size() {
    return answers.size() + plain.size();
  }

  /** The answers for the blocks of a volume. */
  FrameChoice choiceOf(String storageId) {
    return new FrameChoice() {
      @Override
      public Optional<Chosen> frameFor(long blockId) throws IOException {
        if (isAlwaysPlain(blockId)) {
          return Optional.empty();
        }
        Optional<Chosen> answer = answers.get(new Key(storageId, blockId));
        if (answer.isEmpty() && plain.get(blockId).isEmpty()) {
          throw new PeerException.Busy(
              "Cannot create block: block="
                  + blockId
                  + ", expected the manager to have told its superchunk less than "
                  + ANSWER_LIFE_MS
                  + " ms ago; write again, storageId="
                  + storageId);
        }
        return answer;
      }

      @Override
      public void done(long blockId) {
        Key key = new Key(storageId, blockId);
        if (answers.get(key).isPresent()) {
          answers.used(key);
        } else {
          plain.used(blockId);
        }
      }
    };
  }
}

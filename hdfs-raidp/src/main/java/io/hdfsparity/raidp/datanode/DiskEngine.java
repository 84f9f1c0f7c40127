/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.datanode;

import io.hdfsparity.core.check.Clock;
import io.hdfsparity.raidp.format.DiskFile;
import io.hdfsparity.raidp.lstor.Lstor;
import io.hdfsparity.raidp.wire.message.DiskState;
import io.hdfsparity.raidp.wire.message.Pairing;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/**
 * One disk: its Lstor, its frames, and whether it works. A disk fails as a whole and for good
 * (until a restart).
 *
 * <p>Thread-safe.
 */
public final class DiskEngine implements Closeable {
  private final Path root;
  private final DiskFile identity;
  private final Lstor lstor;
  private final Closeable lstorLock;
  private final DiskContext context;
  private final JournalGate gate;
  private final BlockLocks blockLocks = new BlockLocks();
  private final LostRows lostRows = new LostRows();
  private final Map<Integer, Frame> frames = new ConcurrentSkipListMap<>();
  private final AtomicReference<String> failure = new AtomicReference<>("");
  private volatile String lstorFailure = "";
  private volatile boolean lstorReleased;
  private volatile boolean isLstorRebuilt;
  private volatile long lastWriteNanos;

  /**
   * @param lstorLock let go of after the Lstor is closed
   */
  DiskEngine(Path root, DiskFile identity, Lstor lstor, Closeable lstorLock, DiskContext context) {
    this.root = root;
    this.identity = identity;
    this.lstor = lstor;
    this.lstorLock = lstorLock;
    this.context = context;
    this.gate =
        new JournalGate(
            context.options().lstor().journalBytes(),
            context.options().lstor().journalWaitTimeoutMs(),
            context.clock(),
            this::waitsForPartner);
    this.lastWriteNanos = context.clock().nanoTime();
  }

  private boolean waitsForPartner(int frameIndex) {
    Optional<Pairing> pairing = frame(frameIndex).pairing();
    return pairing.isPresent() && !(context.partners().of(pairing.get()) instanceof Partners.Dead);
  }

  void add(Frame frame) {
    frames.put(frame.index(), frame);
  }

  public Path root() {
    return root;
  }

  public String diskId() {
    return identity.diskId();
  }

  DiskFile identity() {
    return identity;
  }

  public Lstor lstor() {
    return lstor;
  }

  DiskContext context() {
    return context;
  }

  JournalGate gate() {
    return gate;
  }

  BlockLocks blockLocks() {
    return blockLocks;
  }

  LostRows lostRows() {
    return lostRows;
  }

  Collection<Frame> frames() {
    return frames.values();
  }

  Frame frame(int index) {
    Frame frame = frames.get(index);
    if (frame == null) {
      throw new IllegalStateException(
          "Cannot find frame: frameIndex="
              + index
              + ", expected one of "
              + frames.keySet()
              + ", disk="
              + root);
    }
    return frame;
  }

  /** In the order of their first frames. */
  List<Volume> volumes() {
    return frames.values().stream().map(Frame::volume).distinct().toList();
  }

  List<String> storageIds() {
    return volumes().stream().map(Volume::storageId).toList();
  }

  // ---------------------------------------------------------------- health

  /**
   * @throws PeerException.FrameFailed when the disk is out of service
   */
  void requireOk() throws PeerException.FrameFailed {
    if (!failure.get().isEmpty()) {
      throw new PeerException.FrameFailed(
          "Cannot use disk: state=failed, expected a working disk, disk="
              + diskId()
              + " file="
              + root
              + " cause="
              + failure.get());
    }
  }

  /**
   * Whether nothing of it is served any more. A disk whose Lstor alone has failed serves what it
   * has, and changes what its Lstor still takes.
   */
  boolean isOut() {
    return state() == DiskState.DISK_FAILED;
  }

  public DiskState state() {
    if (!failure.get().isEmpty()) {
      return DiskState.DISK_FAILED;
    }
    return lstorFailure.isEmpty() ? DiskState.OK : DiskState.LSTOR_FAILED;
  }

  /** Why it is not OK. */
  public Optional<String> failure() {
    String disk = failure.get();
    String why = disk.isEmpty() ? lstorFailure : disk;
    return why.isEmpty() ? Optional.empty() : Optional.of(why);
  }

  /**
   * The Lstor does not take changes any more, or not at all units; it refuses them itself. The
   * manager places no blocks on the disk from now on.
   */
  void lstorFailed(String why) {
    lstorFailure = why;
  }

  /**
   * Takes the disk out of service; closes its Lstor and lets go of its lock, so that its daemon can
   * serve it. Idempotent.
   */
  void fail(String why) throws IOException {
    if (failure.compareAndSet("", why.isEmpty() ? "unknown" : why)) {
      releaseLstor();
    }
  }

  private synchronized void releaseLstor() throws IOException {
    if (lstorReleased) {
      return;
    }
    lstorReleased = true;
    try {
      lstor.close();
    } finally {
      lstorLock.close();
    }
  }

  /** The Lstor is a new one since this start, and has no rows of replicas that are on the disk. */
  void lstorRebuilt() {
    isLstorRebuilt = true;
  }

  /**
   * Whether it is a new one since this life of the node began, and replicas may lack the rows they
   * had.
   */
  boolean isLstorRebuilt() {
    return isLstorRebuilt;
  }

  /** Whether the Lstor is still ours. */
  boolean holdsLstor() {
    return !lstorReleased;
  }

  @Override
  public void close() throws IOException {
    releaseLstor();
  }

  // ---------------------------------------------------------------- load

  void noteWrite() {
    lastWriteNanos = context.clock().nanoTime();
  }

  /** Whether nothing was written for long enough that background work is in nobody's way. */
  boolean isQuiet() {
    Clock clock = context.clock();
    return clock.nanoTime() - lastWriteNanos
        >= TimeUnit.MILLISECONDS.toNanos(context.options().settling().idleAfterMs());
  }
}

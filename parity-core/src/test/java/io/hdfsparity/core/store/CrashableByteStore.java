/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.core.store;

import io.hdfsparity.core.check.Checks;
import io.hdfsparity.core.check.ErrorMessage;
import java.io.IOException;
import java.io.SyncFailedException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * A store in memory that behaves as {@link ByteStore} allows at its worst: of what was not synced,
 * a seeded random subset survives a crash, in pieces of an atom each, every atom in any of the
 * versions that it went through since it was last durable.
 *
 * <p>{@link #cutAtWrite}, {@link #cutAtSync} and {@link #cutAtChange} make the n-th call crash: it
 * throws {@link StoreCrashedException}, and so does every call after it. The write that was cut may
 * survive in part; the sync that was cut has made nothing durable, so anything may have survived.
 * {@link #reopen} is the machine coming up again. The typical loop:
 *
 * <pre>{@code
 * for (long cut = 1; ; cut++) {
 *   CrashableByteStore store = CrashableByteStore.ofSize(size, seed);
 *   store.cutAtChange(cut);
 *   boolean crashed = runs(store);          // catches StoreCrashedException
 *   check(store.crash().reopen());
 *   if (!crashed) break;                    // the run was over before the cut
 * }
 * }</pre>
 *
 * <p>Thread-safe: calls are serialized.
 */
public final class CrashableByteStore implements ByteStore {
  /** Atom of persistent memory; smaller than that of any disk, so the harsher choice. */
  public static final int DEFAULT_ATOM_BYTES = 8;

  private static final long NEVER = Long.MAX_VALUE;

  /** A write or the part of one that no sync has covered. */
  private record Pending(int offset, byte[] bytes) {
    int end() {
      return offset + bytes.length;
    }
  }

  private final Random random;
  private final int atomBytes;
  private final byte[] current;
  private final byte[] durable;
  private List<Pending> pending = new ArrayList<>();
  private long writes;
  private long syncs;
  private long cutWrite = NEVER;
  private long cutSync = NEVER;
  private long cutChange = NEVER;
  private long failChange = NEVER;
  private boolean hasSyncFailed;
  private boolean isCrashed;

  private CrashableByteStore(byte[] content, int atomBytes, Random random) {
    this.current = content.clone();
    this.durable = content.clone();
    this.atomBytes = atomBytes;
    this.random = random;
  }

  /** A store of durable zeros. */
  public static CrashableByteStore ofSize(int sizeBytes, long seed) {
    return of(new byte[sizeBytes], DEFAULT_ATOM_BYTES, new Random(seed));
  }

  /** A store with this durable content. */
  public static CrashableByteStore of(byte[] content, int atomBytes, Random random) {
    Checks.argument(content.length > 0, "make a store", "content.length", content.length, "> 0");
    Checks.argument(atomBytes > 0, "make a store", "atomBytes", atomBytes, "> 0");
    return new CrashableByteStore(content, atomBytes, random);
  }

  /** Crashes at the {@code n}-th write from now, 1 being the next. */
  public synchronized CrashableByteStore cutAtWrite(long n) {
    Checks.argument(n > 0, "cut a store", "n", n, "> 0");
    cutWrite = writes + n;
    return this;
  }

  /** Crashes at the {@code n}-th sync from now, 1 being the next. */
  public synchronized CrashableByteStore cutAtSync(long n) {
    Checks.argument(n > 0, "cut a store", "n", n, "> 0");
    cutSync = syncs + n;
    return this;
  }

  /** Crashes at the {@code n}-th write or sync from now, 1 being the next. */
  public synchronized CrashableByteStore cutAtChange(long n) {
    Checks.argument(n > 0, "cut a store", "n", n, "> 0");
    cutChange = writes + syncs + n;
    return this;
  }

  /**
   * Lets the first sync fail that is the {@code n}-th write or sync from now or a later one, as
   * Linux does since 4.13: what was to be synced is still read, and counts as clean. No later sync
   * makes it durable, unless it is written again.
   */
  public synchronized CrashableByteStore failSyncFrom(long n) {
    Checks.argument(n > 0, "fail a sync", "n", n, "> 0");
    failChange = writes + syncs + n;
    hasSyncFailed = false;
    return this;
  }

  /** Whether a sync has failed since {@link #failSyncFrom}. */
  public synchronized boolean hasSyncFailed() {
    return hasSyncFailed;
  }

  /** Crashes now. Idempotent. */
  public synchronized CrashableByteStore crash() {
    isCrashed = true;
    return this;
  }

  public synchronized boolean isCrashed() {
    return isCrashed;
  }

  /** Writes so far, the one that was cut included. */
  public synchronized long writes() {
    return writes;
  }

  /** Syncs so far, the one that was cut included. */
  public synchronized long syncs() {
    return syncs;
  }

  /** Bytes written since they were last durable; those written twice count twice. */
  public synchronized long unsyncedBytes() {
    return pending.stream().mapToLong(write -> write.bytes().length).sum();
  }

  /**
   * What survived, as a new store. May be called again: each call draws another outcome of the same
   * crash.
   *
   * @throws IllegalStateException unless the store has crashed
   */
  public synchronized CrashableByteStore reopen() {
    Checks.state(isCrashed, "reopen a store", "crashed", isCrashed, "true");
    return new CrashableByteStore(survivors(), atomBytes, new Random(random.nextLong()));
  }

  /** A copy of what reads see now, crashed or not. */
  public synchronized byte[] content() {
    return current.clone();
  }

  @Override
  public long sizeBytes() {
    return current.length;
  }

  @Override
  public synchronized void read(long offset, ByteBuffer dst) throws IOException {
    failIfCrashed("read");
    range("read", offset, dst.remaining());
    dst.put(current, (int) offset, dst.remaining());
  }

  @Override
  public synchronized void write(long offset, ByteBuffer src) throws IOException {
    failIfCrashed("write");
    range("write", offset, src.remaining());
    writes++;
    byte[] bytes = new byte[src.remaining()];
    src.get(bytes);
    if (bytes.length > 0) {
      pending.add(new Pending((int) offset, bytes));
      System.arraycopy(bytes, 0, current, (int) offset, bytes.length);
    }
    crashIf(writes == cutWrite || writes + syncs == cutChange, "write");
  }

  @Override
  public synchronized void sync(long offset, long lengthBytes) throws IOException {
    failIfCrashed("sync");
    range("sync", offset, lengthBytes);
    syncs++;
    crashIf(syncs == cutSync || writes + syncs == cutChange, "sync");
    int from = (int) offset;
    int to = (int) (offset + lengthBytes);
    boolean isFailing = !hasSyncFailed && writes + syncs >= failChange;
    List<Pending> left = new ArrayList<>();
    for (Pending write : pending) {
      if (!isFailing) {
        makeDurable(write, Math.max(write.offset(), from), Math.min(write.end(), to));
      }
      keep(write, write.offset(), Math.min(write.end(), from), left);
      keep(write, Math.max(write.offset(), to), write.end(), left);
    }
    pending = left;
    if (isFailing) {
      hasSyncFailed = true;
      throw new SyncFailedException(
          ErrorMessage.to("sync")
              .value("fault", "Input/output error")
              .expected("none")
              .offset(offset)
              .message());
    }
  }

  private void makeDurable(Pending write, int from, int to) {
    if (from < to) {
      System.arraycopy(write.bytes(), from - write.offset(), durable, from, to - from);
    }
  }

  @Override
  public void close() {
    // Closing makes nothing durable, as with a file.
  }

  private static void keep(Pending write, int from, int to, List<Pending> left) {
    if (from < to) {
      byte[] part = new byte[to - from];
      System.arraycopy(write.bytes(), from - write.offset(), part, 0, part.length);
      left.add(new Pending(from, part));
    }
  }

  /**
   * Each atom independently: the durable version, or the one after any of the writes that touched
   * it.
   */
  private byte[] survivors() {
    byte[] image = durable.clone();
    boolean[] stopped = new boolean[(image.length + atomBytes - 1) / atomBytes];
    // Some crashes lose nearly everything and some nearly nothing; both hide different defects.
    int lossPercent = new int[] {0, 10, 50, 90, 100}[random.nextInt(5)];
    for (Pending write : pending) {
      for (int atom = write.offset() / atomBytes; atom * atomBytes < write.end(); atom++) {
        stopped[atom] |= random.nextInt(100) < lossPercent;
        if (!stopped[atom]) {
          int from = Math.max(write.offset(), atom * atomBytes);
          int to = Math.min(write.end(), (atom + 1) * atomBytes);
          System.arraycopy(write.bytes(), from - write.offset(), image, from, to - from);
        }
      }
    }
    return image;
  }

  private void crashIf(boolean isCut, String doing) throws StoreCrashedException {
    if (isCut) {
      isCrashed = true;
      failIfCrashed(doing);
    }
  }

  private void failIfCrashed(String doing) throws StoreCrashedException {
    if (isCrashed) {
      throw new StoreCrashedException(
          ErrorMessage.to(doing)
              .value("crashed", true)
              .expected("a running machine")
              .where("writes", writes)
              .where("syncs", syncs)
              .message());
    }
  }

  private void range(String doing, long offset, long lengthBytes) throws IOException {
    if (offset < 0 || lengthBytes < 0 || offset > current.length - lengthBytes) {
      throw new IOException(
          ErrorMessage.to(doing)
              .value("lengthBytes", lengthBytes)
              .expected("a range inside sizeBytes=" + current.length)
              .offset(offset)
              .message());
    }
  }
}

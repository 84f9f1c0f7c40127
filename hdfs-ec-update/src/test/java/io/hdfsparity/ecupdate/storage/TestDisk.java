/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.storage;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.core.store.ByteStore;
import io.hdfsparity.core.store.CrashableByteStore;
import io.hdfsparity.ecupdate.ajx.ReplicaKey;
import io.hdfsparity.ecupdate.ajx.StripeCode;
import io.hdfsparity.ecupdate.storage.log.KillableStore;
import io.hdfsparity.ecupdate.storage.log.UpdateLog;
import io.hdfsparity.ecupdate.storage.log.UpdateLogOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.zip.CRC32C;

/**
 * A machine's disk in one {@link CrashableByteStore}, so that a cut hits all its files at once: the
 * log, and for each replica its bytes, their checksums, its state and its reserved space.
 */
final class TestDisk implements ReplicaStores {
  /** Is called before a call of a replica's store. */
  @FunctionalInterface
  interface Hook {
    /**
     * Something else happens, or fails.
     *
     * @param call name of the method
     */
    void before(String call) throws IOException;
  }

  /** As an error of memory: at any place, and no exception. */
  static final class InjectedError extends Error {
    private static final long serialVersionUID = 1L;

    InjectedError(String call) {
      super("injected into " + call);
    }
  }

  /** As bytes that do not fit their checksum. */
  static final class DamagedException extends IOException {
    private static final long serialVersionUID = 1L;

    DamagedException(int chunk) {
      super("chunk " + chunk + " does not fit its checksum");
    }
  }

  /** A chunk of a replica. */
  private record Chunk(ReplicaKey replica, int number) {}

  static final String OWNER = "DS-1";

  /** Message of an exception of a full disk. */
  static final String NO_ROOM = "No space left on device";

  /** Message of an exception of a process that has too many files open. */
  static final String NO_DESCRIPTOR = "Too many open files";

  static final int CHUNK_BYTES = 16;
  static final int CELL_BYTES = 64;
  static final int STRIPES = 3;
  static final int FILE_BYTES = STRIPES * CELL_BYTES;
  static final int RESERVED_BYTES = 512;
  static final EngineOptions OPTIONS =
      new EngineOptions(
          new UpdateLogOptions(2048, 6144, CHUNK_BYTES),
          2048,
          8192,
          new ReservedSpaceOptions(0.3, 128, RESERVED_BYTES, 0.5),
          2,
          20,
          5,
          1 << 20);

  private static final int LOG_BYTES = 8192 + 49152;
  private static final int STATE_BYTES = 16384;
  private static final int CRC_BYTES = FILE_BYTES / CHUNK_BYTES * Integer.BYTES;
  private static final int AREA_BYTES = ReservedHead.RECORDS_OFFSET + RESERVED_BYTES;
  private static final int REPLICA_BYTES =
      FILE_BYTES + CRC_BYTES + 2 * STATE_BYTES + Long.BYTES + AREA_BYTES;

  private final Map<ReplicaKey, ReplicaLayout> layouts;
  private final CrashableByteStore store;
  private final KillableStore process;
  private final String scheme;
  private final Set<Chunk> damaged = ConcurrentHashMap.newKeySet();
  private final Set<ReplicaKey> unreadable = ConcurrentHashMap.newKeySet();
  private final Set<String> prepared = ConcurrentHashMap.newKeySet();
  private volatile Hook hook = call -> {};

  private TestDisk(
      Map<ReplicaKey, ReplicaLayout> layouts, CrashableByteStore store, String scheme) {
    this.layouts = layouts;
    this.store = store;
    process = new KillableStore(store);
    this.scheme = scheme;
  }

  /** The layout of a unit whose chunks and cells are as small as its disk is. */
  static ReplicaLayout layout(StripeCode code, int block, int lengthBytes) {
    return new ReplicaLayout(code, block, CELL_BYTES, CHUNK_BYTES, lengthBytes, STRIPES);
  }

  /** A disk with replicas whose bytes were never updated. */
  static TestDisk of(
      Map<ReplicaKey, ReplicaLayout> layouts,
      Map<ReplicaKey, byte[]> contents,
      String scheme,
      Random random)
      throws IOException {
    CrashableByteStore store =
        CrashableByteStore.of(new byte[LOG_BYTES + layouts.size() * REPLICA_BYTES], 8, random);
    TestDisk disk = new TestDisk(new LinkedHashMap<>(layouts), store, scheme);
    UpdateLog.format(disk.logStore(), OWNER, 1 + random.nextInt(1000));
    for (Map.Entry<ReplicaKey, byte[]> content : contents.entrySet()) {
      Files files = disk.files(content.getKey());
      files.write(0, content.getValue());
      files.force();
    }
    return disk;
  }

  CrashableByteStore store() {
    return store;
  }

  /** Kills the process now: all that it wrote is there, until the machine crashes. */
  void kill() {
    process.kill();
  }

  /** As {@link #kill}, or a crash of the machine, at the n-th write or force from now. */
  void stopAtChange(long n, boolean isKill) {
    if (isKill) {
      process.killAtChange(n);
    } else {
      store.cutAtChange(n);
    }
  }

  /** Whether the machine has crashed or the process was killed. */
  boolean isDown() {
    return store.isCrashed() || process.isKilled();
  }

  /** Comes up again after a crash or a kill. */
  TestDisk reopen() {
    return new TestDisk(layouts, store.isCrashed() ? store.reopen() : store, scheme);
  }

  /** What is open to be written. */
  Set<String> prepared() {
    return Set.copyOf(prepared);
  }

  void hook(Hook next) {
    hook = next;
  }

  /** From now on a chunk of a replica does not fit its checksum. */
  void damage(ReplicaKey key, int chunk) {
    damaged.add(new Chunk(key, chunk));
  }

  /** The file of a replica's reserved space is deleted. */
  void deleteReservedSpace(ReplicaKey key) throws IOException {
    files(key).areaSizeBytes(0);
  }

  /** From now on the files of a replica cannot be opened. */
  void makeUnreadable(ReplicaKey key) {
    unreadable.add(key);
  }

  /** Throws an {@link InjectedError} at the n-th call of a store from now, and then no more. */
  void failAtCall(int n) {
    int[] left = {n};
    hook =
        call -> {
          if (--left[0] == 0) {
            throw new InjectedError(call);
          }
        };
  }

  /** The usual options but for what is kept of replaced bytes. */
  static EngineOptions keepingAtMost(long receiptBytes) {
    return new EngineOptions(
        OPTIONS.log(),
        OPTIONS.overlayBytes(),
        OPTIONS.logHighBytes(),
        OPTIONS.reserved(),
        OPTIONS.drainDelayMs(),
        OPTIONS.sealAfterMs(),
        OPTIONS.quiescentAfterMs(),
        receiptBytes);
  }

  /** The usual options but for what is kept of changes of a replica that are in the log only. */
  static EngineOptions takingAtMost(int overlayBytes) {
    return new EngineOptions(
        OPTIONS.log(),
        overlayBytes,
        OPTIONS.logHighBytes(),
        OPTIONS.reserved(),
        OPTIONS.drainDelayMs(),
        OPTIONS.sealAfterMs(),
        OPTIONS.quiescentAfterMs(),
        OPTIONS.maxReceiptBytes());
  }

  BlockEngine openEngine() throws IOException, InterruptedException {
    return openEngine(OPTIONS);
  }

  BlockEngine openEngine(EngineOptions options) throws IOException, InterruptedException {
    return BlockEngine.open(logStore(), OWNER, options, this);
  }

  ByteStore logStore() {
    return new Slice(0, LOG_BYTES);
  }

  @Override
  public Optional<ReplicaStore> open(ReplicaKey key) throws IOException {
    if (unreadable.contains(key)) {
      throw new IOException("Cannot read the files of " + key);
    }
    return layouts.containsKey(key) ? Optional.of(files(key)) : Optional.empty();
  }

  Files files(ReplicaKey key) {
    int number = 0;
    for (ReplicaKey other : layouts.keySet()) {
      if (other.equals(key)) {
        return new Files(key, layouts.get(key), LOG_BYTES + (long) number * REPLICA_BYTES);
      }
      number++;
    }
    throw new IllegalArgumentException("No replica " + key);
  }

  /** The bytes are gone, as those of another disk that has taken this one's place. */
  void scramble(ReplicaKey key, Random random) throws IOException {
    byte[] garbage = new byte[layouts.get(key).lengthBytes()];
    random.nextBytes(garbage);
    Hook engines = hook;
    hook = call -> {};
    try {
      Files files = files(key);
      files.write(0, garbage);
      files.force();
    } finally {
      hook = engines;
    }
  }

  /** Part of the disk. */
  private final class Slice implements ByteStore {
    private final long start;
    private final long sizeBytes;

    Slice(long start, long sizeBytes) {
      this.start = start;
      this.sizeBytes = sizeBytes;
    }

    @Override
    public long sizeBytes() {
      return sizeBytes;
    }

    private void check(long offset, long lengthBytes) {
      assertThat(offset).isBetween(0L, sizeBytes - lengthBytes);
    }

    @Override
    public void read(long offset, ByteBuffer dst) throws IOException {
      check(offset, dst.remaining());
      process.read(start + offset, dst);
    }

    @Override
    public void write(long offset, ByteBuffer src) throws IOException {
      check(offset, src.remaining());
      process.write(start + offset, src);
    }

    @Override
    public void sync(long offset, long lengthBytes) throws IOException {
      check(offset, lengthBytes);
      process.sync(start + offset, lengthBytes);
    }

    @Override
    public void close() {}
  }

  /** The files of a replica. */
  final class Files implements ReplicaStore {
    private final ReplicaKey key;
    private final ReplicaLayout layout;
    private final Slice file;
    private final Slice checksums;
    private final Slice states;
    private final Slice areaSize;
    private final Slice areaBytes;

    private Files(ReplicaKey key, ReplicaLayout layout, long start) {
      this.key = key;
      this.layout = layout;
      file = new Slice(start, FILE_BYTES);
      checksums = new Slice(start + FILE_BYTES, CRC_BYTES);
      states = new Slice(start + FILE_BYTES + CRC_BYTES, 2 * STATE_BYTES);
      areaSize = new Slice(start + FILE_BYTES + CRC_BYTES + 2 * STATE_BYTES, Long.BYTES);
      areaBytes =
          new Slice(start + FILE_BYTES + CRC_BYTES + 2 * STATE_BYTES + Long.BYTES, AREA_BYTES);
    }

    @Override
    public ReplicaLayout layout() {
      try {
        hook.before("layout");
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      return layout;
    }

    @Override
    public String scheme() {
      return scheme;
    }

    @Override
    public void read(int offset, byte[] into) throws IOException {
      hook.before("read");
      for (int chunk = offset / CHUNK_BYTES; chunk * CHUNK_BYTES < offset + into.length; chunk++) {
        if (damaged.contains(new Chunk(key, chunk))) {
          throw new DamagedException(chunk);
        }
      }
      file.read(offset, ByteBuffer.wrap(into));
    }

    @Override
    public boolean isShortage(IOException failure) {
      return Set.of(NO_ROOM, NO_DESCRIPTOR).contains(String.valueOf(failure.getMessage()));
    }

    @Override
    public void prepareWrite() throws IOException {
      open("prepareWrite");
    }

    /** As files that are opened by the first write, until they are forced. */
    private void open(String call) throws IOException {
      if (!prepared.contains("the file of " + key)) {
        hook.before(call);
        prepared.add("the file of " + key);
      }
    }

    @Override
    public boolean isDamage(IOException failure) {
      return failure instanceof DamagedException;
    }

    @Override
    public void write(int offset, byte[] bytes) throws IOException {
      hook.before("write");
      open("open");
      assertThat(offset % CHUNK_BYTES).as("whole chunks").isZero();
      file.write(offset, ByteBuffer.wrap(bytes));
      ByteBuffer sums = ByteBuffer.allocate((bytes.length + 15) / CHUNK_BYTES * Integer.BYTES);
      for (int at = 0; at < bytes.length; at += CHUNK_BYTES) {
        sums.putInt(crc(Arrays.copyOfRange(bytes, at, Math.min(bytes.length, at + CHUNK_BYTES))));
      }
      checksums.write((long) offset / CHUNK_BYTES * Integer.BYTES, sums.flip());
    }

    @Override
    public void force() throws IOException {
      hook.before("force");
      file.sync(0, FILE_BYTES);
      checksums.sync(0, CRC_BYTES);
      prepared.remove("the file of " + key);
    }

    /** No reader may ever see bytes and checksums that disagree. */
    void verifyChecksums() throws IOException {
      ByteBuffer bytes = ByteBuffer.allocate(FILE_BYTES);
      file.read(0, bytes);
      ByteBuffer sums = ByteBuffer.allocate(CRC_BYTES);
      checksums.read(0, sums);
      for (int at = 0; at < layout.lengthBytes(); at += CHUNK_BYTES) {
        int end = Math.min(layout.lengthBytes(), at + CHUNK_BYTES);
        assertThat(sums.getInt(at / CHUNK_BYTES * Integer.BYTES))
            .as("checksum of the chunk at %d", at)
            .isEqualTo(crc(Arrays.copyOfRange(bytes.array(), at, end)));
      }
    }

    @Override
    public byte[] readState() throws IOException {
      states.sync(0, 2 * STATE_BYTES);
      byte[] newest = new byte[0];
      long generation = 0;
      for (int copy = 0; copy < 2; copy++) {
        ByteBuffer bytes = stateCopy(copy);
        if (generationOf(bytes) > generation) {
          generation = generationOf(bytes);
          newest = Arrays.copyOfRange(bytes.array(), 16, 16 + bytes.getInt(8));
        }
      }
      return newest;
    }

    private ByteBuffer stateCopy(int copy) throws IOException {
      ByteBuffer bytes = ByteBuffer.allocate(STATE_BYTES);
      states.read((long) copy * STATE_BYTES, bytes);
      return bytes;
    }

    private long generationOf(ByteBuffer bytes) {
      int length = bytes.getInt(8);
      boolean isWhole =
          length > 0
              && length <= STATE_BYTES - 16
              && stateCrc(bytes.array(), length) == bytes.getInt(12);
      return isWhole ? bytes.getLong(0) : 0;
    }

    /** Of the generation, too: a torn write must not give old bytes a new one. */
    private int stateCrc(byte[] copy, int lengthBytes) {
      CRC32C crc = new CRC32C();
      crc.update(copy, 0, Long.BYTES);
      crc.update(copy, 16, lengthBytes);
      return (int) crc.getValue();
    }

    @Override
    public void writeState(byte[] state) throws IOException {
      hook.before("writeState");
      // As with files that are renamed: there is a durable one whatever was killed before.
      states.sync(0, 2 * STATE_BYTES);
      long first = generationOf(stateCopy(0));
      long second = generationOf(stateCopy(1));
      int copy = first < second ? 0 : 1;
      ByteBuffer bytes = ByteBuffer.allocate(16 + state.length);
      bytes.putLong(Math.max(first, second) + 1).putInt(state.length).putInt(0).put(state).flip();
      bytes.putInt(12, stateCrc(bytes.array(), state.length));
      ByteBuffer old = stateCopy(copy).clear();
      states.write((long) copy * STATE_BYTES, bytes);
      try {
        states.sync((long) copy * STATE_BYTES, STATE_BYTES);
      } catch (IOException e) {
        if (!isDown()) {
          states.write((long) copy * STATE_BYTES, old); // a file whose force fails is not renamed
        }
        throw e;
      }
    }

    private long areaSizeBytes() throws IOException {
      ByteBuffer size = ByteBuffer.allocate(Long.BYTES);
      areaSize.read(0, size);
      return size.getLong(0);
    }

    private void areaSizeBytes(long sizeBytes) throws IOException {
      areaSize.write(0, ByteBuffer.allocate(Long.BYTES).putLong(0, sizeBytes));
      areaSize.sync(0, Long.BYTES);
    }

    @Override
    public Optional<ReservedArea> reserved() throws IOException {
      return areaSizeBytes() == 0 ? Optional.empty() : Optional.of(new Area());
    }

    @Override
    public ReservedArea reserve(long sizeBytes) throws IOException {
      hook.before("reserve");
      areaSizeBytes(Math.max(areaSizeBytes(), sizeBytes));
      return new Area();
    }

    private final class Area implements ReservedArea {
      @Override
      public long sizeBytes() {
        try {
          return areaSizeBytes();
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }

      @Override
      public void read(long offset, ByteBuffer into) throws IOException {
        assertThat(offset + into.remaining()).isLessThanOrEqualTo(areaSizeBytes());
        areaBytes.read(offset, into);
      }

      @Override
      public void prepareWrite() throws IOException {
        if (prepared.add("the reserved space of " + key)) {
          try {
            hook.before("prepareArea");
          } catch (IOException e) {
            endWrite();
            throw e;
          }
        }
      }

      @Override
      public void endWrite() {
        prepared.remove("the reserved space of " + key);
      }

      /** As a file that is opened for each call, unless it is open. */
      private void open() throws IOException {
        if (!prepared.contains("the reserved space of " + key)) {
          hook.before("open");
        }
      }

      @Override
      public void write(long offset, ByteBuffer from) throws IOException {
        open();
        assertThat(offset + from.remaining()).isLessThanOrEqualTo(areaSizeBytes());
        areaBytes.write(offset, from);
      }

      @Override
      public void force() throws IOException {
        open();
        areaBytes.sync(0, AREA_BYTES);
      }

      @Override
      public void shrink(long toBytes) throws IOException {
        open();
        if (toBytes < areaSizeBytes()) {
          long gone = areaSizeBytes() - toBytes;
          areaSizeBytes(toBytes);
          areaBytes.write(toBytes, ByteBuffer.allocate((int) gone));
          areaBytes.sync(toBytes, gone);
        }
      }
    }
  }

  private static int crc(byte[] bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes);
    return (int) crc.getValue();
  }
}

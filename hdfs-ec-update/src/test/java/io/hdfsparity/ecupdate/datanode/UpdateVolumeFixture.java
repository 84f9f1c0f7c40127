/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.datanode;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.bridge.datanode.DatasetAccess.ReplicaView;
import io.hdfsparity.bridge.datanode.ReadCaller;
import io.hdfsparity.bridge.datanode.ReplicaSnapshot;
import io.hdfsparity.bridge.datanode.SnapshotReads;
import io.hdfsparity.core.check.ManualClock;
import io.hdfsparity.core.gf.GfMatrix;
import io.hdfsparity.ecupdate.ajx.Bytes;
import io.hdfsparity.ecupdate.ajx.CodeTable;
import io.hdfsparity.ecupdate.ajx.Patch;
import io.hdfsparity.ecupdate.ajx.ReplicaKey;
import io.hdfsparity.ecupdate.ajx.Request;
import io.hdfsparity.ecupdate.ajx.SlotKey;
import io.hdfsparity.ecupdate.ajx.Tid;
import io.hdfsparity.ecupdate.config.StorageKey;
import io.hdfsparity.ecupdate.protocol.SessionId;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** One volume with one replica that is updated, and readers of it; no clock but the test's. */
abstract class UpdateVolumeFixture {
  static final long BLOCK = -9_000_000_001L;
  static final int CELL_BYTES = 2048;
  static final int LENGTH_BYTES = 2 * CELL_BYTES + 700;
  static final int QUIET_MS = 3000;
  static final int AGE_MS = 4000;

  /** After a session has left: until then a decoder may have older data of other units. */
  static final int SETTLE_MS = AGE_MS + AGE_MS / 2 + QUIET_MS;

  static final SessionId ONE = new SessionId(11);
  static final SessionId TWO = new SessionId(12);
  static final int DATA = 0;
  static final int PARITY = 4;
  @TempDir Path root;
  final ManualClock clock = new ManualClock();
  final byte[] content = new byte[LENGTH_BYTES];
  GivenUpReplicas givenUp = new GivenUpReplicas(Runnable::run);

  /** What the volume does later, until the test does it. */
  final Queue<Runnable> rereads = new ConcurrentLinkedQueue<>();

  OneVolume disk;
  UpdateVolume volume;
  String scheme = "PL";
  String logBytes = "1M";
  String recordBytes = "64K";
  long tids;

  @BeforeEach
  void start() throws Exception {
    new Random(2).nextBytes(content);
    disk = new OneVolume(root);
    disk.add(BLOCK, content);
    restart();
  }

  /** What is to be different. */
  void configure(Configuration conf) {
    // as it is
  }

  void restart() throws IOException {
    restart(new LongAdder());
  }

  Configuration conf() {
    Configuration conf = new Configuration(false);
    conf.set(StorageKey.LOG_BYTES.key(), logBytes);
    conf.set(StorageKey.RECORD_BYTES.key(), recordBytes);
    conf.set(StorageKey.DRAIN_DELAY.key(), "5ms");
    conf.set(StorageKey.QUIET.key(), QUIET_MS + "ms");
    conf.set(StorageKey.SNAPSHOT_AGE.key(), AGE_MS + "ms");
    configure(conf);
    return conf;
  }

  void restart(LongAdder movesRefused) throws IOException {
    if (volume != null) {
      volume.close();
    }
    volume =
        new UpdateVolume(
            OneVolume.STORAGE,
            root,
            disk,
            StorageOptions.of(conf()),
            clock,
            movesRefused,
            givenUp,
            rereads::add);
    volume.start(OneVolume.POOL);
  }

  @AfterEach
  void stop() throws IOException {
    volume.close();
  }

  ReplicaDescriptor descriptor(int block) {
    return new ReplicaDescriptor(
        CodeTable.plain(GfMatrix.cauchyParity(3, 2)),
        block,
        CELL_BYTES,
        LENGTH_BYTES,
        3,
        OneVolume.STAMP,
        scheme);
  }

  void admit(int block) throws IOException {
    clock.advance(QUIET_MS);
    volume.admit(BLOCK, descriptor(block));
  }

  ReplicaSnapshot open(ReadCaller caller) throws IOException {
    ReplicaView replica = disk.replica(OneVolume.STORAGE, BLOCK);
    return volume
        .reads()
        .open(
            new SnapshotReads.Request(
                OneVolume.POOL,
                BLOCK,
                replica.generationStamp(),
                replica.lengthBytes(),
                replica.blockFile(),
                replica.metaFile(),
                caller));
  }

  void swap(int offset, byte[] fresh) throws Exception {
    volume
        .engineOf(BLOCK)
        .handle(
            new SlotKey(new ReplicaKey(OneVolume.POOL, BLOCK), offset / CELL_BYTES),
            new Request.Swap(
                new Patch(offset % CELL_BYTES, Bytes.wrap(fresh)), new Tid(1, ++tids, 0)))
        .get();
    System.arraycopy(fresh, 0, content, offset, fresh.length);
  }

  /** All of it, and its checksums are those of its bytes. */
  static byte[] read(ReplicaSnapshot snapshot) throws IOException {
    byte[] data = new byte[LENGTH_BYTES];
    for (int at = 0; at < data.length; ) {
      at += snapshot.readData(at, data, at, data.length - at);
    }
    assertThat(snapshot.readData(data.length, new byte[1], 0, 1)).isEqualTo(-1);
    byte[] meta = new byte[(int) snapshot.metaBytes()];
    for (int at = 0; at < meta.length; ) {
      // Odd pieces: a stream may be read so.
      at += snapshot.readMeta(at, meta, at, Math.min(5, meta.length - at));
    }
    assertThat(meta).isEqualTo(TestReplica.meta(data));
    return data;
  }

  void add(int offset, byte[] delta) throws Exception {
    volume
        .engineOf(BLOCK)
        .handle(
            new SlotKey(new ReplicaKey(OneVolume.POOL, BLOCK), offset / CELL_BYTES),
            new Request.Add(
                new Patch(offset % CELL_BYTES, Bytes.wrap(delta)),
                Request.Scaling.BY_CLIENT,
                new Tid(1, ++tids, 0),
                null,
                0))
        .get();
    for (int i = 0; i < delta.length; i++) {
      content[offset + i] ^= delta[i];
    }
  }

  void enter(int block, SessionId session) throws IOException {
    clock.advance(QUIET_MS);
    volume.admit(BLOCK, descriptor(block), session);
  }
}

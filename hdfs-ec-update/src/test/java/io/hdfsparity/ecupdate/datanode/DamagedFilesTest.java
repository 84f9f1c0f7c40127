/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.datanode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hdfsparity.bridge.datanode.DatasetAccess.ReplicaView;
import io.hdfsparity.bridge.datanode.ReadCaller;
import io.hdfsparity.bridge.datanode.ReplicaSnapshot;
import io.hdfsparity.bridge.datanode.SnapshotReads;
import io.hdfsparity.core.check.ManualClock;
import io.hdfsparity.core.check.SeededRuns;
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
import io.hdfsparity.ecupdate.storage.PinnedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A DataNode starts after any of its files was damaged: bits, a torn or overwritten part, a cut
 * end, more behind the end. Of the replica to which it belongs nothing is said that is not so; the
 * others are served and updated. When the log is damaged, those that may have changes in it are
 * withheld, and those that were never updated are served.
 */
@Timeout(180)
class DamagedFilesTest {
  private static final long PARITY = -9_000_000_001L;
  private static final long DATA = PARITY - 16;
  private static final long PLAIN = PARITY - 32;
  private static final int PARITY_INDEX = 4;
  private static final int CELL_BYTES = 2048;
  private static final int LENGTH_BYTES = 2 * CELL_BYTES + 700;
  private static final int QUIET_MS = 3000;
  private static final int RUNS = 150;
  private static final SessionId SESSION = new SessionId(11);
  private static final String LOG = "update.log";

  /** Without content: that it is there is all it says. */
  private static final String MARKER = "admitted";

  @TempDir Path root;
  private final Map<Long, byte[]> contents = new TreeMap<>();
  private long tids;

  /** A DataNode's volume while it is up. */
  private final class Node implements AutoCloseable {
    final OneVolume disk;
    final UpdateVolume volume;
    final ManualClock clock = new ManualClock();

    Node(OneVolume disk) throws IOException {
      this.disk = disk;
      Configuration conf = new Configuration(false);
      conf.set(StorageKey.LOG_BYTES.key(), "1M");
      conf.set(StorageKey.RECORD_BYTES.key(), "64K");
      conf.set(StorageKey.DRAIN_DELAY.key(), "5ms");
      conf.set(StorageKey.RESERVED_BYTES.key(), "16K");
      conf.set(StorageKey.RESERVED_CHUNK_BYTES.key(), "4K");
      conf.set(StorageKey.QUIET.key(), QUIET_MS + "ms");
      volume =
          new UpdateVolume(OneVolume.STORAGE, disk.root(), disk, StorageOptions.of(conf), clock);
      volume.start(OneVolume.POOL);
    }

    void admit(long block) throws IOException {
      clock.advance(QUIET_MS);
      volume.admit(
          block,
          new ReplicaDescriptor(
              CodeTable.plain(GfMatrix.cauchyParity(3, 2)),
              block == PARITY ? PARITY_INDEX : 0,
              CELL_BYTES,
              LENGTH_BYTES,
              3,
              OneVolume.STAMP,
              block == PARITY ? "PLR" : "FL"),
          SESSION);
    }

    /** Adds to parity, or replaces data. */
    void update(long block, Random random) throws Exception {
      byte[] fresh = new byte[1 + random.nextInt(300)];
      random.nextBytes(fresh);
      int offset = random.nextInt(LENGTH_BYTES - fresh.length);
      int stripe = offset / CELL_BYTES;
      int inCell = offset % CELL_BYTES;
      byte[] part = Arrays.copyOf(fresh, Math.min(fresh.length, CELL_BYTES - inCell));
      Tid tid = new Tid(tids % 7, ++tids, 0);
      Patch patch = new Patch(inCell, Bytes.wrap(part));
      Request request =
          block == PARITY
              ? new Request.Add(patch, Request.Scaling.BY_CLIENT, tid, null, 0)
              : new Request.Swap(patch, tid);
      volume
          .engineOf(block)
          .handle(new SlotKey(new ReplicaKey(OneVolume.POOL, block), stripe), request)
          .get();
      byte[] content = contents.get(block);
      for (int i = 0; i < part.length; i++) {
        content[offset + i] = (byte) (block == PARITY ? content[offset + i] ^ part[i] : part[i]);
      }
    }

    /** What updaters see. */
    byte[] read(long block) throws Exception {
      try (PinnedReader reader =
          volume.engineOf(block).openReader(new ReplicaKey(OneVolume.POOL, block))) {
        return reader.read(0, LENGTH_BYTES);
      }
    }

    /** What stock clients see. */
    byte[] readStock(long block) throws IOException {
      ReplicaView replica = disk.replica(OneVolume.STORAGE, block);
      SnapshotReads.Request request =
          new SnapshotReads.Request(
              OneVolume.POOL,
              block,
              replica.generationStamp(),
              replica.lengthBytes(),
              replica.blockFile(),
              replica.metaFile(),
              ReadCaller.CLIENT);
      byte[] data = new byte[LENGTH_BYTES];
      try (ReplicaSnapshot snapshot = volume.reads().open(request)) {
        for (int at = 0; at < data.length; ) {
          at += snapshot.readData(at, data, at, data.length - at);
        }
        byte[] meta = new byte[(int) snapshot.metaBytes()];
        for (int at = 0; at < meta.length; ) {
          at += snapshot.readMeta(at, meta, at, meta.length - at);
        }
        assertThat(meta).as("checksums of %d", block).isEqualTo(TestReplica.meta(data));
      }
      return data;
    }

    boolean isWithheld(long block) {
      return volume.reads().withheld().contains(block);
    }

    @Override
    public void close() throws IOException {
      volume.close();
    }
  }

  /**
   * As after the end of a DataNode: parity has deltas in reserved space, data changes in the log.
   */
  private Path prepare() throws Exception {
    Random random = new Random(2);
    OneVolume disk = new OneVolume(root.resolve("before"));
    for (long block : new long[] {PARITY, DATA, PLAIN}) {
      byte[] content = new byte[LENGTH_BYTES];
      random.nextBytes(content);
      contents.put(block, content);
      disk.add(block, content);
    }
    try (Node node = new Node(disk)) {
      for (long block : new long[] {PARITY, DATA}) {
        node.admit(block);
      }
      for (int i = 0; i < 60; i++) {
        node.update(i % 2 == 0 ? PARITY : DATA, random);
      }
      ReplicaKey key = new ReplicaKey(OneVolume.POOL, PARITY);
      await("deltas have moved to reserved space")
          .until(() -> node.volume.running().status(key).reservedUsedBytes() > 0);
    }
    return disk.root();
  }

  /** The same files for another life. */
  private OneVolume copy(Path before, Path to) throws IOException {
    OneVolume disk = new OneVolume(to);
    for (Map.Entry<Long, byte[]> each : contents.entrySet()) {
      disk.add(each.getKey(), each.getValue());
    }
    try (Stream<Path> files = Files.walk(before)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        Path target = to.resolve(before.relativize(file).toString());
        if (Files.isDirectory(file)) {
          Files.createDirectories(target);
        } else {
          Files.write(target, Files.readAllBytes(file));
        }
      }
    }
    return disk;
  }

  private static String damage(Path file, Random random) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    int kind = random.nextInt(5);
    int at = random.nextInt(Math.max(1, bytes.length));
    switch (kind) {
      case 0 -> bytes = Arrays.copyOf(bytes, at);
      case 1 -> bytes = new byte[0];
      case 2 -> {
        byte[] more = Arrays.copyOf(bytes, bytes.length + 1 + random.nextInt(600));
        Arrays.fill(more, bytes.length, more.length, (byte) 0x5a);
        bytes = more;
      }
      case 3 -> {
        int to = Math.min(bytes.length, at + 1 + random.nextInt(600));
        for (int i = at; i < to; i++) {
          bytes[i] = (byte) random.nextInt();
        }
      }
      default -> bytes[at] ^= (byte) (1 << random.nextInt(8));
    }
    Files.write(file, bytes);
    return file.getFileName()
        + ": "
        + List.of("cut at ", "emptied ", "longer ", "overwritten from ", "bit of ").get(kind)
        + at;
  }

  private List<String> files(Path volume) throws IOException {
    try (Stream<Path> all = Files.list(volume.resolve("ecupdate/BP-1"))) {
      return new ArrayList<>(
          new TreeSet<>(
              all.map(f -> f.getFileName().toString()).filter(f -> !f.equals(MARKER)).toList()));
    }
  }

  @Test
  void whateverFileIsDamagedNothingWrongIsRead() throws Exception {
    Path before = prepare();
    assertThat(before.resolve("ecupdate/BP-1").resolve(MARKER)).isEmptyFile();
    List<String> files = files(before);
    assertThat(files)
        .contains(LOG)
        .anyMatch(file -> file.endsWith(".plr"))
        .anyMatch(file -> file.endsWith(".state"))
        .anyMatch(file -> file.endsWith(".sessions"))
        .anyMatch(file -> file.endsWith(".replica"));
    Map<Long, byte[]> kept = new TreeMap<>();
    contents.forEach((block, bytes) -> kept.put(block, bytes.clone()));
    int[] told = new int[files.size()];
    int[] run = {0};
    SeededRuns.of(RUNS)
        .check(
            random -> {
              kept.forEach((block, bytes) -> contents.put(block, bytes.clone()));
              int which = run[0] % files.size();
              Path to = root.resolve("run" + run[0]++);
              OneVolume disk = copy(before, to);
              String what = damage(to.resolve("ecupdate/BP-1/" + files.get(which)), random);
              told[which] += check(disk, files.get(which), what, random) ? 1 : 0;
            });
    for (int which = 0; which < told.length; which++) {
      System.out.println(files.get(which) + ": replicas refused in runs: " + told[which]);
      if (!files.get(which).endsWith(".sessions")) {
        assertThat(told[which]).as("damage of %s is found", files.get(which)).isPositive();
      }
    }
  }

  /**
   * Whether a replica is refused.
   *
   * @param file that was damaged
   */
  private boolean check(OneVolume disk, String file, String what, Random random) throws Exception {
    boolean isTold = false;
    try (Node node = new Node(disk)) {
      assertThat(node.readStock(PLAIN)).as(what).isEqualTo(contents.get(PLAIN));
      for (long block : new long[] {PARITY, DATA}) {
        boolean isOwn = file.equals(LOG) || file.contains("blk_" + block);
        if (isOwn) {
          isTold |= isRefused(node, block, what);
        } else {
          serves(node, block, what, random);
        }
      }
    }
    if (!isTold) {
      try (Node again = new Node(disk)) {
        for (long block : new long[] {PARITY, DATA}) {
          assertThat(again.read(block)).as("%s, later", what).isEqualTo(contents.get(block));
        }
      }
    }
    return isTold;
  }

  private void serves(Node node, long block, String what, Random random) throws Exception {
    assertThat(node.isWithheld(block)).as(what).isFalse();
    assertThat(node.read(block)).as(what).isEqualTo(contents.get(block));
    node.admit(block);
    node.update(block, random);
    assertThat(node.read(block)).as("%s, and an update", what).isEqualTo(contents.get(block));
    if (block == DATA) {
      assertThat(node.readStock(block)).as(what).isEqualTo(contents.get(block));
    }
  }

  /** Either it is refused to all, or it is right. */
  private boolean isRefused(Node node, long block, String what) throws Exception {
    if (node.isWithheld(block)) {
      assertThatThrownBy(() -> node.readStock(block)).as(what).isInstanceOf(IOException.class);
      assertThatThrownBy(() -> node.admit(block)).as(what).isInstanceOf(IOException.class);
      assertThatThrownBy(() -> node.read(block)).as(what).isInstanceOf(IOException.class);
      return true;
    }
    assertThat(node.read(block)).as(what).isEqualTo(contents.get(block));
    if (block == DATA) {
      assertThat(node.readStock(block)).as(what).isEqualTo(contents.get(block));
    }
    return false;
  }
}

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.ecupdate.ajx.Patch;
import io.hdfsparity.ecupdate.updater.StripedFileUpdater;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.tools.DistCp;
import org.apache.hadoop.tools.DistCpOptions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every way in which stock clients read, while programs update the file through all of the suite:
 * each read is of states that there were between its start and its end, no checksum is wrong, and
 * no damage is reported. There is one writer a cell, so that its states are known.
 */
@Timeout(1200)
class EcUpdateStockClientsTest {
  private static final int STRIPES = 4;
  private static final int FILE_BYTES =
      ((STRIPES - 1) * MiniUpdates.DATA + 1) * MiniUpdates.CELL_BYTES + 30_001;
  private static final int UPDATES = Integer.getInteger("ecupdate.random.updates", 10_000);
  private static final int FEW_UPDATES = 300;

  /** About so many updates are made while a kind of reader waits for its next turn. */
  private static final int UPDATES_A_READ = 30;

  /** A copy is a job, which costs as much as hundreds of updates. */
  private static final int UPDATES_A_COPY = 1_000;

  @TempDir static java.nio.file.Path root;
  private static MiniUpdates cluster;
  private static DistributedFileSystem fs;

  /** Asks for short circuit in the way that needs no native code. */
  private static FileSystem local;

  private static FileSystem web;

  private final AtomicLong now = new AtomicLong();
  private final AtomicInteger updatesLeft = new AtomicInteger();
  private final AtomicBoolean isOver = new AtomicBoolean();

  /** When reads that are under way began. */
  private final ConcurrentSkipListSet<Long> underWay = new ConcurrentSkipListSet<>();

  private final Map<String, AtomicInteger> reads = new HashMap<>();

  /** Of a kind of reader: it may begin another read after about so many updates. */
  private record UpdateTurn(int updates, Semaphore semaphore) {}

  private final List<UpdateTurn> turns = new CopyOnWriteArrayList<>();

  private final CellHistory[][] cells = new CellHistory[STRIPES][MiniUpdates.DATA];

  @BeforeAll
  static void start() throws IOException {
    Map<String, String> more = UpdateKeys.sessions("2s");
    more.put(
        DFSConfigKeys.DFS_BLOCK_LOCAL_PATH_ACCESS_USER_KEY,
        UserGroupInformation.getCurrentUser().getShortUserName());
    cluster = new MiniUpdates(root, 5, more);
    fs = cluster.fs();
    Configuration shortCircuit = new Configuration(fs.getConf());
    shortCircuit.setBoolean(HdfsClientConfigKeys.Read.ShortCircuit.KEY, true);
    shortCircuit.setBoolean(HdfsClientConfigKeys.DFS_CLIENT_USE_LEGACY_BLOCKREADERLOCAL, true);
    shortCircuit.set(HdfsClientConfigKeys.DFS_CLIENT_CONTEXT, "short circuit");
    local = FileSystem.newInstance(fs.getUri(), shortCircuit);
    web =
        FileSystem.newInstance(
            URI.create(
                "webhdfs://" + fs.getConf().get(DFSConfigKeys.DFS_NAMENODE_HTTP_ADDRESS_KEY)),
            fs.getConf());
  }

  @AfterAll
  static void stop() throws IOException {
    local.close();
    web.close();
    cluster.close();
  }

  private void create(String path, String scheme) throws IOException {
    byte[] bytes = cluster.create(path, FILE_BYTES);
    fs.setXAttr(
        new Path(path), "user.parity.ecupdate.scheme", scheme.getBytes(StandardCharsets.UTF_8));
    for (int cell = 0; cell * MiniUpdates.CELL_BYTES < FILE_BYTES; cell++) {
      int from = cell * MiniUpdates.CELL_BYTES;
      cells[cell / MiniUpdates.DATA][cell % MiniUpdates.DATA] =
          new CellHistory(
              Arrays.copyOfRange(bytes, from, Math.min(FILE_BYTES, from + MiniUpdates.CELL_BYTES)));
    }
  }

  private byte[] twin() {
    byte[] bytes = new byte[FILE_BYTES];
    for (int cell = 0; cell * MiniUpdates.CELL_BYTES < FILE_BYTES; cell++) {
      byte[] last = cells[cell / MiniUpdates.DATA][cell % MiniUpdates.DATA].last();
      System.arraycopy(last, 0, bytes, cell * MiniUpdates.CELL_BYTES, last.length);
    }
    return bytes;
  }

  /** Each cell of what was read has to be one of its states. */
  private void check(String how, int position, byte[] read, long began) {
    long ended = now.incrementAndGet();
    for (int at = position; at < position + read.length; ) {
      int cell = at / MiniUpdates.CELL_BYTES;
      int end = Math.min(position + read.length, (cell + 1) * MiniUpdates.CELL_BYTES);
      byte[] part = Arrays.copyOfRange(read, at - position, end - position);
      assertThat(
              cells[cell / MiniUpdates.DATA][cell % MiniUpdates.DATA].explains(
                  at % MiniUpdates.CELL_BYTES, part, began, ended))
          .as("%s: bytes %d to %d are of a state during the read", how, at, end)
          .isTrue();
      at = end;
    }
  }

  /** One writer a column of cells; those of a stripe meet at its parity. */
  private Void write(String path, int column) throws IOException {
    Random random = new Random(column);
    try (StripedFileUpdater updater = cluster.open(path)) {
      while (updatesLeft.getAndDecrement() > 0) {
        int stripe = random.nextInt(STRIPES);
        CellHistory cell = cells[stripe][column];
        if (cell == null) {
          updatesLeft.incrementAndGet();
          continue;
        }
        Long oldest = underWay.ceiling(Long.MIN_VALUE);
        cell.forget(oldest == null ? now.get() : oldest);
        Patch patch = cell.begin(random, now.incrementAndGet());
        updater.write(
            (long) (stripe * MiniUpdates.DATA + column) * MiniUpdates.CELL_BYTES + patch.offset(),
            patch.bytes().buffer());
        cell.end(now.incrementAndGet());
        for (UpdateTurn turn : turns) {
          if (random.nextInt(turn.updates()) == 0) {
            turn.semaphore().release();
          }
        }
      }
    }
    return null;
  }

  /** One read. */
  @FunctionalInterface
  private interface Read {
    void run(long began) throws Exception;
  }

  private Future<Void> reading(ExecutorService pool, String how, Read read) {
    return reading(pool, how, UPDATES_A_READ, read);
  }

  private Future<Void> reading(ExecutorService pool, String how, int updates, Read read) {
    AtomicInteger count = new AtomicInteger();
    reads.put(how, count);
    Semaphore turn = new Semaphore(1);
    turns.add(new UpdateTurn(updates, turn));
    return pool.submit(
        () -> {
          while (!isOver.get() || count.get() == 0) {
            turn.acquire();
            turn.drainPermits();
            long began = now.incrementAndGet();
            underWay.add(began);
            try {
              read.run(began);
              count.incrementAndGet();
            } finally {
              underWay.remove(began);
            }
          }
          return null;
        });
  }

  private void readWhole(String how, FileSystem from, String path, long began) throws IOException {
    try (FSDataInputStream in = from.open(new Path(path))) {
      check(how, 0, in.readAllBytes(), began);
    }
  }

  private void readPart(String how, FileSystem from, String path, Random random, long began)
      throws IOException {
    int position = random.nextInt(FILE_BYTES);
    byte[] bytes = new byte[1 + random.nextInt(Math.min(100_000, FILE_BYTES - position))];
    try (FSDataInputStream in = from.open(new Path(path))) {
      in.readFully(position, bytes);
    }
    check(how, position, bytes, began);
  }

  private void copy(String path, long began) throws Exception {
    Path folder = new Path("/copies");
    fs.mkdirs(folder);
    Configuration conf = new Configuration(fs.getConf());
    conf.set("mapreduce.framework.name", "local");
    conf.set("hadoop.tmp.dir", root.resolve("mapred").toString());
    // The source changes meanwhile, so that its checksum at the end is another one.
    DistCpOptions options =
        new DistCpOptions.Builder(
                List.of(fs.makeQualified(new Path(path))), fs.makeQualified(folder))
            .withSyncFolder(true)
            .withSkipCRC(true)
            .maxMaps(1)
            .build();
    assertThat(new DistCp(conf, options).execute().isSuccessful()).isTrue();
    readWhole("distcp", fs, folder + path, began);
    fs.delete(folder, true);
  }

  private void update(String scheme, int updates, boolean withCopies) throws Exception {
    String path = "/" + scheme + updates;
    create(path, scheme);
    cluster.open(path).close();
    final String[] nodes = cluster.group(path).nodes();
    updatesLeft.set(updates);
    ExecutorService pool = Executors.newCachedThreadPool();
    try {
      List<Future<Void>> readers = new ArrayList<>();
      Random random = new Random(7);
      readers.add(reading(pool, "whole", began -> readWhole("whole", fs, path, began)));
      readers.add(reading(pool, "pread", began -> readPart("pread", fs, path, random, began)));
      readers.add(
          reading(
              pool,
              "short circuit",
              began -> readPart("short circuit", local, path, random, began)));
      readers.add(reading(pool, "WebHDFS", began -> readWhole("WebHDFS", web, path, began)));
      readers.add(
          reading(
              pool,
              "checksum",
              began -> {
                assertThat(fs.getFileChecksum(new Path(path))).isNotNull();
                assertThat(cluster.corruptReplicas()).isZero();
              }));
      if (withCopies) {
        readers.add(reading(pool, "distcp", UPDATES_A_COPY, began -> copy(path, began)));
      }
      List<Future<Void>> writers = new ArrayList<>();
      for (int column = 0; column < MiniUpdates.DATA; column++) {
        int mine = column;
        writers.add(pool.submit(() -> write(path, mine)));
      }
      for (Future<Void> writer : writers) {
        writer.get(300, TimeUnit.SECONDS);
      }
      isOver.set(true);
      turns.forEach(turn -> turn.semaphore().release());
      for (Future<Void> reader : readers) {
        reader.get(120, TimeUnit.SECONDS);
      }
    } finally {
      isOver.set(true);
      pool.shutdownNow();
    }
    System.out.println(path + ": " + updates + " updates beside reads " + reads);
    byte[] twin = twin();
    for (FileSystem from : List.of(fs, local, web)) {
      try (FSDataInputStream in = from.open(new Path(path))) {
        assertThat(Arrays.equals(in.readAllBytes(), twin)).as("%s at the end", from).isTrue();
      }
    }
    cluster.write(path + "-twin", twin);
    assertThat(fs.getFileChecksum(new Path(path)))
        .isEqualTo(fs.getFileChecksum(new Path(path + "-twin")));
    cluster.verify(cluster.group(path));
    assertThat(cluster.corruptReplicas()).isZero();
    assertThat(cluster.group(path).nodes()).isEqualTo(nodes);
  }

  @ParameterizedTest
  @Tag("full")
  @ValueSource(strings = {"FO", "FL", "PL", "PLR"})
  void everyReadIsOfStatesThatThereWere(String scheme) throws Exception {
    update(scheme, UPDATES, /* withCopies= */ true);
  }

  @Test
  void alsoDuringAFewUpdates() throws Exception {
    update("PLR", FEW_UPDATES, /* withCopies= */ false);
  }
}

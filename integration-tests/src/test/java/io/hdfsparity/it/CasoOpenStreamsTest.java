/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.namenode.AuditLogger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Hadoop's own streams that have a file open while {@code hdfs caso} swaps it: they get the bytes
 * of the file or an error, never other bytes; while DataNodes still have the old blocks, and after
 * that.
 */
@Tag("full")
@Timeout(600)
class CasoOpenStreamsTest {
  /** A group holds nine cells, so that a file has 18 groups. */
  private static final int BLOCK_BYTES = 3 * MiniCaso.CELL_BYTES;

  /** Runs something once, when the NameNode has looked a path up and not answered yet. */
  public static final class Look implements AuditLogger {
    private static final AtomicReference<String> PATH = new AtomicReference<>();
    private static volatile Runnable then = () -> {};

    static void once(String path, Runnable run) {
      then = run;
      PATH.set(path);
    }

    @Override
    public void initialize(Configuration conf) {
      PATH.set(null);
    }

    @Override
    public void logAuditEvent(
        boolean succeeded,
        String userName,
        InetAddress addr,
        String cmd,
        String src,
        String dst,
        FileStatus stat) {
      String path = PATH.get();
      // Not that by which the stream is opened.
      if (cmd.equals("getfileinfo") && src.equals(path) && PATH.compareAndSet(path, null)) {
        // Its calls are not this one's.
        CompletableFuture.runAsync(then).join();
      }
    }
  }

  /** How a stream reads. */
  private enum Way {
    SEQUENTIAL,
    POSITIONAL
  }

  /** A stream that was opened before the swap, and what it has said since. */
  private static final class Open implements AutoCloseable {
    private final String name;
    private final Way way;
    private final FSDataInputStream in;

    /**
     * @param begun whether it has read something before the swap
     */
    Open(FileSystem fs, String path, Way way, boolean begun, byte[] bytes) throws IOException {
      name = way + (begun ? ", begun" : ", not begun");
      this.way = way;
      in = fs.open(new Path(path));
      if (begun) {
        assertThat(read(0, bytes)).isEqualTo(Result.RIGHT);
      }
    }

    private enum Result {
      RIGHT,
      WRONG,
      REFUSED
    }

    private Result read(int cell, byte[] bytes) {
      int from = cell * MiniCaso.CELL_BYTES;
      byte[] got = new byte[Math.min(MiniCaso.CELL_BYTES, bytes.length - from)];
      try {
        if (way == Way.POSITIONAL) {
          in.readFully(from, got);
        } else {
          in.seek(from);
          in.readFully(got);
        }
      } catch (IOException e) {
        return Result.REFUSED;
      } catch (NullPointerException e) {
        // Hadoop's stream has closed its decoder after an error, and is read again.
        assertThat(e).hasMessageContaining("this.decoder");
        return Result.REFUSED;
      }
      return Arrays.equals(got, Arrays.copyOfRange(bytes, from, from + got.length))
          ? Result.RIGHT
          : Result.WRONG;
    }

    /** What becomes of each cell, from the first to the last. */
    List<Result> readAll(byte[] bytes) {
      List<Result> results = new ArrayList<>();
      for (int cell = 0; cell * MiniCaso.CELL_BYTES < bytes.length; cell++) {
        results.add(read(cell, bytes));
      }
      return results;
    }

    @Override
    public void close() throws IOException {
      in.close();
    }
  }

  private static List<Open> openAll(FileSystem fs, String path, byte[] bytes) throws IOException {
    List<Open> all = new ArrayList<>();
    for (Way way : Way.values()) {
      for (boolean begun : new boolean[] {true, false}) {
        all.add(new Open(fs, path, way, begun, bytes));
      }
    }
    return all;
  }

  /** By heartbeats DataNodes are told to delete blocks. */
  private static void hold(MiniCaso caso, boolean held) {
    for (DataNode node : caso.cluster().getDataNodes()) {
      node.setHeartbeatsDisabledForTests(held);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whoHasTheFileOpen(boolean hasTokens, @TempDir java.nio.file.Path root) throws Exception {
    Map<String, String> more =
        Map.of(
            DFSConfigKeys.DFS_BLOCK_ACCESS_TOKEN_ENABLE_KEY,
            Boolean.toString(hasTokens),
            // A group's locations at a time, so that streams have to ask for the others.
            HdfsClientConfigKeys.Read.PREFETCH_SIZE_KEY,
            "1",
            DFSConfigKeys.DFS_NAMENODE_AUDIT_LOGGERS_KEY,
            "default," + Look.class.getName());
    try (MiniCaso caso = MiniCaso.start(root, more)) {
      organize(caso, "/open/f");
      restore(caso, "/again/f");
      rotate(caso, "/rotated", /* ordered= */ true);
      rotate(caso, "/plain", /* ordered= */ false);
      rotateDuringTheOpen(caso);
    }
  }

  private static void organize(MiniCaso caso, String path) throws Exception {
    byte[] bytes = caso.make(path, 1, BLOCK_BYTES);
    List<Open> streams = openAll(caso.stock(), path, bytes);
    List<String> former = caso.replicas(path);
    hold(caso, true);
    caso.organize(path);
    assertThat(caso.replicas(path)).doesNotContainAnyElementsOf(former);
    for (Open stream : streams) {
      List<Open.Result> results = stream.readAll(bytes);
      assertThat(results).as(stream.name).doesNotContain(Open.Result.WRONG);
      // The blocks that it knew are there, and those that it did not know are refused.
      assertThat(results.subList(0, 9)).as(stream.name).containsOnly(Open.Result.RIGHT);
      assertThat(results).as(stream.name).contains(Open.Result.REFUSED);
    }
    hold(caso, false);
    caso.awaitGone(former);
    for (Open stream : streams) {
      assertThat(stream.readAll(bytes)).as(stream.name).doesNotContain(Open.Result.WRONG);
      stream.close();
    }
    assertThatThrownBy(() -> caso.stock().open(new Path(path)).close())
        .isInstanceOf(IOException.class)
        .hasMessageContaining("order=stored");
    assertThat(caso.read(path)).isEqualTo(bytes);
  }

  /** The file gets another order and its own again: other blocks, the same bytes. */
  private static void restore(MiniCaso caso, String path) throws Exception {
    byte[] bytes = caso.make(path, 2, BLOCK_BYTES);
    List<Open> streams = openAll(caso.stock(), path, bytes);
    List<String> former = new ArrayList<>(caso.replicas(path));
    caso.organize(path);
    former.addAll(caso.replicas(path));
    caso.run("-restore", path);
    for (Open stream : streams) {
      assertThat(stream.readAll(bytes)).as(stream.name).doesNotContain(Open.Result.WRONG);
    }
    caso.awaitGone(former);
    for (Open stream : streams) {
      assertThat(stream.readAll(bytes)).as(stream.name).doesNotContain(Open.Result.WRONG);
      stream.close();
    }
    await("a stream that is opened now reads it")
        .untilAsserted(
            () -> {
              try (FSDataInputStream in = caso.stock().open(new Path(path))) {
                assertThat(in.readAllBytes()).isEqualTo(bytes);
              }
            });
  }

  /** The path by a snapshot gets to lead to another file. */
  private static void rotate(MiniCaso caso, String directory, boolean ordered) throws Exception {
    String path = directory + "/f";
    Path snapshotted = new Path(directory);
    byte[] bytes = caso.make(path, 3, BLOCK_BYTES);
    if (ordered) {
      caso.organize(path);
    }
    caso.stock().allowSnapshot(snapshotted);
    caso.stock().createSnapshot(snapshotted, "cur");
    List<String> former = caso.replicas(path);
    DataNode first = caso.cluster().getDataNodes().get(0);
    List<String> ofFirst = caso.replicas(path, first.getDatanodeUuid());
    try (FileSystem client = caso.client()) {
      List<Open> streams = openAll(client, directory + "/.snapshot/cur/f", bytes);
      hold(caso, true);
      putAnother(caso, directory, 4);
      for (Open stream : streams) {
        assertThat(stream.readAll(bytes)).as(stream.name).containsOnly(Open.Result.RIGHT);
      }
      // The stream asks for locations again, and can read what it is given.
      first.setHeartbeatsDisabledForTests(false);
      caso.awaitGone(ofFirst);
      for (int round = 0; round < 2; round++) {
        for (Open stream : streams) {
          assertThat(stream.readAll(bytes)).as(stream.name).doesNotContain(Open.Result.WRONG);
        }
      }
      hold(caso, false);
      caso.awaitGone(former);
      for (Open stream : streams) {
        assertThat(stream.readAll(bytes)).as(stream.name).containsOnly(Open.Result.REFUSED);
        stream.close();
      }
    }
  }

  /** Deletes the file and the snapshot that has it, and makes both again. */
  private static byte[] putAnother(MiniCaso caso, String directory, long seed) throws IOException {
    Path snapshotted = new Path(directory);
    caso.stock().delete(new Path(directory, "f"), /* recursive= */ false);
    byte[] bytes = caso.make(directory + "/f", seed, BLOCK_BYTES);
    caso.stock().deleteSnapshot(snapshotted, "cur");
    caso.stock().createSnapshot(snapshotted, "cur");
    return bytes;
  }

  /** Between two calls of an open, a path gets to lead to a file in its own order. */
  private static void rotateDuringTheOpen(MiniCaso caso) throws Exception {
    String directory = "/during";
    String path = directory + "/.snapshot/cur/f";
    caso.make(directory + "/f", 5, BLOCK_BYTES);
    caso.organize(directory + "/f");
    caso.stock().allowSnapshot(new Path(directory));
    caso.stock().createSnapshot(new Path(directory), "cur");
    hold(caso, true);
    AtomicReference<byte[]> another = new AtomicReference<>();
    try (FileSystem client = caso.client()) {
      Look.once(
          path,
          () -> {
            try {
              another.set(putAnother(caso, directory, 6));
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
          });
      try (FSDataInputStream in = client.open(new Path(path))) {
        assertThat(in.readAllBytes()).isEqualTo(another.get());
      }
    }
    hold(caso, false);
  }
}

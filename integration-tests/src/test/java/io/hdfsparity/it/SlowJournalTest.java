/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.server.common.Storage;
import org.apache.hadoop.hdfs.server.common.StorageInfo;
import org.apache.hadoop.hdfs.server.namenode.EditLogInputStream;
import org.apache.hadoop.hdfs.server.namenode.EditLogOutputStream;
import org.apache.hadoop.hdfs.server.namenode.FSEditLogOp;
import org.apache.hadoop.hdfs.server.namenode.JournalManager;
import org.apache.hadoop.hdfs.server.namenode.UpdateFiles;
import org.apache.hadoop.hdfs.server.protocol.NamespaceInfo;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Users ask for changes that have to be durable; other users must not wait for the journal. */
@Tag("full")
class SlowJournalTest {
  /** The flush that goes on now, or is next. */
  private static final AtomicReference<Flush> FLUSH = new AtomicReference<>(new Flush());

  private static final class Flush {
    private final CountDownLatch ended = new CountDownLatch(1);
    private final CountDownLatch begun = new CountDownLatch(1);
  }

  @Test
  void writersOfTheNamespaceDoNotWaitForIt(@TempDir Path root) throws Exception {
    FLUSH.get().ended.countDown();
    Configuration conf = new Configuration();
    conf.set(DFSConfigKeys.DFS_NAMENODE_EDITS_PLUGIN_PREFIX + ".slow", Journal.class.getName());
    conf.set(
        DFSConfigKeys.DFS_NAMENODE_EDITS_DIR_KEY, root.resolve("edits").toUri() + ",slow://here");
    try (MiniDFSCluster cluster =
        new MiniDFSCluster.Builder(conf, root.toFile()).numDataNodes(0).build()) {
      cluster.waitActive();
      DistributedFileSystem fs = cluster.getFileSystem();
      UpdateFiles files = new UpdateFiles(cluster.getNameNode());
      Flush flush = new Flush();
      FLUSH.set(flush);
      CompletableFuture<Boolean> first = mkdirs(fs, "/first");
      assertThat(flush.begun.await(1, TimeUnit.MINUTES)).isTrue();
      AtomicReference<Throwable> failure = new AtomicReference<>();
      Thread waits =
          new Thread(
              () -> {
                try {
                  files.sync("test");
                } catch (Exception e) {
                  failure.set(e);
                }
              });
      waits.start();
      CompletableFuture<Boolean> second;
      try {
        await().until(() -> isWaiting(waits));
        second = mkdirs(fs, "/second");
        await("the namespace changes though the journal does not")
            .atMost(Duration.ofMinutes(1))
            .until(() -> fs.exists(new org.apache.hadoop.fs.Path("/second")));
        assertThat(waits.isAlive()).as("its answer is durable").isTrue();
        assertThat(second).isNotDone();
      } finally {
        flush.ended.countDown();
      }
      waits.join();
      assertThat(failure).hasNullValue();
      assertThat(first.join() && second.join()).isTrue();
      assertThat(written(root.resolve("edits"))).as("what is acknowledged").contains("second");
    }
  }

  /** What the journal in a directory has, as text. */
  private static String written(Path edits) throws java.io.IOException {
    StringBuilder text = new StringBuilder();
    for (Path file : LiveFiles.under(edits)) {
      if (file.getFileName().toString().startsWith("edits_")) {
        text.append(Files.readString(file, StandardCharsets.ISO_8859_1));
      }
    }
    return text.toString();
  }

  private static CompletableFuture<Boolean> mkdirs(DistributedFileSystem fs, String path) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return fs.mkdirs(new org.apache.hadoop.fs.Path(path));
          } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
          }
        },
        task -> new Thread(task, "mkdirs").start());
  }

  private static boolean isWaiting(Thread thread) {
    return thread.getState() == Thread.State.TIMED_WAITING
        && Arrays.stream(thread.getStackTrace())
            .anyMatch(frame -> frame.getClassName().endsWith(".DurableLog"));
  }

  /** Keeps nothing, and is as slow as the test wants. */
  public static final class Journal implements JournalManager {
    /** As FSEditLog makes it. */
    public Journal(Configuration conf, URI uri, NamespaceInfo namespace, String nameService) {}

    @Override
    public EditLogOutputStream startLogSegment(long txId, int layoutVersion)
        throws java.io.IOException {
      return new Stream();
    }

    @Override
    public void format(NamespaceInfo namespace, boolean force) {}

    @Override
    public boolean hasSomeData() {
      return false;
    }

    @Override
    public void finalizeLogSegment(long firstTxId, long lastTxId) {}

    @Override
    public void selectInputStreams(
        Collection<EditLogInputStream> streams,
        long fromTxId,
        boolean inProgressOk,
        boolean onlyDurableTxns) {}

    @Override
    public void purgeLogsOlderThan(long minTxId) {}

    @Override
    public void setOutputBufferCapacity(int size) {}

    @Override
    public void recoverUnfinalizedSegments() {}

    @Override
    public void doPreUpgrade() {}

    @Override
    public void doUpgrade(Storage storage) {}

    @Override
    public void doFinalize() {}

    @Override
    public boolean canRollBack(StorageInfo storage, StorageInfo previous, int layoutVersion) {
      return false;
    }

    @Override
    public void doRollback() {}

    @Override
    public void discardSegments(long startTxId) {}

    @Override
    public long getJournalCTime() {
      return 0;
    }

    @Override
    public void close() {}
  }

  private static final class Stream extends EditLogOutputStream {
    Stream() throws java.io.IOException {}

    @Override
    protected void flushAndSync(boolean durable) throws java.io.IOException {
      Flush flush = FLUSH.get();
      flush.begun.countDown();
      try {
        flush.ended.await();
      } catch (InterruptedException e) {
        throw new java.io.IOException("interrupted", e);
      }
    }

    @Override
    public void write(FSEditLogOp op) {}

    @Override
    public void writeRaw(byte[] bytes, int offset, int length) {}

    @Override
    public void create(int layoutVersion) {}

    @Override
    public void setReadyToFlush() {}

    @Override
    public void abort() {}

    @Override
    public void close() {}
  }
}

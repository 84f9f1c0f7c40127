/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.localcluster.ClusterMode;
import io.hdfsparity.localcluster.FullReports;
import io.hdfsparity.localcluster.LocalCluster;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/**
 * A cluster of processes in which files with three replicas are adopted, round after round, while
 * processes are killed with -9 and Lstors fail. A load creates, appends to and deletes files of the
 * same directory.
 *
 * <p>What is looked at: right after the end of all processes every block of before lies on three
 * nodes, or on two with both parities; after each round all files are adopted, and every
 * acknowledged byte is there; at the end two disks of a superchunk die.
 */
final class AdoptionCrashes implements AutoCloseable {
  private static final int NODES = 6;
  private static final int FRAMES = 5;
  private static final long LEDGER_BYTES = 40L << 20;
  private static final int PACE_MS = 300;
  private static final int MAX_FILE_BYTES = 3 << 20;
  private static final String LEDGER = "/ledger";
  private static final int ATTEMPTS = 20;

  /** In {@link StoredBlocks#notAdopted}. */
  private static final Pattern BLOCK_ID = Pattern.compile("\\bid=(\\d+)");

  /** What is done to the cluster. */
  enum Blow {
    DATA_NODE,
    NAME_NODE,
    LSTOR,
    ALL
  }

  /** What is waited for before it is done. */
  enum Moment {
    ANY,
    LOWERED,
    DELETED
  }

  private final LocalCluster cluster;
  private final ProcessCluster processes;
  private final LedgerLoad load;
  private final DistributedFileSystem fs;
  private final Random random;

  /** How many blocks had come how far when all processes were killed. */
  private final Map<String, Integer> steps = new TreeMap<>();

  AdoptionCrashes(Path dir, long seed) throws Exception {
    random = new Random(seed);
    cluster =
        LocalCluster.builder(dir.resolve("c"))
            .mode(ClusterMode.RAIDP)
            .nodes(NODES)
            .racks(1)
            .disksPerNode(1)
            .framesPerDisk(FRAMES)
            .frameBytes(64L << 20)
            .unitBytes(64L << 10)
            .blockBytes(1L << 20)
            .replication(3)
            .cacheDir(Path.of(System.getProperty("hdfsparity.cache")))
            .conf("dfs.parity.raidp.layout.spare.share", "0.4")
            .conf("dfs.parity.raidp.report.interval", "300ms")
            .conf("dfs.parity.raidp.max.block.size", "1m")
            .build();
    cluster.start();
    processes = new ProcessCluster(cluster, dir.resolve("scratch"));
    cluster.applyLayout();
    Configuration patient = new Configuration(cluster.conf());
    patient.setBoolean("dfs.client.retry.policy.enabled", true);
    patient.set("dfs.client.retry.policy.spec", "200,300");
    fs = (DistributedFileSystem) FileSystem.newInstance(patient);
    fs.mkdirs(new org.apache.hadoop.fs.Path(LEDGER));
    load = new LedgerLoad(patient, 2, MAX_FILE_BYTES, LEDGER_BYTES, seed, PACE_MS);
  }

  Map<String, Integer> steps() {
    return Collections.unmodifiableMap(steps);
  }

  long acks() {
    return load.acks();
  }

  /** Files are written, adopted, and the adoption is hit; then it is seen through. */
  void round(Blow blow, Moment moment, boolean isLoaded) throws Exception {
    processes.admin("-unprotect", LEDGER);
    load.resume();
    await("files").until(reached(load.acks() + 12));
    load.pause();
    closeFiles();
    List<StoredBlocks.FileBlock> before = blocks();
    await("three replicas, or both parities").untilAsserted(() -> assertSafe(before));
    if (isLoaded && blow != Blow.ALL) {
      load.resume();
    }
    AtomicReference<Throwable> thrown = new AtomicReference<>();
    Thread adoption = new Thread(() -> adoptOnce(thrown), "adoption");
    adoption.start();
    awaitMoment(moment);
    strike(blow, before);
    load.pause();
    adoption.join();
    closeFiles();
    seeThrough();
    assertThat(load.verify()).isEmpty();
    List<StoredBlocks.FileBlock> now = blocks();
    await("all blocks in superchunks")
        .pollInterval(Duration.ofSeconds(5))
        .ignoreExceptionsInstanceOf(IOException.class) // a DataNode that cannot be asked yet
        .untilAsserted(
            () -> {
              List<String> missing = look().notAdopted(now);
              if (!missing.isEmpty()) {
                // Of a replica that has missed an append HDFS knows nothing until then.
                FullReports.trigger(fs);
              }
              assertThat(missing).as(() -> tell(missing)).isEmpty();
            });
  }

  private String tell(List<String> notAdopted) {
    return processes.tellStatus()
        + processes.tellLogs(
            notAdopted.stream()
                .flatMap(each -> BLOCK_ID.matcher(each).results())
                .map(found -> Long.parseLong(found.group(1)))
                .distinct()
                .toList());
  }

  private java.util.concurrent.Callable<Boolean> reached(long acks) {
    return () -> load.acks() >= acks;
  }

  private void adoptOnce(AtomicReference<Throwable> thrown) {
    try {
      processes.admin("-protect", LEDGER, "-adopt", "-progress", "-throttle", "8");
    } catch (Exception | AssertionError e) {
      // The NameNode was killed, or files have changed meanwhile; it is seen through later.
      thrown.set(e);
    }
  }

  private void awaitMoment(Moment moment) throws Exception {
    if (moment == Moment.ANY) {
      TimeUnit.MILLISECONDS.sleep(random.nextInt(6000));
      return;
    }
    try {
      Awaitility.await(moment.name())
          .atMost(Duration.ofSeconds(20))
          .pollInterval(Duration.ofMillis(20))
          .until(() -> isReached(moment));
    } catch (ConditionTimeoutException tooLate) {
      // All were adopted before.
      System.out.println("adoption: " + moment + " was not seen");
    }
  }

  private boolean isReached(Moment moment) throws IOException {
    RemoteIterator<LocatedFileStatus> files =
        fs.listFiles(new org.apache.hadoop.fs.Path(LEDGER), true);
    while (files.hasNext()) {
      LocatedFileStatus file = files.next();
      if (file.getReplication() == 2 && file.getLen() > 0) {
        boolean isDeleted = file.getBlockLocations()[0].getHosts().length == 2;
        if (moment == Moment.LOWERED ? !isDeleted : isDeleted) {
          return true;
        }
      }
    }
    return false;
  }

  private void strike(Blow blow, List<StoredBlocks.FileBlock> before) throws Exception {
    switch (blow) {
      case DATA_NODE -> {
        String victim = "dn" + random.nextInt(NODES);
        cluster.kill(victim);
        TimeUnit.MILLISECONDS.sleep(random.nextInt(3000));
        cluster.restart(victim);
      }
      case NAME_NODE -> {
        cluster.kill("nn");
        cluster.restart("nn");
      }
      case LSTOR -> failLstor(random.nextInt(NODES));
      case ALL -> killAll(before);
    }
  }

  /** It breaks while the DataNode runs; then the DataNode is started again and gets a new one. */
  private void failLstor(int node) throws Exception {
    String disk = processes.diskId(node);
    try (RandomAccessFile file =
        new RandomAccessFile(ParityTwin.lstorFile(processes.lstorDir(node)).toFile(), "rw")) {
      file.setLength(0);
    }
    TimeUnit.MILLISECONDS.sleep(random.nextInt(3000));
    cluster.kill("dn" + node);
    // The start waits until the disk is in service, which it is with its new Lstor.
    CompletableFuture<Void> rebuilt = CompletableFuture.runAsync(() -> rebuildLstor(disk));
    cluster.restart("dn" + node);
    rebuilt.join();
  }

  private void rebuildLstor(String disk) {
    await("a new Lstor")
        .ignoreExceptions()
        .until(
            () -> {
              try {
                return processes.admin("-lstor", "-rebuild", disk);
              } catch (AssertionError notYet) {
                System.out.println("adoption: " + notYet.getMessage());
                return "";
              }
            },
            told -> !told.isEmpty());
  }

  private void killAll(List<StoredBlocks.FileBlock> before) throws Exception {
    List<String> all = new ArrayList<>(List.of("nn"));
    for (int node = 0; node < NODES; node++) {
      all.add("dn" + node);
    }
    Collections.shuffle(all, random);
    for (String name : all) {
      cluster.kill(name);
    }
    cluster.stop();
    StoredBlocks stored = StoredBlocks.of(processes);
    before.forEach(block -> steps.merge(stored.step(block), 1, Integer::sum));
    assertThat(stored.unsafe(before)).as("right after all were killed").isEmpty();
    cluster.start();
  }

  private void assertSafe(List<StoredBlocks.FileBlock> blocks) {
    assertThat(look().unsafe(blocks)).isEmpty();
  }

  /**
   * Looks at disks in use. A copy of an Lstor may be torn then: it fails as an assertion does, so
   * that whoever waits looks again, and says why if it stays so.
   */
  private StoredBlocks look() {
    try {
      return StoredBlocks.of(processes);
    } catch (IOException | RuntimeException e) {
      System.out.println("adoption: cannot look at the disks: " + e);
      throw new AssertionError("Cannot look at the disks: " + e, e);
    }
  }

  /** A file that changes, or waits for its replicas, takes another run. */
  private void seeThrough() throws Exception {
    for (int attempt = 1; ; attempt++) {
      try {
        processes.admin("-protect", LEDGER, "-adopt", "-progress", "-json");
        return;
      } catch (AssertionError | IOException e) {
        if (attempt == ATTEMPTS) {
          throw e;
        }
        TimeUnit.SECONDS.sleep(1);
      }
    }
  }

  /** Ends writes that failed: their blocks are not whole. */
  private void closeFiles() {
    await("all files are closed")
        .ignoreExceptions()
        .until(
            () -> {
              boolean isClosed = true;
              RemoteIterator<LocatedFileStatus> files =
                  fs.listFiles(new org.apache.hadoop.fs.Path(LEDGER), true);
              while (files.hasNext()) {
                isClosed &= fs.recoverLease(files.next().getPath());
              }
              return isClosed;
            });
  }

  private List<StoredBlocks.FileBlock> blocks() throws IOException {
    List<StoredBlocks.FileBlock> blocks = new ArrayList<>();
    RemoteIterator<LocatedFileStatus> files =
        fs.listFiles(new org.apache.hadoop.fs.Path(LEDGER), true);
    while (files.hasNext()) {
      String path = files.next().getPath().toUri().getPath();
      for (LocatedBlock block :
          fs.getClient().getLocatedBlocks(path, 0, Long.MAX_VALUE).getLocatedBlocks()) {
        blocks.add(
            new StoredBlocks.FileBlock(
                path,
                block.getBlock().getBlockId(),
                block.getBlock().getGenerationStamp(),
                block.getBlockSize()));
      }
    }
    return blocks;
  }

  /** Two disks that share a superchunk die; all is recovered. */
  void loseTwoDisks() throws Exception {
    List<int[]> sharing = processes.sharingNodes();
    int[] victims = sharing.get(random.nextInt(sharing.size()));
    cluster.failDisk(victims[0], 0);
    cluster.failDisk(victims[1], 0);
    cluster.awaitDiskFailureKnown(victims[0], 0);
    cluster.awaitDiskFailureKnown(victims[1], 0);
    processes.admin("-recover", "-progress");
    assertThat(processes.notWhole()).isZero();
    assertThat(load.verify()).isEmpty();
  }

  String describe() {
    return "acks=" + load.acks() + " steps=" + steps + " failed=" + load.causes();
  }

  private static org.awaitility.core.ConditionFactory await(String what) {
    return Awaitility.await(what).pollInterval(Duration.ofMillis(200));
  }

  @Override
  public void close() throws Exception {
    load.close();
    fs.close();
    cluster.stop();
    cluster.purge();
  }
}

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;

/**
 * Files with parity beside files with three replicas, on the same DataNodes, written by a stock
 * client that asks for three. Says what must be true of each; looks at rows on the disks, not at
 * what the manager says.
 */
final class MixedFiles {
  static final String PROTECTED = "/protected";
  static final String PLAIN = "/plain";
  private static final Duration LEASE_PATIENCE = Duration.ofSeconds(5);

  private final MiniRaidp raidp;
  private final Random random;
  private final Map<String, byte[]> contents = new TreeMap<>();
  private final Set<String> covered = new HashSet<>();

  MixedFiles(MiniRaidp raidp, long seed) {
    this(raidp, seed, Map.of());
  }

  /**
   * @param plain files that are there
   */
  MixedFiles(MiniRaidp raidp, long seed, Map<String, byte[]> plain) {
    this.raidp = raidp;
    this.random = new Random(seed);
    contents.putAll(plain);
  }

  /** A cluster in which nothing is protected yet, and a client asks for three replicas. */
  static MiniRaidp start(Path root, MiniRaidp.Shape shape, Configuration extra) throws Exception {
    return MiniRaidp.start(root, shape, configured(extra), MiniRaidp.Protected.NOTHING);
  }

  static Configuration configured(Configuration extra) {
    Configuration conf = new Configuration(extra);
    conf.setInt("dfs.replication", 3);
    return conf;
  }

  /** Makes and marks the directory whose files are protected. */
  void protect() throws Exception {
    raidp.fs().mkdirs(new org.apache.hadoop.fs.Path(PROTECTED));
    raidp.protect(PROTECTED);
  }

  /** Writes so many files under a directory, of up to two blocks and a half. */
  void fill(String directory, int files) throws IOException {
    for (int i = 0; i < files; i++) {
      write(
          directory + "/" + contents.size() + "-" + i,
          1 + random.nextInt(5 * raidp.shape().blockBytes() / 2));
    }
  }

  void write(String path, int length) throws IOException {
    byte[] content = new byte[length];
    random.nextBytes(content);
    raidp.write(path, content);
    contents.put(path, content);
    if (path.startsWith(PROTECTED + "/")) {
      covered.add(path);
    }
  }

  void append(String path, int length) throws IOException {
    byte[] more = new byte[length];
    random.nextBytes(more);
    try (OutputStream out = raidp.fs().append(new org.apache.hadoop.fs.Path(path))) {
      out.write(more);
    }
    byte[] before = contents.get(path);
    byte[] all = Arrays.copyOf(before, before.length + length);
    System.arraycopy(more, 0, all, before.length, length);
    contents.put(path, all);
  }

  /**
   * HDFS gives the block to the DataNode whose heartbeat came last, even to one that has just
   * stopped, and tries another only when somebody recovers the lease: so a client has to.
   */
  void truncate(String path, int length) throws IOException {
    org.apache.hadoop.fs.Path file = new org.apache.hadoop.fs.Path(path);
    raidp.fs().truncate(file, length);
    long start = System.nanoTime();
    MiniRaidp.await("truncate of " + path)
        .until(
            () ->
                raidp.fs().isFileClosed(file)
                    || System.nanoTime() - start > LEASE_PATIENCE.toNanos()
                        && raidp.fs().recoverLease(file));
    contents.put(path, Arrays.copyOf(contents.get(path), length));
  }

  /** What a block is goes with it. */
  void rename(String from, String to) throws IOException {
    assertThat(
            raidp
                .fs()
                .rename(new org.apache.hadoop.fs.Path(from), new org.apache.hadoop.fs.Path(to)))
        .isTrue();
    contents.put(to, contents.remove(from));
    if (covered.remove(from)) {
      covered.add(to);
    }
  }

  void delete(String path) throws IOException {
    assertThat(raidp.fs().delete(new org.apache.hadoop.fs.Path(path), false)).isTrue();
    contents.remove(path);
    covered.remove(path);
  }

  /** Files that have been adopted since they were written. */
  void adopted(String directory) {
    contents.keySet().stream()
        .filter(path -> path.startsWith(directory + "/"))
        .forEach(covered::add);
  }

  /** No file is covered any more. */
  void released() {
    covered.clear();
  }

  Set<String> paths() {
    return Set.copyOf(contents.keySet());
  }

  Map<String, byte[]> contents() {
    return Map.copyOf(contents);
  }

  Set<String> plain() {
    Set<String> plain = new HashSet<>(contents.keySet());
    plain.removeAll(covered);
    return plain;
  }

  void assertReadable() throws IOException {
    for (Map.Entry<String, byte[]> file : contents.entrySet()) {
      assertThat(raidp.read(file.getKey())).as(file.getKey()).isEqualTo(file.getValue());
    }
  }

  /**
   * Every byte is right; a covered block has two replicas and is whole in both parities; a plain
   * one has three, and no row.
   */
  void assertAsTheyShouldBe() throws Exception {
    assertReadable();
    MiniRaidp.await("files that lie in superchunks ask for two replicas")
        .untilAsserted(
            () -> {
              for (String path : covered) {
                assertThat(
                        raidp
                            .fs()
                            .getFileStatus(new org.apache.hadoop.fs.Path(path))
                            .getReplication())
                    .as(path)
                    .isEqualTo((short) 2);
              }
            });
    Soundness.assertSound(raidp, plain(), 3);
    MiniRaidp.await("rows of covered blocks, and of no others")
        .ignoreExceptions()
        .untilAsserted(
            () -> {
              Map<Long, Long> rows = Soundness.coveredBytes(raidp);
              for (String path : contents.keySet()) {
                for (LocatedBlock block : Soundness.blocksOf(raidp, path)) {
                  assertThat(rows.getOrDefault(block.getBlock().getBlockId(), -1L))
                      .as("%s %s", path, block)
                      .isEqualTo(covered.contains(path) ? block.getBlockSize() : -1L);
                }
              }
            });
  }
}

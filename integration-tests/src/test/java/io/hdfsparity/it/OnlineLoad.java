/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.ParityFileSystem;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.awaitility.Awaitility;

/**
 * Clients of files whose units are lost and rebuilt meanwhile: one reads them from end to end, one
 * reads small ranges at random offsets, one writes files and reads them. All compare every byte.
 */
final class OnlineLoad implements AutoCloseable {
  private static final int SMALL_READ_BYTES = 32 << 10;
  private static final int WRITTEN_BYTES = 700_001;

  private final FileSystem fs;
  private final ExecutorService threads = Executors.newFixedThreadPool(3);
  private final List<Future<?>> clients = new ArrayList<>();
  private final List<AtomicInteger> rounds = new ArrayList<>();
  private volatile boolean isOver;

  /** Starts them, and waits until each has been through once. */
  OnlineLoad(RepairCluster cluster, Path directory, List<RepairCluster.Group> groups)
      throws IOException {
    Configuration conf = new Configuration(cluster.cluster().getConfiguration(0));
    conf.setClass("fs.hdfs.impl", ParityFileSystem.class, FileSystem.class);
    this.fs = FileSystem.newInstance(cluster.cluster().getURI(), conf);
    begin(round -> readAll(groups.get(round % groups.size())));
    Random random = new Random(7);
    begin(round -> readSome(groups.get(random.nextInt(groups.size())), random));
    begin(round -> write(new Path(directory, "new-" + round), round));
    Awaitility.await()
        .until(
            () ->
                clients.stream().anyMatch(Future::isDone)
                    || rounds.stream().allMatch(done -> done.get() > 0));
  }

  /** What a client does again and again. */
  @FunctionalInterface
  private interface ClientTask {
    void take(int round) throws IOException;
  }

  private void begin(ClientTask turn) {
    AtomicInteger done = new AtomicInteger();
    rounds.add(done);
    clients.add(
        threads.submit(
            () -> {
              while (!isOver) {
                turn.take(done.get());
                done.incrementAndGet();
              }
              return null;
            }));
  }

  private void readAll(RepairCluster.Group group) throws IOException {
    try (FSDataInputStream in = fs.open(group.file())) {
      assertThat(in.readAllBytes()).as(group.file().toString()).isEqualTo(group.content());
    }
  }

  private void readSome(RepairCluster.Group group, Random random) throws IOException {
    byte[] read = new byte[SMALL_READ_BYTES];
    try (FSDataInputStream in = fs.open(group.file())) {
      int offset = random.nextInt(group.content().length - read.length);
      in.readFully(offset, read);
      assertThat(read)
          .as("%s from %s", group.file(), offset)
          .isEqualTo(Arrays.copyOfRange(group.content(), offset, offset + read.length));
    }
  }

  private void write(Path file, int round) throws IOException {
    byte[] bytes = new byte[WRITTEN_BYTES];
    new Random(round).nextBytes(bytes);
    try (OutputStream out = fs.create(file)) {
      out.write(bytes);
    }
    try (FSDataInputStream in = fs.open(file)) {
      assertThat(in.readAllBytes()).as(file.toString()).isEqualTo(bytes);
    }
    fs.delete(file, false);
  }

  /** Ends them, and fails where one failed. */
  void finish() throws Exception {
    isOver = true;
    for (Future<?> client : clients) {
      client.get(2, TimeUnit.MINUTES);
    }
  }

  @Override
  public void close() throws IOException {
    isOver = true;
    threads.shutdown();
    fs.close();
  }
}

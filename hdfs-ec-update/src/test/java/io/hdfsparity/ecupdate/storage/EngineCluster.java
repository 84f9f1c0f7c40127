/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.storage;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.core.gf.GfMatrix;
import io.hdfsparity.core.gf.ScalarKernel;
import io.hdfsparity.ecupdate.ajx.Bytes;
import io.hdfsparity.ecupdate.ajx.ReplicaKey;
import io.hdfsparity.ecupdate.ajx.Reply;
import io.hdfsparity.ecupdate.ajx.Request;
import io.hdfsparity.ecupdate.ajx.SlotKey;
import io.hdfsparity.ecupdate.ajx.StripeCode;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The nodes of one block group, RS-3-2: an engine with its threads and its disk each. */
final class EngineCluster implements Closeable {
  static final StripeCode CODE = new StripeCode(new ScalarKernel(), GfMatrix.cauchyParity(3, 2));
  static final ReplicaKey KEY = new ReplicaKey("BP-1", 7);

  /** Hears how a call ended: a reply, or null when it is lost and will not be executed. */
  @FunctionalInterface
  interface Answer {
    void accept(@Nullable Reply reply);
  }

  /** A machine. */
  private static final class Node {
    TestDisk disk;
    BlockEngine engine;
    EngineThreads threads;
    ExecutorService calls;
    boolean isUp;
    final Set<Answer> outstanding = new HashSet<>();

    Node(TestDisk disk) {
      this.disk = disk;
    }
  }

  private final List<Node> nodes = new ArrayList<>();
  private final byte[][] initial = new byte[CODE.shape().blocks()][TestDisk.FILE_BYTES];

  EngineCluster(String scheme, Random random) throws IOException, InterruptedException {
    for (int block = 0; block < CODE.shape().dataBlocks(); block++) {
      random.nextBytes(initial[block]);
    }
    for (int stripe = 0; stripe < TestDisk.STRIPES; stripe++) {
      List<Bytes> data = new ArrayList<>();
      for (int block = 0; block < CODE.shape().dataBlocks(); block++) {
        data.add(cell(initial[block], stripe));
      }
      List<Bytes> all = CODE.encode(data);
      for (int block = 0; block < all.size(); block++) {
        System.arraycopy(
            all.get(block).toArray(),
            0,
            initial[block],
            stripe * TestDisk.CELL_BYTES,
            TestDisk.CELL_BYTES);
      }
    }
    for (int block = 0; block < CODE.shape().blocks(); block++) {
      Node node =
          new Node(
              TestDisk.of(
                  Map.of(KEY, TestDisk.layout(CODE, block, TestDisk.FILE_BYTES)),
                  Map.of(KEY, initial[block]),
                  scheme,
                  new Random(random.nextLong())));
      nodes.add(node);
      start(node);
    }
  }

  static Bytes cell(byte[] file, int stripe) {
    int from = stripe * TestDisk.CELL_BYTES;
    return Bytes.copyOf(Arrays.copyOfRange(file, from, from + TestDisk.CELL_BYTES));
  }

  byte[] initial(int block) {
    return initial[block];
  }

  private static void start(Node node) throws IOException, InterruptedException {
    node.engine = node.disk.openEngine();
    node.threads = EngineThreads.start(node.engine, "engine", e -> {});
    node.calls = Executors.newFixedThreadPool(4);
    node.isUp = true;
  }

  /** Sends a request over a connection that a crash of the node breaks. */
  void call(int block, int stripe, Request request, Answer answer) {
    Node node = nodes.get(block);
    synchronized (node) {
      if (node.isUp) {
        BlockEngine engine = node.engine;
        node.outstanding.add(answer);
        try {
          node.calls.execute(() -> serve(node, engine, stripe, request, answer));
          return;
        } catch (RejectedExecutionException e) {
          node.outstanding.remove(answer);
        }
      }
    }
    answer.accept(null);
  }

  private static void serve(
      Node node, BlockEngine engine, int stripe, Request request, Answer answer) {
    CompletableFuture<Reply> reply;
    try {
      reply = engine.handle(new SlotKey(KEY, stripe), request);
    } catch (IOException e) {
      reply = CompletableFuture.failedFuture(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      reply = CompletableFuture.failedFuture(e);
    }
    reply.whenComplete(
        (got, failure) -> {
          boolean isAwaited;
          synchronized (node) {
            isAwaited = node.outstanding.remove(answer);
          }
          // After the crash the connection is gone, whatever the threads of the dead still do.
          if (isAwaited) {
            answer.accept(failure == null ? got : null);
          }
        });
  }

  /** kill -9, and the machine comes up again. */
  void restart(int block) throws IOException, InterruptedException {
    Node node = nodes.get(block);
    down(node);
    node.disk = node.disk.reopen();
    synchronized (node) {
      start(node);
    }
  }

  /** The block is lost; a copy with garbage takes its place. */
  void lose(int block, Random random) throws IOException, InterruptedException {
    Node node = nodes.get(block);
    down(node);
    node.disk = node.disk.reopen();
    node.disk.scramble(KEY, random);
    BlockEngine engine = node.disk.openEngine();
    engine.arrived(KEY);
    engine.close();
    synchronized (node) {
      start(node);
    }
  }

  private static void down(Node node) throws IOException, InterruptedException {
    List<Answer> lost;
    synchronized (node) {
      node.isUp = false;
      node.disk.store().crash();
      lost = List.copyOf(node.outstanding);
      node.outstanding.clear();
    }
    node.calls.shutdownNow();
    assertThat(node.calls.awaitTermination(120, TimeUnit.SECONDS)).isTrue();
    closeThreads(node);
    lost.forEach(answer -> answer.accept(null));
  }

  private static void closeThreads(Node node) {
    try {
      node.threads.close();
    } catch (IOException e) {
      assertThat(node.disk.store().isCrashed()).as(String.valueOf(e)).isTrue();
    }
  }

  /** A client is taken for failed by all nodes. */
  void expireLocks(long client) {
    for (Node node : nodes) {
      BlockEngine engine;
      synchronized (node) {
        engine = node.engine;
      }
      engine.expireLocks(holder -> holder == client);
    }
  }

  /** All bytes of a replica, as a stock reader would get them. */
  byte[] content(int block) throws IOException, InterruptedException {
    try (PinnedReader reader = nodes.get(block).engine.openReader(KEY)) {
      return reader.read(0, TestDisk.FILE_BYTES);
    }
  }

  void convert(int block, String scheme) throws IOException, InterruptedException {
    nodes.get(block).engine.convert(KEY, scheme);
  }

  void endPeriod(int block) throws IOException, InterruptedException {
    nodes.get(block).engine.endPeriod(KEY, ShrinkMode.SHRINK_AND_MERGE);
  }

  void merge(int block) throws IOException, InterruptedException {
    nodes.get(block).engine.merge(KEY);
  }

  /** Invariants at rest: parity is the code of the data, and checksums are those of the bytes. */
  void verify() throws IOException, InterruptedException {
    List<byte[]> contents = new ArrayList<>();
    for (int block = 0; block < CODE.shape().blocks(); block++) {
      contents.add(content(block));
      merge(block);
      nodes.get(block).disk.files(KEY).verifyChecksums();
    }
    for (int stripe = 0; stripe < TestDisk.STRIPES; stripe++) {
      List<Bytes> data = new ArrayList<>();
      for (int block = 0; block < CODE.shape().dataBlocks(); block++) {
        data.add(cell(contents.get(block), stripe));
      }
      List<Bytes> all = CODE.encode(data);
      for (int block = 0; block < all.size(); block++) {
        assertThat(cell(contents.get(block), stripe))
            .as("block %d of stripe %d", block, stripe)
            .isEqualTo(all.get(block));
      }
    }
  }

  @Override
  public void close() throws IOException {
    for (Node node : nodes) {
      node.threads.close();
      node.calls.shutdownNow();
    }
  }
}

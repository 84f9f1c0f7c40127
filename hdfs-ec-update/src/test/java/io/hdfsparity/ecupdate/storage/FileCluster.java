/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hdfsparity.core.geometry.StripeGeometry;
import io.hdfsparity.core.gf.GfMatrix;
import io.hdfsparity.core.gf.ScalarKernel;
import io.hdfsparity.ecupdate.ajx.Bytes;
import io.hdfsparity.ecupdate.ajx.CodeTable;
import io.hdfsparity.ecupdate.ajx.MovedRows;
import io.hdfsparity.ecupdate.ajx.Patch;
import io.hdfsparity.ecupdate.ajx.ReplicaKey;
import io.hdfsparity.ecupdate.ajx.Reply;
import io.hdfsparity.ecupdate.ajx.Request;
import io.hdfsparity.ecupdate.ajx.Shape;
import io.hdfsparity.ecupdate.ajx.SlotKey;
import io.hdfsparity.ecupdate.ajx.StripeCode;
import io.hdfsparity.ecupdate.ajx.Tid;
import io.hdfsparity.ecupdate.channel.ChannelAccess;
import io.hdfsparity.ecupdate.channel.ChannelServer;
import io.hdfsparity.ecupdate.channel.CuttingProxy;
import io.hdfsparity.ecupdate.channel.HeldLock;
import io.hdfsparity.ecupdate.channel.ServerLimits;
import io.hdfsparity.ecupdate.channel.ServerTimeouts;
import io.hdfsparity.ecupdate.channel.SlotService;
import io.hdfsparity.ecupdate.updater.Endpoint;
import io.hdfsparity.ecupdate.updater.FileLayout;
import io.hdfsparity.ecupdate.updater.UnitLocation;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/**
 * The nodes of a file of three block groups, three data units and two parity units, the last group
 * shorter than a stripe: engines on disks of their own behind real sockets, each at a port that
 * stays whatever becomes of it.
 */
public final class FileCluster implements Closeable {
  private static final Shape SHAPE = EngineCluster.CODE.shape();

  /** RS-3-2. */
  private static final FileLayout PLAIN =
      new FileLayout(
          EngineCluster.CODE,
          TestDisk.CELL_BYTES,
          List.of(
              new FileLayout.Group(0, 576),
              new FileLayout.Group(576, 450),
              new FileLayout.Group(1026, 100)));

  private static final StripeGeometry GEOMETRY = PLAIN.geometry();

  /** A machine. */
  private static final class Node {
    final Map<ReplicaKey, ReplicaLayout> layouts = new LinkedHashMap<>();
    final Map<ReplicaKey, byte[]> contents = new LinkedHashMap<>();
    TestDisk disk;
    BlockEngine engine;
    EngineThreads threads;
    ChannelServer server;
    CuttingProxy proxy;
    boolean isUp;
  }

  private final List<Node> nodes = new ArrayList<>();
  private final FileLayout layout;
  private final byte[] initial;
  private final AtomicInteger requests = new AtomicInteger();
  private final AtomicInteger adds = new AtomicInteger();

  /** What a node may keep of replaced bytes. */
  private final long maxReceiptBytes;

  private final AtomicInteger refusedSwaps = new AtomicInteger();

  /** Replicas of groups that were rewritten elsewhere. */
  private final Set<ReplicaKey> deleted = ConcurrentHashMap.newKeySet();

  public FileCluster(String scheme, Random random) throws IOException, InterruptedException {
    this(scheme, random, TestDisk.OPTIONS.maxReceiptBytes());
  }

  /**
   * The same on nodes that keep little of what writes replace.
   *
   * @param maxReceiptBytes as in {@link EngineOptions}
   */
  public FileCluster(String scheme, Random random, long maxReceiptBytes)
      throws IOException, InterruptedException {
    this(scheme, random, PLAIN, some(PLAIN, random), maxReceiptBytes);
  }

  private static byte[] some(FileLayout layout, Random random) {
    byte[] bytes = new byte[(int) layout.lengthBytes()];
    random.nextBytes(bytes);
    return bytes;
  }

  /** Another file of the same layout and code as an earlier one, on other nodes. */
  public FileCluster anew(String scheme, Random random, byte[] content)
      throws IOException, InterruptedException {
    return new FileCluster(scheme, random, layout, content, maxReceiptBytes);
  }

  /**
   * A file whose rows move: four rows a cell, and last codewords that are shorter than a cell, one
   * of them with data units that have no byte.
   */
  public static FileCluster ofMovedRows(String scheme, Random random)
      throws IOException, InterruptedException {
    StripeCode code =
        new StripeCode(
            new ScalarKernel(),
            new CodeTable(
                GfMatrix.cauchyParity(SHAPE.dataBlocks(), SHAPE.parityBlocks()),
                MovedRows.shifted(SHAPE, 4, random)));
    FileLayout layout =
        new FileLayout(
            code,
            TestDisk.CELL_BYTES,
            List.of(
                new FileLayout.Group(0, 576),
                new FileLayout.Group(576, 421),
                new FileLayout.Group(997, 50)));
    return new FileCluster(
        scheme, random, layout, some(layout, random), TestDisk.OPTIONS.maxReceiptBytes());
  }

  private FileCluster(
      String scheme, Random random, FileLayout layout, byte[] content, long maxReceiptBytes)
      throws IOException, InterruptedException {
    this.maxReceiptBytes = maxReceiptBytes;
    this.layout = layout;
    initial = content.clone();
    for (int i = 0; i < SHAPE.blocks(); i++) {
      Node node = new Node();
      node.proxy = new CuttingProxy(new Random(random.nextLong()));
      nodes.add(node);
    }
    for (int group = 0; group < layout.groups().size(); group++) {
      fill(group);
    }
    for (Node node : nodes) {
      node.disk = TestDisk.of(node.layouts, node.contents, scheme, new Random(random.nextLong()));
      start(node);
    }
  }

  private void fill(int group) {
    FileLayout.Group extent = layout.groups().get(group);
    int stripes = (int) GEOMETRY.stripeCount(extent.lengthBytes());
    byte[][] units = new byte[SHAPE.blocks()][stripes * TestDisk.CELL_BYTES];
    for (int stripe = 0; stripe < stripes; stripe++) {
      List<Bytes> data = new ArrayList<>();
      for (int unit = 0; unit < SHAPE.dataBlocks(); unit++) {
        byte[] cell = new byte[TestDisk.CELL_BYTES];
        for (int at = 0; at < cell.length; at++) {
          long inGroup =
              stripe * GEOMETRY.stripeDataBytes() + (long) unit * TestDisk.CELL_BYTES + at;
          if (inGroup < extent.lengthBytes()) {
            cell[at] = initial[(int) (extent.offsetBytes() + inGroup)];
          }
        }
        data.add(Bytes.wrap(cell));
      }
      List<Bytes> all = code(extent.lengthBytes(), stripe).encode(data);
      for (int unit = 0; unit < units.length; unit++) {
        System.arraycopy(
            all.get(unit).toArray(),
            0,
            units[unit],
            stripe * TestDisk.CELL_BYTES,
            TestDisk.CELL_BYTES);
      }
    }
    for (int unit = 0; unit < units.length; unit++) {
      int lengthBytes = (int) GEOMETRY.blockBytes(unit, extent.lengthBytes());
      if (lengthBytes > 0) {
        Node node = nodes.get(nodeOf(group, unit));
        node.layouts.put(
            key(group, unit),
            new ReplicaLayout(
                layout.code(),
                unit,
                TestDisk.CELL_BYTES,
                TestDisk.CHUNK_BYTES,
                lengthBytes,
                stripes));
        node.contents.put(key(group, unit), Arrays.copyOf(units[unit], lengthBytes));
      }
    }
  }

  private StripeCode code(long groupBytes, int stripe) {
    long inStripe = Math.min(groupBytes - stripe * GEOMETRY.stripeDataBytes(), TestDisk.CELL_BYTES);
    return layout.code().forCodeword((int) inStripe);
  }

  public FileLayout layout() {
    return layout;
  }

  /** Index of the node that has a unit. */
  public static int nodeOf(int group, int unit) {
    return (unit + group) % SHAPE.blocks();
  }

  private static ReplicaKey key(int group, int unit) {
    return new ReplicaKey("BP-1", 16L * (group + 1) + unit);
  }

  /** What the file has at first. */
  public byte[] initial() {
    return initial.clone();
  }

  /** As a session would say. */
  public Map<Integer, UnitLocation> locate(int group) {
    Map<Integer, UnitLocation> units = new HashMap<>();
    for (int unit = 0; unit < SHAPE.blocks(); unit++) {
      if (layout.hasUnit(group, unit)) {
        int port = nodes.get(nodeOf(group, unit)).proxy.port();
        units.put(
            unit,
            new UnitLocation(key(group, unit), new Endpoint("127.0.0.1", port, "BP-1", "all")));
      }
    }
    return units;
  }

  private void start(Node node) throws IOException, InterruptedException {
    node.engine = node.disk.openEngine(TestDisk.keepingAtMost(maxReceiptBytes));
    node.threads = EngineThreads.start(node.engine, "engine", e -> {});
    node.server =
        ChannelServer.start(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            new ServerLimits(16384, 16, 64, 64, 1 << 20, 1 << 20, 1 << 20, 4),
            new ServerTimeouts(10_000, 10_000, 60_000, 10_000, 300),
            (blockPool, client, token) -> new Everything(),
            new Counted(node.engine));
    node.proxy.forwardTo(node.server.address());
    node.isUp = true;
  }

  /** Whoever comes may do everything, but for what is deleted. */
  private final class Everything implements ChannelAccess.Grant {
    @Override
    public String owner() {
      return "test";
    }

    @Override
    public String user() {
      return owner();
    }

    @Override
    public boolean ownsClient(long client) {
      return true;
    }

    @Override
    public boolean permits(ReplicaKey replica, ChannelAccess.Use use) {
      return !deleted.contains(replica);
    }

    @Override
    public boolean isOf(long session) {
      return true;
    }
  }

  /** An engine whose requests are counted. */
  private final class Counted implements SlotService {
    private final BlockEngine engine;

    Counted(BlockEngine engine) {
      this.engine = engine;
    }

    @Override
    public CompletableFuture<Reply> handle(
        SlotKey slot, Request request, BooleanSupplier isPermitted)
        throws IOException, InterruptedException {
      requests.incrementAndGet();
      if (request instanceof Request.Add || request instanceof Request.AddAll) {
        adds.incrementAndGet();
      }
      try {
        return engine.handle(slot, request);
      } catch (ReceiptRoomException e) {
        refusedSwaps.incrementAndGet();
        throw e;
      }
    }

    @Override
    public void expireLocks(List<HeldLock> locks) {
      locks.forEach(each -> engine.expireLock(each.slot(), each.lock()));
    }
  }

  /** Requests that have come to nodes. */
  public int requests() {
    return requests.get();
  }

  /** Of those, how many were adds. */
  public int adds() {
    return adds.get();
  }

  /** Swaps that were refused because their session had to collect first. */
  public int refusedSwaps() {
    return refusedSwaps.get();
  }

  /** What {@link #receiptBytes} counts of a swap of so many bytes. */
  public static long receiptBytesOf(int swappedBytes) {
    return ReceiptBudget.RECEIPT_BYTES + swappedBytes;
  }

  /** A NameNode says that a session is over, on a node that executes nothing of it any more. */
  public void forgetSession(int node, long session) {
    EngineReceipts receipts = nodes.get(node).engine.receipts();
    await()
        .until(
            () -> {
              receipts.forget(Set.of(session));
              return !receipts.sessions().contains(session);
            });
  }

  /** A group was rewritten elsewhere, and HDFS deletes its blocks on all nodes that are up. */
  public void delete(int group) throws IOException, InterruptedException {
    for (int unit = 0; unit < SHAPE.blocks(); unit++) {
      if (layout.hasUnit(group, unit)) {
        Node node = nodes.get(nodeOf(group, unit));
        deleted.add(key(group, unit));
        if (node.isUp) {
          node.server.awaitNone(grant -> true, Long.MAX_VALUE);
          node.engine.dropped(key(group, unit));
        }
      }
    }
  }

  public int size() {
    return nodes.size();
  }

  public CuttingProxy proxy(int node) {
    return nodes.get(node).proxy;
  }

  /** kill -9. */
  public void kill(int index) throws IOException {
    Node node = nodes.get(index);
    node.isUp = false;
    node.disk.store().crash();
    node.proxy.forwardTo(null);
    try {
      node.threads.close();
    } catch (IOException e) {
      assertThat(node.disk.store().isCrashed()).as(String.valueOf(e)).isTrue();
    }
    node.server.close();
    node.disk = node.disk.reopen();
  }

  /** Comes up again. */
  public void restart(int index) throws IOException, InterruptedException {
    start(nodes.get(index));
  }

  /** Comes up again with garbage in the place of its replicas. */
  public void restartEmpty(int index, Random random) throws IOException, InterruptedException {
    Node node = nodes.get(index);
    BlockEngine engine = node.disk.openEngine();
    for (ReplicaKey key : node.layouts.keySet()) {
      node.disk.scramble(key, random);
      engine.arrived(key);
    }
    engine.close();
    start(node);
  }

  /** Changes a byte of a unit, and its checksum with it, behind everybody's back. */
  public void damage(int group, int unit, int at) throws IOException, InterruptedException {
    Node node = nodes.get(nodeOf(group, unit));
    ReplicaKey key = key(group, unit);
    node.engine.merge(key);
    byte[] bytes = new byte[node.layouts.get(key).lengthBytes()];
    node.disk.files(key).read(0, bytes);
    bytes[at] ^= 1;
    node.disk.files(key).write(0, bytes);
  }

  /** What a client does that dies before its adds. */
  public void swapOnly(int group, int unit, int stripe, Patch patch, Tid tid) throws Exception {
    Node node = nodes.get(nodeOf(group, unit));
    SlotKey slot = new SlotKey(key(group, unit), stripe);
    node.engine.handle(slot, new Request.Swap(patch, tid)).get();
  }

  /** What a stock reader would get of the whole file. */
  public byte[] content() throws IOException, InterruptedException {
    byte[] file = new byte[initial.length];
    for (int group = 0; group < layout.groups().size(); group++) {
      FileLayout.Group extent = layout.groups().get(group);
      for (int unit = 0; unit < SHAPE.dataBlocks(); unit++) {
        byte[] bytes = unit(group, unit);
        for (int at = 0; at < bytes.length; at++) {
          long inGroup =
              at / TestDisk.CELL_BYTES * GEOMETRY.stripeDataBytes()
                  + (long) unit * TestDisk.CELL_BYTES
                  + at % TestDisk.CELL_BYTES;
          file[(int) (extent.offsetBytes() + inGroup)] = bytes[at];
        }
      }
    }
    return file;
  }

  private byte[] unit(int group, int unit) throws IOException, InterruptedException {
    int lengthBytes = (int) GEOMETRY.blockBytes(unit, layout.groups().get(group).lengthBytes());
    if (lengthBytes == 0) {
      return new byte[0];
    }
    Node node = nodes.get(nodeOf(group, unit));
    try (PinnedReader reader = node.engine.openReader(key(group, unit))) {
      return reader.read(0, lengthBytes);
    }
  }

  /** Invariants at rest: parity is the code of the data, and checksums are those of the bytes. */
  public void verify() throws IOException, InterruptedException {
    for (int group = 0; group < layout.groups().size(); group++) {
      long groupBytes = layout.groups().get(group).lengthBytes();
      byte[][] units = new byte[SHAPE.blocks()][];
      for (int unit = 0; unit < units.length; unit++) {
        units[unit] = unit(group, unit);
        if (units[unit].length > 0) {
          Node node = nodes.get(nodeOf(group, unit));
          node.engine.merge(key(group, unit));
          node.disk.files(key(group, unit)).verifyChecksums();
        }
      }
      for (int stripe = 0; stripe < GEOMETRY.stripeCount(groupBytes); stripe++) {
        int from = stripe * TestDisk.CELL_BYTES;
        List<Bytes> data = new ArrayList<>();
        for (int unit = 0; unit < SHAPE.dataBlocks(); unit++) {
          data.add(cell(units[unit], from));
        }
        List<Bytes> all = code(groupBytes, stripe).encode(data);
        for (int unit = SHAPE.dataBlocks(); unit < units.length; unit++) {
          int there = Math.min(TestDisk.CELL_BYTES, units[unit].length - from);
          assertThat(cell(units[unit], from).slice(0, there))
              .as("parity %d of stripe %d of group %d", unit, stripe, group)
              .isEqualTo(all.get(unit).slice(0, there));
        }
      }
    }
  }

  private static Bytes cell(byte[] unit, int from) {
    byte[] cell = new byte[TestDisk.CELL_BYTES];
    int there = Math.max(0, Math.min(cell.length, unit.length - from));
    System.arraycopy(unit, Math.min(from, unit.length), cell, 0, there);
    return Bytes.wrap(cell);
  }

  @Override
  public void close() throws IOException {
    for (Node node : nodes) {
      node.proxy.close();
      node.threads.close();
      node.server.close();
    }
  }
}

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.core.check.SeededRuns;
import io.hdfsparity.it.MiniIzs.Loss;
import io.hdfsparity.it.MiniIzs.Unit;
import io.hdfsparity.izs.client.LostUnitsException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Options.HandleOpt;
import org.apache.hadoop.fs.Options.Rename;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenSecretManager;
import org.apache.hadoop.hdfs.security.token.block.SecurityTestUtil;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * The suite's client, and beside it a stock one, on files whose replicas are deleted, corrupted,
 * cut off, or on dead nodes: the suite's reads what was written with up to r units of each block
 * group lost, the stock one reads that or is refused.
 */
@Tag("full")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class IzsClientTest {
  private static final int NODES = 9;
  private static final int CELL_BYTES = 8 * 1024;

  private static MiniIzs izs;
  private static final List<ErasureCodingPolicy> POLICIES = new ArrayList<>();

  @BeforeAll
  static void start(@TempDir java.nio.file.Path root) throws IOException {
    izs = new MiniIzs(root, NODES);
    POLICIES.add(izs.addPolicy("izs", 4, 1, 4 * 1024));
    POLICIES.add(izs.addPolicy("izs", 4, 2, CELL_BYTES));
    POLICIES.add(izs.addPolicy("izs", 4, 3, 6 * 1024));
    POLICIES.add(izs.addPolicy("izs", 6, 2, 16 * 1024));
    POLICIES.add(izs.addPolicy("izs", 6, 3, 48 * 1024));
  }

  @AfterAll
  static void stop() throws IOException {
    izs.close();
  }

  private static ErasureCodingPolicy policy42() {
    return POLICIES.get(1);
  }

  private static Path newFile(ErasureCodingPolicy policy, Random random) {
    return new Path(MiniIzs.directory(policy), Long.toHexString(random.nextLong()));
  }

  private static int randomSize(ErasureCodingPolicy policy, Random random) {
    int stripe = policy.getCellSize() * policy.getNumDataUnits();
    return switch (random.nextInt(4)) {
      case 0 -> 1 + random.nextInt(policy.getCellSize());
      case 1 -> 1 + random.nextInt(stripe);
      case 2 -> stripe * (1 + random.nextInt(3));
      default -> 1 + random.nextInt(3 * MiniIzs.BLOCK_BYTES * policy.getNumDataUnits());
    };
  }

  /** Loses up to so many units of each group of a file. */
  private static void lose(List<Unit> units, int maxOfAGroup, Random random) throws IOException {
    lose(units, maxOfAGroup, Loss.values(), random);
  }

  private static void lose(List<Unit> units, int maxOfAGroup, Loss[] losses, Random random)
      throws IOException {
    List<Unit> shuffled = new ArrayList<>(units);
    Collections.shuffle(shuffled, random);
    int[] lost = new int[units.get(units.size() - 1).group() + 1];
    for (Unit unit : shuffled) {
      if (lost[unit.group()]++ < maxOfAGroup) {
        MiniIzs.lose(unit, losses[random.nextInt(losses.length)], random);
      }
    }
  }

  @Test
  @Order(1)
  void everyKindOfReadIsRightWithUpToRUnitsLost() {
    SeededRuns.of(12)
        .check(
            random -> {
              for (ErasureCodingPolicy policy : POLICIES) {
                Path file = newFile(policy, random);
                byte[] bytes = izs.write(file, randomSize(policy, random), random);
                int lost = random.nextInt(policy.getNumParityUnits() + 1);
                boolean isDeletedOnly = random.nextBoolean();
                Loss[] losses = isDeletedOnly ? new Loss[] {Loss.DELETED} : Loss.values();
                lose(izs.units(file, policy), lost, losses, random);
                // One stream for several reads, and each kind as the first that meets the loss.
                for (ReadKind kind : ReadKind.values()) {
                  checkOwn(file, bytes, kind, random);
                }
                // See
                // IzsStockClientTest.stockPositionalReadsOverSeveralStripesCanBeWrongWithAnyCodec.
                int most = (policy.getNumDataUnits() - 1) * policy.getCellSize();
                checkStock(file, bytes, isDeletedOnly ? bytes.length : most, random);
              }
            });
  }

  private static void checkOwn(Path file, byte[] bytes, ReadKind first, Random random)
      throws IOException {
    try (FSDataInputStream in = izs.own().open(file)) {
      for (int i = 0; i < 3; i++) {
        int from = random.nextInt(bytes.length);
        int length = 1 + random.nextInt(bytes.length - from);
        ReadKind kind = i == 0 ? first : ReadKind.values()[random.nextInt(6)];
        assertThat(kind.read(in, from, length, random))
            .as("%s of %s: %d of %d bytes from %d", kind, file, length, bytes.length, from)
            .isEqualTo(Arrays.copyOfRange(bytes, from, from + length));
      }
    }
  }

  private static void checkStock(Path file, byte[] bytes, int maxBytes, Random random)
      throws IOException {
    for (ReadKind kind : ReadKind.values()) {
      int from = random.nextInt(bytes.length);
      int length = 1 + random.nextInt(Math.min(maxBytes, bytes.length - from));
      byte[] read;
      try (FSDataInputStream in = izs.stock().open(file)) {
        read = kind.read(in, from, length, random);
      } catch (IOException | NullPointerException e) {
        // Hadoop's stream closes itself when too many units are lost, and has no decoder in the
        // rest
        // of that read, which can end with a NullPointerException instead of an IOException.
        continue;
      }
      assertThat(read)
          .as("stock %s of %s: %d of %d bytes from %d", kind, file, length, bytes.length, from)
          .isEqualTo(Arrays.copyOfRange(bytes, from, from + length));
    }
  }

  @Test
  @Order(2)
  void positionalReadsOfManyThreadsAreRight() throws Exception {
    Random random = new Random(2);
    Path file = newFile(policy42(), random);
    byte[] bytes = izs.write(file, 2 * 4 * MiniIzs.BLOCK_BYTES + 12_345, random);
    lose(izs.units(file, policy42()), 2, random);
    ExecutorService threads = Executors.newFixedThreadPool(8);
    try (FSDataInputStream in = izs.own().open(file)) {
      List<Future<?>> readers = new ArrayList<>();
      for (int thread = 0; thread < 8; thread++) {
        Random own = new Random(thread);
        // One reads by position in the stream, which is one thread's alone, the others elsewhere.
        ReadKind kind = thread == 0 ? ReadKind.SEEK_AND_READ_IN_PIECES : ReadKind.POSITIONAL;
        readers.add(
            threads.submit(
                () -> {
                  for (int i = 0; i < 20; i++) {
                    int from = own.nextInt(bytes.length);
                    int length = 1 + own.nextInt(bytes.length - from);
                    assertThat(kind.read(in, from, length, own))
                        .isEqualTo(Arrays.copyOfRange(bytes, from, from + length));
                  }
                  return null;
                }));
      }
      for (Future<?> reader : readers) {
        reader.get();
      }
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  @Order(3)
  void moreThanRLossesAreRefusedByName() throws IOException {
    Random random = new Random(3);
    Path file = newFile(policy42(), random);
    byte[] bytes = izs.write(file, 4 * MiniIzs.BLOCK_BYTES, random);
    List<Unit> units = izs.units(file, policy42());
    for (Unit unit : units) {
      if (unit.index() == 0 || unit.index() == 2 || unit.index() == 5) {
        MiniIzs.lose(unit, Loss.DELETED, random);
      }
    }
    try (FSDataInputStream in = izs.own().open(file)) {
      for (ReadKind kind : ReadKind.values()) {
        assertThatThrownBy(() -> kind.read(in, 0, 3 * CELL_BYTES, random))
            .as("%s", kind)
            .isInstanceOf(IOException.class)
            .hasStackTraceContaining(LostUnitsException.class.getName())
            .hasStackTraceContaining("expected at most 2 of its 6 units lost at level 2");
      }
      // The stream is not closed by that, and what is left can be read.
      byte[] cell = ReadKind.POSITIONAL.read(in, CELL_BYTES, CELL_BYTES, random);
      assertThat(cell).isEqualTo(Arrays.copyOfRange(bytes, CELL_BYTES, 2 * CELL_BYTES));
    }
  }

  @Test
  @Order(4)
  void corruptUnitsAreReported() throws IOException {
    Random random = new Random(4);
    Path file = newFile(policy42(), random);
    byte[] bytes = izs.write(file, 4 * MiniIzs.BLOCK_BYTES, random);
    Unit unit = izs.units(file, policy42()).get(1);
    MiniIzs.lose(unit, Loss.CORRUPT, random);
    try (FSDataInputStream in = izs.own().open(file)) {
      assertThat(ReadKind.POSITIONAL.read(in, 0, bytes.length, random)).isEqualTo(bytes);
    }
    Awaitility.await()
        .until(
            () ->
                izs.units(file, policy42()).stream()
                    .noneMatch(other -> other.index() == unit.index()));
  }

  @Test
  @Order(5)
  void streamsKeepWorkingAfterUnbufferAndNotAfterClose() throws IOException {
    Random random = new Random(5);
    Path file = newFile(policy42(), random);
    byte[] bytes = izs.write(file, 3 * 4 * CELL_BYTES + 17, random);
    lose(izs.units(file, policy42()), 2, random);
    FSDataInputStream in = izs.own().open(file);
    for (int i = 0; i < 3; i++) {
      assertThat(ReadKind.SEEK_AND_READ.read(in, 100 + i, 5 * CELL_BYTES, random))
          .isEqualTo(Arrays.copyOfRange(bytes, 100 + i, 100 + i + 5 * CELL_BYTES));
      in.unbuffer();
      assertThat(in.getPos()).isEqualTo(100 + i + 5 * CELL_BYTES);
      assertThat(in.read()).isEqualTo(bytes[(int) in.getPos() - 1] & 0xff);
      in.setReadahead(1L << (10 + i));
    }
    in.seek(bytes.length);
    assertThat(in.read()).isEqualTo(-1);
    assertThat(in.read(new byte[0])).isZero();
    assertThat(in.read(bytes.length, new byte[1], 0, 1)).isEqualTo(-1);
    assertThat(in.read(0, ByteBuffer.allocate(0))).isZero();
    assertThatThrownBy(() -> in.seek(bytes.length + 1)).isInstanceOf(IOException.class);
    in.close();
    in.close();
    assertThatThrownBy(() -> in.read(0, new byte[1], 0, 1)).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> in.read(new byte[1])).isInstanceOf(IOException.class);
  }

  @Test
  @Order(8)
  void pathHandlesOpenTheSameStreams() throws IOException {
    Random random = new Random(8);
    Path file = newFile(policy42(), random);
    byte[] bytes = izs.write(file, 9 * CELL_BYTES, random);
    lose(izs.units(file, policy42()), 2, random);
    try (FSDataInputStream in =
        izs.own()
            .open(
                izs.own().getPathHandle(izs.own().getFileStatus(file), HandleOpt.exact()), 4096)) {
      assertThat(ReadKind.POSITIONAL.read(in, 0, bytes.length, random)).isEqualTo(bytes);
    }
  }

  @Test
  @Order(10)
  void filesThatAreBeingWrittenGiveRightBytesOrNone() throws IOException {
    Random random = new Random(11);
    Path file = newFile(policy42(), random);
    byte[] bytes = new byte[6 * 4 * CELL_BYTES + CELL_BYTES / 2];
    random.nextBytes(bytes);
    try (OutputStream out = izs.own().create(file)) {
      out.write(bytes);
      try (FSDataInputStream in = izs.own().open(file)) {
        int length = (int) ((HdfsDataInputStream) in).getVisibleLength();
        assertThat(length).isLessThanOrEqualTo(bytes.length);
        for (int i = 0; i < 20 && length > 0; i++) {
          int from = random.nextInt(length);
          byte[] read;
          try {
            read = ReadKind.POSITIONAL.read(in, from, 1 + random.nextInt(length - from), random);
          } catch (IOException e) {
            continue;
          }
          assertThat(read).isEqualTo(Arrays.copyOfRange(bytes, from, from + read.length));
        }
      }
    }
    try (FSDataInputStream in = izs.own().open(file)) {
      assertThat(ReadKind.POSITIONAL.read(in, 0, bytes.length, random)).isEqualTo(bytes);
    }
  }

  @Test
  @Order(11)
  void interruptsEndAReadAndNotTheStream() throws IOException {
    Random random = new Random(12);
    Path file = newFile(policy42(), random);
    byte[] bytes = izs.write(file, 9 * CELL_BYTES, random);
    lose(izs.units(file, policy42()), 2, random);
    try (FSDataInputStream in = izs.own().open(file)) {
      for (ReadKind kind : List.of(ReadKind.POSITIONAL, ReadKind.SEEK_AND_READ)) {
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> kind.read(in, 0, bytes.length, random))
            .isInstanceOf(InterruptedIOException.class);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(kind.read(in, 0, bytes.length, random)).isEqualTo(bytes);
      }
    }
  }

  /** New ones are fetched; the unit is not taken for lost. */
  @Test
  @Order(12)
  void expiredTokensCostNoUnit() throws IOException {
    Random random = new Random(13);
    Path file = newFile(policy42(), random);
    byte[] bytes = izs.write(file, 9 * CELL_BYTES, random);
    lose(izs.units(file, policy42()), 2, random);
    BlockTokenSecretManager tokens =
        izs.cluster().getNamesystem().getBlockManager().getBlockTokenSecretManager();
    long lifetimeMs = 1000;
    SecurityTestUtil.setBlockTokenLifetime(tokens, lifetimeMs);
    try (FSDataInputStream in = izs.own().open(file)) {
      LocatedStripedBlock group =
          (LocatedStripedBlock) ((HdfsDataInputStream) in).getAllBlocks().get(0);
      Awaitility.await()
          .until(() -> SecurityTestUtil.isBlockTokenExpired(group.getBlockTokens()[0]));
      SecurityTestUtil.setBlockTokenLifetime(tokens, 600_000);
      assertThat(ReadKind.POSITIONAL.read(in, 0, bytes.length, random)).isEqualTo(bytes);
      assertThat(ReadKind.SEEK_AND_READ.read(in, 0, bytes.length, random)).isEqualTo(bytes);
    }
  }

  /** As after a long pause: the DataNodes have closed the connections. */
  @Test
  @Order(13)
  void brokenConnectionsCostNoUnit() throws Exception {
    Random random = new Random(14);
    Path file = newFile(POLICIES.get(0), random);
    byte[] bytes = izs.write(file, 4 * MiniIzs.BLOCK_BYTES, random);
    try (FSDataInputStream in = izs.own().open(file)) {
      byte[] half = ReadKind.SEEK_AND_READ.read(in, 0, bytes.length / 2, random);
      assertThat(half).isEqualTo(Arrays.copyOf(bytes, bytes.length / 2));
      for (int i = 0; i < 2; i++) {
        // Asked anew, because a restart numbers the nodes anew.
        int node = izs.units(file, POLICIES.get(0)).get(i).node();
        izs.cluster().restartDataNode(node, true);
        izs.cluster().waitActive();
      }
      byte[] rest = new byte[bytes.length - bytes.length / 2];
      in.readFully(rest);
      assertThat(rest).isEqualTo(Arrays.copyOfRange(bytes, bytes.length / 2, bytes.length));
    }
  }

  /**
   * Of the old group unit 0 is left, as on a DataNode that was away when the group was written
   * anew; of the new one unit 2 is lost. A unit that fails has the stream ask for locations, and
   * what it is told then is the new group, with the same units at the same place.
   */
  @Test
  @Order(9)
  void aGroupIsNotDecodedWithTheOneThatItTookThePlaceOf() throws IOException {
    Random random = new Random(15);
    int lengthBytes = 3 * 4 * CELL_BYTES;
    for (ErasureCodingPolicy policy : List.of(policy42(), izs.addPolicy("rs", 4, 2, CELL_BYTES))) {
      boolean isOurs = policy.equals(policy42());
      Path file = newFile(policy, random);
      izs.write(file, lengthBytes, random);
      List<FSDataInputStream> open = openForAll(file, izs::openWithoutOrders);
      List<FSDataInputStream> byInode = openForAll(file, izs.own()::open);
      List<Unit> before = izs.units(file, policy);
      byte[] bytes = replace(file, policy, lengthBytes, random);
      for (Unit unit : before) {
        if (unit.index() != 0) {
          MiniIzs.lose(unit, Loss.DELETED, random);
        }
      }
      for (Unit unit : izs.units(file, policy)) {
        if (unit.index() == 2) {
          MiniIzs.lose(unit, Loss.DELETED, random);
        }
      }
      for (ReadKind kind : WHOLE) {
        try (FSDataInputStream in = open.get(kind.ordinal())) {
          byte[] read = kind.read(in, 0, lengthBytes, random);
          assertThat(read).as("%s of %s", kind, policy.getName()).isEqualTo(bytes);
        } catch (IOException e) {
          // Hadoop's stream has no units left.
          assertThat(isOurs).as("%s: %s", kind, e).isFalse();
        }
        // One that knows of orders stays with the file that it was opened of.
        try (FSDataInputStream in = byInode.get(kind.ordinal())) {
          assertThatThrownBy(() -> kind.read(in, 0, lengthBytes, random))
              .as("%s of %s, by inode", kind, policy.getName())
              .isInstanceOf(IOException.class);
        }
      }
    }
  }

  /** All but those that may ask for bytes of unit 0 alone, which is there and is as it was. */
  private static final List<ReadKind> WHOLE =
      List.of(
          ReadKind.SEEK_AND_READ,
          ReadKind.SEEK_AND_READ_BUFFER,
          ReadKind.POSITIONAL,
          ReadKind.POSITIONAL_BUFFER);

  private interface Opener {
    FSDataInputStream open(Path file) throws IOException;
  }

  private static List<FSDataInputStream> openForAll(Path file, Opener opener) throws IOException {
    List<FSDataInputStream> open = new ArrayList<>();
    for (ReadKind ignored : ReadKind.values()) {
      open.add(opener.open(file));
    }
    return open;
  }

  /** Puts another file at the path, which HDFS does in one step; old replicas stay. */
  private static byte[] replace(
      Path file, ErasureCodingPolicy policy, int lengthBytes, Random random) throws IOException {
    Path next = newFile(policy, random);
    byte[] bytes = izs.write(next, lengthBytes, random);
    izs.stock().rename(next, file, Rename.OVERWRITE);
    return bytes;
  }

  /** Files of other forms have other bytes at the places where an open stream looks for its own. */
  @Test
  @Order(9)
  void aFileThatIsWrittenAnewInAnotherFormEndsTheStream() throws IOException {
    Random random = new Random(16);
    ErasureCodingPolicy izs41 = POLICIES.get(0);
    ErasureCodingPolicy rs62 = izs.addPolicy("rs", 6, 2, CELL_BYTES);
    ErasureCodingPolicy rs41 = izs.addPolicy("rs", 4, 1, CELL_BYTES);
    int lengthBytes = 3 * 4 * CELL_BYTES;
    for (List<ErasureCodingPolicy> forms :
        List.of(List.of(izs41, policy42()), List.of(rs62, rs41), List.of(policy42(), rs41))) {
      Path file = newFile(forms.get(0), random);
      izs.write(file, lengthBytes, random);
      List<FSDataInputStream> open = openForAll(file, izs::openWithoutOrders);
      List<FSDataInputStream> byInode = openForAll(file, izs.own()::open);
      List<Unit> before = izs.units(file, forms.get(0));
      replace(file, forms.get(1), lengthBytes, random);
      for (Unit unit : before) {
        MiniIzs.lose(unit, Loss.DELETED, random);
      }
      for (ReadKind kind : ReadKind.values()) {
        for (List<FSDataInputStream> streams : List.of(open, byInode)) {
          try (FSDataInputStream in = streams.get(kind.ordinal())) {
            for (int i = 0; i < 3; i++) {
              assertThatThrownBy(() -> kind.read(in, CELL_BYTES, 2 * CELL_BYTES, random))
                  .as("%s of %s", kind, forms)
                  .isInstanceOf(IOException.class);
            }
          }
        }
      }
    }
  }

  /** Last, because the nodes stay dead. */
  @Test
  @Order(14)
  void deadNodesAndCorruptReplicasTogetherAreRight() throws IOException {
    Random random = new Random(9);
    Path file = newFile(policy42(), random);
    byte[] bytes = izs.write(file, 3 * 4 * MiniIzs.BLOCK_BYTES - 5000, random);
    List<Unit> units = izs.units(file, policy42());
    List<FSDataInputStream> open = new ArrayList<>();
    for (ReadKind kind : ReadKind.values()) {
      FSDataInputStream in = izs.own().open(file);
      kind.read(in, 0, CELL_BYTES, random);
      open.add(in);
    }
    int dead = units.get(0).node();
    for (int group = 0; group < 3; group++) {
      int of = group;
      Unit other =
          units.stream()
              .filter(unit -> unit.group() == of && unit.node() != dead)
              .skip(group)
              .findFirst()
              .orElseThrow();
      MiniIzs.lose(other, Loss.CORRUPT, random);
    }
    izs.cluster().stopDataNode(dead);
    for (ReadKind kind : ReadKind.values()) {
      try (FSDataInputStream in = open.get(kind.ordinal())) {
        for (int i = 0; i < 3; i++) {
          int from = random.nextInt(bytes.length);
          int length = bytes.length - from;
          assertThat(kind.read(in, from, length, random))
              .as("%s from %d", kind, from)
              .isEqualTo(Arrays.copyOfRange(bytes, from, bytes.length));
        }
      }
      checkOwn(file, bytes, kind, random);
    }
    checkStock(file, bytes, 3 * CELL_BYTES, random);
  }
}

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.storage;

import static io.hdfsparity.ecupdate.storage.TwoReplicas.DATA;
import static io.hdfsparity.ecupdate.storage.TwoReplicas.PARITY;
import static io.hdfsparity.ecupdate.storage.TwoReplicas.patch;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hdfsparity.core.framing.CorruptFormatException;
import io.hdfsparity.ecupdate.ajx.ReplicaKey;
import io.hdfsparity.ecupdate.ajx.Reply;
import io.hdfsparity.ecupdate.ajx.Request;
import io.hdfsparity.ecupdate.ajx.SlotKey;
import io.hdfsparity.ecupdate.ajx.Tid;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Bytes of one replica are damaged, or its files unreadable: the others are served all the same.
 */
@Timeout(60)
class DamagedReplicaTest {
  /** Of the log: docs/formats/ec-update-log.md. */
  private static final int RING_OFFSET = 8192;

  private static final int RECORD_ALIGNMENT = 64;

  private TestDisk disk;
  private BlockEngine engine;
  private long tids;

  private void open(String scheme) throws Exception {
    disk = TwoReplicas.disk(scheme, new Random(1));
    engine = disk.openEngine();
  }

  private Reply ask(SlotKey slot, Request request) throws Exception {
    return TwoReplicas.ask(engine, slot, request);
  }

  private Reply swap(int stripe, int offset, int value) throws Exception {
    return ask(
        new SlotKey(DATA, stripe), new Request.Swap(patch(offset, value), new Tid(1, ++tids, 0)));
  }

  private Reply add(int stripe, int offset, int value) throws Exception {
    return ask(
        new SlotKey(PARITY, stripe),
        new Request.Add(
            patch(offset, value), Request.Scaling.BY_CLIENT, new Tid(1, ++tids, 0), null, 0));
  }

  private int read(ReplicaKey key, int offset) throws Exception {
    return TwoReplicas.read(engine, key, offset);
  }

  @Test
  void onlyRequestsThatNeedTheDamagedBytesAreRefused() throws Exception {
    open("FL");
    swap(0, 20, 3);
    disk.damage(DATA, 1);
    assertThatThrownBy(() -> swap(0, 20, 4))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("chunk 1 does not fit")
        .hasMessageContaining("rewrite its block group");
    assertThatThrownBy(() -> read(DATA, 20)).isInstanceOf(TestDisk.DamagedException.class);
    swap(0, 0, 5);
    assertThat(read(DATA, 0)).isEqualTo(5);
    swap(1, 0, 6);
    assertThat(read(DATA, TestDisk.CELL_BYTES)).isEqualTo(6);
    add(0, 20, 7);
    assertThat(read(PARITY, 20)).isEqualTo(7);
    assertThat(engine.hasFailed()).isFalse();
  }

  /** Adding needs no bytes, bringing the sum to the file does. */
  @ParameterizedTest
  @ValueSource(strings = {"FO", "FL", "PLR"})
  void changesThatCannotBeBroughtToADamagedFileStayInTheLog(String scheme) throws Exception {
    open(scheme);
    add(0, 0, 3);
    disk.damage(PARITY, 0);
    engine.drainAll();
    assertThatThrownBy(() -> engine.merge(PARITY))
        .isInstanceOf(IOException.class)
        .isNotInstanceOf(EngineFailedException.class)
        .hasMessageContaining("chunk 0 does not fit");
    assertThatThrownBy(() -> add(0, 0, 4)).hasMessageContaining("rewrite its block group");
    assertThatThrownBy(() -> engine.convert(PARITY, "FO"))
        .isNotInstanceOf(EngineFailedException.class);
    assertThat(read(PARITY, TestDisk.CELL_BYTES)).isZero();
    swap(0, 0, 5);
    engine.drainAll();
    engine.merge(DATA);
    assertThat(read(DATA, 0)).isEqualTo(5);

    disk.kill();
    disk = disk.reopen(); // where nothing is damaged
    engine = disk.openEngine();
    assertThat(read(PARITY, 0)).as("what was acknowledged").isEqualTo(3);
    assertThat(read(DATA, 0)).isEqualTo(5);
    engine.merge(PARITY);
    assertThat(read(PARITY, 0)).isEqualTo(3);
  }

  /** As a torn tail it would be cut off, and its deltas be added to a file that has them. */
  @Test
  void damageToAFoldThatTheFileHasIsNoTornTail() throws Exception {
    open("FO");
    add(0, 0, 3);
    engine.log().seal();
    engine.merge(PARITY);
    long last = RING_OFFSET + engine.log().usedBytes() - RECORD_ALIGNMENT;
    ByteBuffer bytes = ByteBuffer.allocate(1);
    disk.logStore().read(last, bytes);
    bytes.put(0, (byte) (bytes.get(0) ^ 1));
    disk.logStore().write(last, bytes.flip());
    disk.kill();
    disk = disk.reopen();
    assertThatThrownBy(
            () -> {
              engine = disk.openEngine();
              assertThat(read(PARITY, 0)).as("the delta, once").isEqualTo(3);
            })
        .isInstanceOf(CorruptFormatException.class)
        .hasMessageContaining("the head says that all up to");
  }

  /** The size of a file that is gone must not get into the state: it would say "never used". */
  @Test
  void aReplicaWhoseReservedSpaceIsGoneIsRefused() throws Exception {
    open("PLR");
    add(0, 0, 3);
    engine.drainAll();
    SlotKey slot = new SlotKey(PARITY, 0);
    List<Tid> collected = List.of(new Tid(1, tids, 0));
    ask(slot, new Request.GcRecent(collected));
    ask(slot, new Request.GcOld(collected));
    disk.deleteReservedSpace(PARITY);
    engine.rest();
    engine.rest(); // the first call finds that there were changes
    assertThat(engine.log().usedBytes()).as("the delta is in reserved space only").isZero();
    disk.kill();
    disk = disk.reopen();
    engine = disk.openEngine();
    assertThatThrownBy(() -> read(PARITY, 0))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("the area that its state names");
    assertThat(read(DATA, 0)).isZero();
  }

  /** A read changes nothing, so nothing has to end when one fails. */
  @Test
  void aReadThatFailsForAnotherReasonIsTriedAgain() throws Exception {
    open("FO");
    swap(0, 0, 3);
    failReads();
    assertThatThrownBy(() -> swap(0, 0, 4))
        .isInstanceOf(IOException.class)
        .isNotInstanceOf(EngineFailedException.class)
        .hasMessageContaining("Too many open files")
        .hasMessageContaining("try again");
    assertThat(engine.hasFailed()).isFalse();
    disk.hook(call -> {});
    swap(0, 0, 5);
    assertThat(read(DATA, 0)).isEqualTo(5);
  }

  @ParameterizedTest
  @ValueSource(strings = {"FO", "FL", "PLR"})
  void changesThatCannotBeBroughtToTheFileNowGoThereLater(String scheme) throws Exception {
    open(scheme);
    add(0, 0, 3);
    failReads();
    engine.drainAll();
    assertThatThrownBy(() -> engine.merge(PARITY))
        .isInstanceOf(IOException.class)
        .isNotInstanceOf(EngineFailedException.class)
        .hasMessageContaining("Too many open files")
        .hasMessageContaining("try again");
    add(0, 20, 4);
    disk.hook(call -> {});
    engine.drainAll();
    engine.merge(PARITY);
    assertThat(read(PARITY, 0)).isEqualTo(3);
    assertThat(read(PARITY, 20)).isEqualTo(4);
    assertThat(engine.log().holdouts(Long.MAX_VALUE / 2).toApply()).isEmpty();
    assertThat(engine.hasFailed()).isFalse();
  }

  /** Adding needs no bytes of the file: the room for changes runs out. */
  @Test
  void whoWaitsForRoomThatCannotBeMadeNowIsRefused() throws Exception {
    disk = TwoReplicas.disk("FO", new Random(1));
    engine = disk.openEngine(TestDisk.takingAtMost(5 * 8)); // the log has room for more
    fail("prepareWrite");
    try (EngineThreads threads = EngineThreads.start(engine, "short", e -> {})) {
      assertThat(threads).isNotNull();
      assertThatThrownBy(
              () -> {
                for (int i = 0; i < 3000; i++) {
                  addAlone(i);
                }
              })
          .isInstanceOf(IOException.class)
          .isNotInstanceOf(EngineFailedException.class)
          .hasMessageContaining(TestDisk.NO_DESCRIPTOR)
          .hasMessageContaining(PARITY.toString())
          .hasMessageContaining("try again");
      swapAlone(0);
      disk.hook(call -> {});
      await()
          .ignoreException(IOException.class)
          .until(
              () -> {
                addAlone(0);
                return true;
              });
      assertThat(engine.status(PARITY).trouble()).isEmpty();
    }
  }

  /** Each attempt may read and write much, and open files that others lack. */
  @Test
  void attemptsBecomeFewer() throws Exception {
    open("FO");
    add(0, 0, 3);
    AtomicInteger attempts = fail("prepareWrite");
    for (int round = 0; round < 128; round++) {
      engine.drainAll();
      engine.makeRoom();
    }
    assertThat(attempts).as("at once, and 1, 2, 4, 8, 16, 32 and 64 rounds later").hasValue(8);
    assertThat(engine.status(PARITY).trouble()).contains(TestDisk.NO_DESCRIPTOR);
    assertThat(engine.status(DATA).trouble()).isEmpty();
    disk.hook(call -> {});
    engine.merge(PARITY);
    assertThat(engine.status(PARITY).trouble()).isEmpty();
    fail("prepareWrite");
    add(0, 0, 4);
    engine.drainAll();
    assertThat(engine.status(PARITY).trouble()).as("the first attempt").isNotEmpty();
  }

  @Test
  void aConversionWhoseChangesAreNotBroughtOnIsNotSaidToBeDone() throws Exception {
    open("FL");
    add(0, 0, 3);
    fail("prepareWrite");
    assertThatThrownBy(() -> engine.convert(PARITY, "FO"))
        .isInstanceOf(IOException.class)
        .isNotInstanceOf(EngineFailedException.class)
        .hasMessageContaining(TestDisk.NO_DESCRIPTOR);
    disk.hook(call -> {});
    engine.convert(PARITY, "FO");
    assertThat(engine.status(PARITY).overlayBytes()).isZero();
    assertThat(read(PARITY, 0)).isEqualTo(3);
  }

  /** Counts the attempts. */
  private AtomicInteger fail(String failing) {
    AtomicInteger attempts = new AtomicInteger();
    disk.hook(
        call -> {
          if (call.equals(failing)) {
            attempts.incrementAndGet();
            throw new IOException(TestDisk.NO_DESCRIPTOR);
          }
        });
    return attempts;
  }

  private void failReads() {
    fail("read");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whoWaitsBehindChangesThatCanBeBroughtNowhereIsToldSo(boolean isOpened) throws Exception {
    open("FO");
    add(0, 0, 3);
    if (isOpened) {
      disk.damage(PARITY, 0);
      engine.drainAll();
    } else {
      disk.kill();
      disk = disk.reopen();
      disk.makeUnreadable(PARITY);
      engine = disk.openEngine();
    }
    EngineThreads threads = EngineThreads.start(engine, "stuck", e -> {});
    assertThatThrownBy(
            () -> {
              for (int i = 0; i < 3000; i++) {
                swapAlone(i);
              }
            })
        .isInstanceOf(IOException.class)
        .isNotInstanceOf(EngineFailedException.class)
        .hasMessageContaining("room in the update log")
        .hasMessageContaining(PARITY.toString())
        .hasMessageContaining("delete these replicas");
    assertThat(read(DATA, 0)).as("reads go on").isNotZero();
    if (isOpened) {
      engine.dropped(PARITY);
      for (int i = 0; i < 500; i++) {
        swapAlone(i);
      }
    }
    threads.close();
  }

  private void addAlone(int i) throws Exception {
    SlotKey slot = new SlotKey(PARITY, i % TestDisk.STRIPES);
    Tid tid = new Tid(1, ++tids, 0);
    Request add = new Request.Add(patch(0, 1), Request.Scaling.BY_CLIENT, tid, null, 0);
    engine.handle(slot, add).get();
    engine.handle(slot, new Request.GcRecent(List.of(tid))).get();
    engine.handle(slot, new Request.GcOld(List.of(tid))).get();
  }

  /** The threads commit; tids are collected, so that there is no end to it. */
  private void swapAlone(int i) throws Exception {
    SlotKey slot = new SlotKey(DATA, i % TestDisk.STRIPES);
    Tid tid = new Tid(1, ++tids, 0);
    engine.handle(slot, new Request.Swap(patch(0, 1 + i % 100), tid)).get();
    engine.handle(slot, new Request.GcRecent(List.of(tid))).get();
    engine.handle(slot, new Request.GcOld(List.of(tid))).get();
  }
}

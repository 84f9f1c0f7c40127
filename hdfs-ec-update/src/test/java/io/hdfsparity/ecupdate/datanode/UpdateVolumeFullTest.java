/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.datanode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hdfsparity.bridge.datanode.ReadCaller;
import io.hdfsparity.bridge.datanode.ReplicaSnapshot;
import io.hdfsparity.ecupdate.ajx.ReplicaKey;
import io.hdfsparity.ecupdate.ajx.Request;
import io.hdfsparity.ecupdate.ajx.SlotKey;
import io.hdfsparity.ecupdate.ajx.Tid;
import io.hdfsparity.ecupdate.config.StorageKey;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Stock readers that keep back changes for which there is no room any more. */
@Timeout(600)
class UpdateVolumeFullTest extends UpdateVolumeFixture {
  private static final int FULL_AGE_MS = 1500;
  private static final int WRITE_BYTES = CELL_BYTES;

  /** What is full. */
  private enum Full {
    OVERLAY(200),
    LOG(1500);

    /** More than fit. */
    final int writes;

    Full(int writes) {
      this.writes = writes;
    }
  }

  /** The threads of a writer. */
  private CompletableFuture<Void> writing = CompletableFuture.completedFuture(null);

  private Full full = Full.OVERLAY;

  @Override
  void configure(Configuration conf) {
    conf.set(StorageKey.SNAPSHOT_FULL_AGE.key(), FULL_AGE_MS + "ms");
    conf.set(StorageKey.OVERLAY_BYTES.key(), full == Full.OVERLAY ? "64K" : "8M");
  }

  private void begin(Full what) throws IOException {
    full = what;
    restart();
    admit(DATA);
  }

  @AfterEach
  void awaitWriter() {
    writing.cancel(true);
  }

  /** Writes more than there is room for. */
  private void write() {
    writing =
        CompletableFuture.runAsync(
            () -> {
              try {
                for (int i = 0; i < full.writes; i++) {
                  byte[] fresh = new byte[WRITE_BYTES];
                  fresh[i % WRITE_BYTES] = (byte) i;
                  swap(0, fresh);
                  collect(new Tid(1, tids, 0));
                }
              } catch (Exception e) {
                throw new CompletionException(e);
              }
            },
            task -> new Thread(task, "writer").start());
  }

  private void collect(Tid tid) throws Exception {
    SlotKey slot = new SlotKey(new ReplicaKey(OneVolume.POOL, BLOCK), 0);
    volume.engineOf(BLOCK).handle(slot, new Request.GcRecent(List.of(tid))).get();
    volume.engineOf(BLOCK).handle(slot, new Request.GcOld(List.of(tid))).get();
  }

  private void awaitFull() {
    await().until(() -> volume.running().heldBack().equals(Set.of(key())) || writing.isDone());
    assertThat(writing).as("it waits for room").isNotDone();
  }

  private static ReplicaKey key() {
    return new ReplicaKey(OneVolume.POOL, BLOCK);
  }

  private static void isCutOff(ReplicaSnapshot reader) {
    assertThatThrownBy(reader::requireReadable)
        .as("not reported as damage by a VolumeScanner")
        .isInstanceOf(FileNotFoundException.class)
        .hasMessageContaining("snapshot.full.age=1500ms, expected a shorter read")
        .hasMessageContaining("open it again");
  }

  @ParameterizedTest
  @EnumSource
  void theScannerGivesWayAtOnce(Full what) throws Exception {
    begin(what);
    try (ReplicaSnapshot scanner = open(ReadCaller.SCANNER)) {
      volume.reads().giveWay();
      scanner.requireReadable();
      write();
      awaitFull();
      volume.reads().giveWay();
      isCutOff(scanner);
      writing.get(60, TimeUnit.SECONDS);
    }
    try (ReplicaSnapshot again = open(ReadCaller.SCANNER)) {
      assertThat(read(again)).isEqualTo(content);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aClientGivesWayAfterAWhile(Full what) throws Exception {
    begin(what);
    byte[] before = content.clone();
    try (ReplicaSnapshot client = open(ReadCaller.CLIENT)) {
      write();
      awaitFull();
      clock.advance(FULL_AGE_MS - 1);
      volume.reads().giveWay();
      assertThat(read(client)).isEqualTo(before);
      clock.advance(1);
      volume.reads().giveWay();
      isCutOff(client);
      writing.get(60, TimeUnit.SECONDS);
    }
    try (ReplicaSnapshot again = open(ReadCaller.CLIENT)) {
      assertThat(read(again)).isEqualTo(content);
    }
  }

  @ParameterizedTest
  @EnumSource
  void whoKeepsNobodyWaitingStays(Full what) throws Exception {
    begin(what);
    try (ReplicaSnapshot client = open(ReadCaller.CLIENT);
        ReplicaSnapshot scanner = open(ReadCaller.SCANNER)) {
      byte[] before = content.clone();
      swap(100, new byte[] {1, 2, 3});
      clock.advance(AGE_MS - 1);
      volume.reads().giveWay();
      assertThat(read(client)).isEqualTo(before);
      assertThat(read(scanner)).isEqualTo(before);
    }
  }
}

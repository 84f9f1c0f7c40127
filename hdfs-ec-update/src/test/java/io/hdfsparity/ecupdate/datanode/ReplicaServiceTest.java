/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.datanode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.core.check.ManualClock;
import io.hdfsparity.core.gf.GfMatrix;
import io.hdfsparity.ecupdate.ajx.Bytes;
import io.hdfsparity.ecupdate.ajx.CodeTable;
import io.hdfsparity.ecupdate.ajx.LockMode;
import io.hdfsparity.ecupdate.ajx.OpMode;
import io.hdfsparity.ecupdate.ajx.Patch;
import io.hdfsparity.ecupdate.ajx.ReplicaKey;
import io.hdfsparity.ecupdate.ajx.Reply;
import io.hdfsparity.ecupdate.ajx.Request;
import io.hdfsparity.ecupdate.ajx.SlotKey;
import io.hdfsparity.ecupdate.ajx.Tid;
import io.hdfsparity.ecupdate.channel.ChannelAccess;
import io.hdfsparity.ecupdate.config.StorageKey;
import io.hdfsparity.ecupdate.protocol.LiveSessions;
import io.hdfsparity.ecupdate.protocol.NodeAnswer;
import io.hdfsparity.ecupdate.protocol.SessionId;
import io.hdfsparity.ecupdate.protocol.SessionList;
import io.hdfsparity.ecupdate.storage.ReceiptRoomException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.metrics2.AbstractMetric;
import org.apache.hadoop.metrics2.impl.MetricsCollectorImpl;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whose word it is that a session is over. */
class ReplicaServiceTest {
  private static final long BLOCK = -1024;
  private static final int LENGTH_BYTES = 1024;
  private static final int QUIET_MS = 100;
  private static final long MAX_RECEIPT_BYTES = 64 << 10;
  private static final Patch CELL = new Patch(0, Bytes.zeros(512));
  private static final SlotKey SLOT = new SlotKey(new ReplicaKey(OneVolume.POOL, BLOCK), 0);

  private static final ReplicaDescriptor DESCRIPTOR =
      new ReplicaDescriptor(
          CodeTable.plain(GfMatrix.cauchyParity(3, 2)),
          0,
          512,
          LENGTH_BYTES,
          2,
          OneVolume.STAMP,
          "FO");

  @TempDir Path root;

  private final ManualClock clock = new ManualClock();

  /** By the NameNodes. */
  private final Set<Long> over = new HashSet<>();

  private final UpdateMetrics metrics = new UpdateMetrics("test", () -> 3, () -> 5);
  private UpdateVolume volume;
  private ReplicaService service;
  private UpdateReplicas replicas;

  @BeforeEach
  void start() throws Exception {
    OneVolume disk = new OneVolume(root);
    disk.add(BLOCK, new byte[LENGTH_BYTES]);
    Configuration conf = new Configuration(false);
    conf.set(StorageKey.LOG_BYTES.key(), "1M");
    conf.set(StorageKey.RECORD_BYTES.key(), "64K");
    conf.set(StorageKey.RECEIPT_BYTES.key(), String.valueOf(MAX_RECEIPT_BYTES));
    conf.set(StorageKey.QUIET.key(), QUIET_MS + "ms");
    volume = new UpdateVolume(OneVolume.STORAGE, root, disk, StorageOptions.of(conf), clock);
    volume.start(OneVolume.POOL);
    clock.advance(QUIET_MS);
    replicas =
        new UpdateReplicas(OneVolume.POOL, List.of(volume), new GivenUpReplicas(Runnable::run));
    for (long session : new long[] {0, 1, 2}) {
      replicas.admit(BLOCK, DESCRIPTOR, new SessionId(session));
    }
    service =
        new ReplicaService(
            replicas,
            asked ->
                asked.stream()
                    .filter(each -> over.contains(each.value()))
                    .collect(Collectors.toSet()),
            metrics);
  }

  @AfterEach
  void stop() throws IOException {
    volume.close();
  }

  private Reply ask(Request request) throws Exception {
    return service.handle(SLOT, request, () -> true).get();
  }

  @Test
  void whatIsNotPermittedWhenItHasRoomChangesNothing() throws Exception {
    Request.Swap swap = new Request.Swap(CELL, new Tid(1, 1, 0));
    assertThatThrownBy(() -> service.handle(SLOT, swap, () -> false))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("permitted=false, expected a session that has not ended");
    Reply.SwapReply reply = (Reply.SwapReply) ask(swap);
    assertThat(reply.previous()).as("as for one that was not asked for before").isNotNull();
  }

  @Test
  void onlyWhatNameNodesSayIsOverIsCrossedOut() throws Exception {
    assertThat(ask(new Request.Sessions(Set.of())))
        .isEqualTo(new Reply.SessionsReply(Set.of(0L, 1L, 2L), Set.of()));
    over.add(1L);
    assertThat(ask(new Request.Sessions(Set.of(1L, 2L))))
        .isEqualTo(new Reply.SessionsReply(Set.of(0L, 1L, 2L), Set.of(1L)));
    assertThatThrownBy(() -> ask(new Request.CrossOut(Set.of(1L, 2L))))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("expected sessions that are over");
    assertThat(ask(new Request.Sessions(Set.of())))
        .isEqualTo(new Reply.SessionsReply(Set.of(0L, 1L, 2L), Set.of()));
    assertThat(ask(new Request.CrossOut(Set.of(1L)))).isEqualTo(new Reply.Done());
    assertThat(ask(new Request.Sessions(Set.of())))
        .isEqualTo(new Reply.SessionsReply(Set.of(0L, 2L), Set.of()));
    // Somebody unknown is never over, whoever says so.
    over.add(0L);
    assertThat(ask(new Request.CrossOut(Set.of(0L)))).isEqualTo(new Reply.Done());
    assertThat(ask(new Request.Sessions(Set.of())))
        .isEqualTo(new Reply.SessionsReply(Set.of(0L, 2L), Set.of()));
  }

  private long counter(String name) {
    MetricsCollectorImpl collector = new MetricsCollectorImpl();
    metrics.getMetrics(collector, true);
    for (AbstractMetric each : collector.getRecords().get(0).metrics()) {
      if (each.name().equals(name)) {
        return each.value().longValue();
      }
    }
    throw new AssertionError(name);
  }

  /** Changes that were made are counted before who asked for them hears of it, others are not. */
  @Test
  void changesAreCounted() throws Exception {
    Patch patch = new Patch(7, Bytes.zeros(100));
    Request.Swap swap = new Request.Swap(patch, new Tid(1, 1, 0));
    Reply.SwapReply swapped = (Reply.SwapReply) ask(swap);
    assertThat(swapped.previous()).isNotNull();
    assertThat(counter("CellWrites")).isEqualTo(1);
    assertThat(counter("CellBytes")).isEqualTo(100);
    metrics.answered(
        swap, new Reply.SwapReply(null, swapped.epoch(), null, swapped.lockMode())); // locked
    assertThat(counter("CellWrites")).isEqualTo(1);
    // A data unit takes no adds.
    Request.Add add =
        new Request.Add(patch, Request.Scaling.BY_NODE, new Tid(1, 1, 0), null, swapped.epoch());
    assertThatThrownBy(() -> ask(add)).isInstanceOf(IllegalArgumentException.class);
    for (Reply.AddStatus status : Reply.AddStatus.values()) {
      Reply reply = new Reply.AddReply(status, OpMode.NORM, LockMode.UNL);
      metrics.answered(add, reply);
      metrics.answered(
          new Request.AddAll(patch, List.of(new Request.Part(add.ntid(), null)), 0), reply);
    }
    assertThat(counter("ParityUpdates")).isEqualTo(2);
    assertThat(counter("ParityBytes")).isEqualTo(200);
    assertThat(counter("MovesRefused")).isEqualTo(3);
    assertThat(counter("ReceiptBytes")).isEqualTo(5);
  }

  /** A client that never collects, in two sessions with the same right to room. */
  @Test
  void aSessionThatIsOverLeavesItsRoomToOthers() throws Exception {
    long first = 7;
    int swaps = swapUntilRefused(first);
    assertThat(swaps).isPositive();
    assertThat(counter("SwapsRefused")).isEqualTo(1);
    long bytes = replicas.receiptBytes();
    assertThat(bytes).isBetween(1L, MAX_RECEIPT_BYTES);
    replicas.forgetReceipts(sessions -> Set.of());
    assertThat(replicas.receiptBytes()).isEqualTo(bytes);
    replicas.forgetReceipts(
        sessions -> {
          assertThat(sessions).containsExactly(first);
          return sessions;
        });
    assertThat(replicas.receiptBytes()).isZero();
    assertThat(counter("CellWrites")).isEqualTo(swaps);
    ask(new Request.Swap(CELL, new Tid(8L << 32, 1, 0)));
    assertThat(replicas.receiptBytes()).isEqualTo(bytes / swaps);
  }

  private int swapUntilRefused(long session) throws Exception {
    for (int swaps = 0; ; swaps++) {
      try {
        ask(new Request.Swap(CELL, new Tid(session << 32 | swaps, 1, 0)));
      } catch (ReceiptRoomException e) {
        return swaps;
      }
    }
  }

  @Test
  void aConnectionThatIsOpenIsRefusedFromWhenTheGroupIsReplaced() {
    LiveSessions live = new LiveSessions(clock::millis);
    SessionId session = new SessionId(1);
    ChannelAccess.Grant grant =
        new SessionAccess.ReplicaGrant(
            live::isLive, replicas, session, "u", SLOT.replica(), DESCRIPTOR);
    for (ChannelAccess.Use use : ChannelAccess.Use.values()) {
      live.accept("nn", answer(session, Set.of()), clock.millis());
      assertThat(grant.permits(SLOT.replica(), use)).isTrue();
      live.accept("nn", answer(session, Set.of(BLOCK - 16)), clock.millis());
      assertThat(grant.permits(SLOT.replica(), use)).as("another group").isTrue();
      live.accept("nn", answer(session, Set.of(BLOCK)), clock.millis());
      assertThat(grant.permits(SLOT.replica(), use)).isFalse();
    }
  }

  private static NodeAnswer answer(SessionId session, Set<Long> replaced) {
    return new NodeAnswer(true, 1, SessionList.whole(1, 1, Set.of(session)), 1000, 10, replaced);
  }
}

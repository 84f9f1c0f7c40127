/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.storage;

import static io.hdfsparity.ecupdate.storage.TwoReplicas.DATA;
import static io.hdfsparity.ecupdate.storage.TwoReplicas.ask;
import static io.hdfsparity.ecupdate.storage.TwoReplicas.patch;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.core.check.SeededRuns;
import io.hdfsparity.ecupdate.ajx.LockId;
import io.hdfsparity.ecupdate.ajx.LockMode;
import io.hdfsparity.ecupdate.ajx.Reply;
import io.hdfsparity.ecupdate.ajx.Request;
import io.hdfsparity.ecupdate.ajx.SlotKey;
import io.hdfsparity.ecupdate.ajx.Tid;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A client that never collects takes a bounded part of its node's memory, and keeps nobody out. */
class ReceiptBudgetTest {
  private static final int PATCH_BYTES = 8;
  private static final int RECEIPT_BYTES = ReceiptBudget.RECEIPT_BYTES + PATCH_BYTES;

  /** Of six receipts: a session alone has three, and the next one two. */
  private static final int MAX_BYTES = 6 * RECEIPT_BYTES;

  private final TestDisk disk;
  private BlockEngine engine;
  private long sequence;

  ReceiptBudgetTest() throws Exception {
    disk = TwoReplicas.disk("FO", new Random(1));
    open();
  }

  private void open() throws Exception {
    engine = disk.openEngine(TestDisk.keepingAtMost(MAX_BYTES));
  }

  /** A program may have as many clients as it likes. */
  private static long client(int session, int number) {
    return (long) session << 32 | number;
  }

  private Tid swap(int session, int client, int stripe) throws Exception {
    engine.drainAll();
    engine.makeRoom();
    Tid tid = new Tid(client(session, client), ++sequence, 0);
    Reply reply = ask(engine, slot(stripe), new Request.Swap(patch(0, 1, PATCH_BYTES), tid));
    assertThat(((Reply.SwapReply) reply).previous()).isNotNull();
    return tid;
  }

  private static SlotKey slot(int stripe) {
    return new SlotKey(DATA, stripe);
  }

  @Test
  void whoNeverCollectsIsRefusedAndGoesOnWhenItHas() throws Exception {
    List<Tid> tids = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      tids.add(swap(1, i, 0));
    }
    assertThatThrownBy(() -> swap(1, 3, 0))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("session=1")
        .hasMessageContaining("dfs.parity.ecupdate.storage.receipts.bytes=" + MAX_BYTES)
        .hasMessageContaining("collected");
    assertThat(engine.hasFailed()).isFalse();
    assertThat(engine.receipts().bytes()).isEqualTo(3L * RECEIPT_BYTES);
    ask(engine, slot(0), new Request.GcRecent(tids.subList(0, 1)));
    swap(1, 3, 1);
    assertThatThrownBy(() -> swap(1, 4, 2)).hasMessageContaining("session=1");
  }

  @Test
  void othersFindRoomAndOneSwapAlways() throws Exception {
    for (int i = 0; i < 3; i++) {
      swap(1, i, 0);
    }
    swap(2, 0, 0);
    swap(2, 1, 0);
    assertThatThrownBy(() -> swap(2, 2, 0)).hasMessageContaining("session=2");
    for (int session = 3; session < 10; session++) {
      swap(session, 0, 1);
      int one = session;
      assertThatThrownBy(() -> swap(one, 1, 1)).hasMessageContaining("session=" + one);
    }
    assertThat(engine.receipts().bytes()).isEqualTo((3L + 2 + 7) * RECEIPT_BYTES);
  }

  /** What was answered is answered again, and a client's next write of a block takes no more. */
  @Test
  void whatTakesNoMoreIsNotRefused() throws Exception {
    swap(1, 0, 0);
    swap(1, 1, 0);
    Tid last = swap(1, 2, 0);
    swap(1, 2, 0);
    assertThat(engine.receipts().bytes()).isEqualTo(3L * RECEIPT_BYTES);
    last = new Tid(last.client(), sequence, 0);
    Reply again = ask(engine, slot(0), new Request.Swap(patch(0, 1, PATCH_BYTES), last));
    assertThat(((Reply.SwapReply) again).previous()).isNotNull();
    assertThat(engine.receipts().bytes()).isEqualTo(3L * RECEIPT_BYTES);
  }

  @Test
  void receiptsAreCountedAfterARestartAndNotWhenTheReplicaIsGone() throws Exception {
    swap(1, 0, 0);
    swap(1, 1, 1);
    engine.close();
    open();
    assertThat(engine.receipts().bytes()).isEqualTo(2L * RECEIPT_BYTES);
    engine.dropped(DATA);
    assertThat(engine.receipts().bytes()).isZero();
  }

  /** They would keep others short for as long as nobody recovers their stripes. */
  @Test
  void whatIsKeptForSessionsThatAreOverIsForgotten() throws Exception {
    for (int i = 0; i < 3; i++) {
      swap(1, i, 0);
    }
    swap(2, 0, 1);
    swap(2, 1, 1);
    assertThatThrownBy(() -> swap(2, 2, 1)).isInstanceOf(ReceiptRoomException.class);
    assertThat(engine.receipts().sessions()).containsExactlyInAnyOrder(1L, 2L);
    engine.receipts().forget(Set.of(1L));
    assertThat(engine.receipts().sessions()).containsExactly(2L);
    assertThat(engine.receipts().bytes()).isEqualTo(2L * RECEIPT_BYTES);
    swap(2, 2, 1);
    assertThat(engine.durable(slot(0)).recentList()).as("what recoveries need").hasSize(3);
  }

  /** Else each session that is over would leave its share of the bound to the next start. */
  @Test
  void whatIsForgottenGoesFromTheDiskToo() throws Exception {
    for (int i = 0; i < 3; i++) {
      swap(1, i, 0);
    }
    engine.receipts().forget(Set.of(1L));
    swap(2, 0, 1);
    engine.rest();
    engine.close();
    open();
    assertThat(engine.receipts().sessions()).containsExactly(2L);
    assertThat(engine.durable(slot(0)).recentList()).hasSize(3);
  }

  @Test
  void whatWasForgottenJustBeforeACrashIsForgottenAgain() throws Exception {
    swap(1, 0, 0);
    engine.receipts().forget(Set.of(1L));
    engine.close();
    open();
    assertThat(engine.receipts().bytes()).isEqualTo(RECEIPT_BYTES);
    engine.receipts().forget(Set.of(1L));
    assertThat(engine.receipts().bytes()).isZero();
  }

  /** Whatever clients do, all receipts that the machines have are counted, and no others. */
  @Test
  void countsWhatMachinesHave() {
    SeededRuns.of(20).check(random -> new ReceiptBudgetTest().run(random));
  }

  private void run(Random random) throws Exception {
    Map<Integer, List<Tid>> tids = new HashMap<>();
    for (int step = 0; step < 150; step++) {
      int stripe = random.nextInt(TestDisk.STRIPES);
      List<Tid> there = tids.computeIfAbsent(stripe, s -> new ArrayList<>());
      switch (random.nextInt(9)) {
        case 2 -> engine.receipts().forget(Set.of(1L + random.nextInt(2)));
        case 0 -> {
          ask(engine, slot(stripe), new Request.GcRecent(there));
          there.clear();
        }
        case 1 -> {
          LockId lock = new LockId(9, step);
          ask(engine, slot(stripe), new Request.TryLock(LockMode.L1, lock));
          // Refused, as it is locked: nothing is kept.
          ask(
              engine,
              slot(stripe),
              new Request.Swap(patch(0, 1, PATCH_BYTES), new Tid(client(8, 0), ++sequence, 0)));
          ask(
              engine,
              slot(stripe),
              new Request.FinalizeRecovery(step, Request.LockAfter.RELEASED, lock));
          there.clear();
        }
        default -> {
          try {
            there.add(swap(1 + random.nextInt(2), random.nextInt(3), stripe));
          } catch (IOException e) {
            assertThat(e).hasMessageContaining("receipts.bytes");
          }
        }
      }
      long bytes = 0;
      for (int each = 0; each < TestDisk.STRIPES; each++) {
        bytes += engine.durable(slot(each)).receipts().size() * (long) RECEIPT_BYTES;
      }
      assertThat(engine.receipts().bytes()).isEqualTo(bytes).isLessThanOrEqualTo(MAX_BYTES);
    }
  }
}

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.ajx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.core.gf.GfMatrix;
import io.hdfsparity.core.gf.ScalarKernel;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Each operation of Figs. 4 to 7 on one node: what it answers, what it logs, what a restart keeps.
 */
class SlotMachineTest {
  private static final StripeCode CODE =
      new StripeCode(new ScalarKernel(), GfMatrix.cauchyParity(3, 2));
  private static final int DATA = 1;
  private static final int PARITY = 4;
  private static final LockId P = new LockId(1, 0);
  private static final LockId Q = new LockId(2, 0);
  private static final Tid T1 = new Tid(1, 0, DATA);
  private static final Tid T2 = new Tid(2, 0, DATA);

  private final List<LogRecord> log = new ArrayList<>();
  private ArrayContent content = memory();
  private SlotMachine data = new SlotMachine(CODE, DATA, DurableSlot.untouched(), content);
  private SlotMachine parity = new SlotMachine(CODE, PARITY, DurableSlot.untouched(), memory());

  private static ArrayContent memory() {
    return new ArrayContent(new byte[4]);
  }

  private Reply ask(SlotMachine node, Request request) {
    Outcome outcome = node.handle(request);
    if (outcome.record() != null) {
      log.add(outcome.record());
    }
    return outcome.reply();
  }

  private static Bytes bytes(int... values) {
    byte[] bytes = new byte[values.length];
    for (int i = 0; i < values.length; i++) {
      bytes[i] = (byte) values[i];
    }
    return Bytes.wrap(bytes);
  }

  private static Request.Swap swap(Tid tid, int value) {
    return new Request.Swap(new Patch(1, bytes(value)), tid);
  }

  private static Request.Add add(Tid tid, Tid otid, long epoch) {
    return new Request.Add(new Patch(1, bytes(7)), Request.Scaling.BY_CLIENT, tid, otid, epoch);
  }

  private static Reply.AddReply added(Reply.AddStatus status, LockMode mode) {
    return new Reply.AddReply(status, OpMode.NORM, mode);
  }

  private void restartData() {
    content = memory();
    data = new SlotMachine(CODE, DATA, DurableSlot.untouched(), content);
    log.forEach(data::replay);
  }

  @Test
  void swapReturnsWhatWasThereAndWhoWroteIt() {
    assertThat(ask(data, swap(T1, 5)))
        .isEqualTo(new Reply.SwapReply(bytes(0), 0, null, LockMode.UNL));
    assertThat(ask(data, swap(T2, 6)))
        .isEqualTo(new Reply.SwapReply(bytes(5), 0, T1, LockMode.UNL));
    assertThat(ask(data, new Request.Read(0, 4)))
        .isEqualTo(new Reply.ReadReply(bytes(0, 6, 0, 0), LockMode.UNL));
    assertThat(log).hasSize(2);
  }

  @Test
  void swapSentAgainIsAnsweredAgainEvenLockedAndAfterARestart() {
    Reply first = ask(data, swap(T1, 5));
    ask(data, swap(T2, 6));
    ask(data, new Request.TryLock(LockMode.L1, P));
    restartData();
    assertThat(data.lockMode()).isEqualTo(LockMode.EXP);
    assertThat(ask(data, swap(T1, 5)))
        .isEqualTo(
            new Reply.SwapReply(((Reply.SwapReply) first).previous(), 0, null, LockMode.EXP));
    assertThat(content.bytes()[1]).isEqualTo((byte) 6);
  }

  /**
   * Its client was taken for one that is over. Made again it would answer the bytes that it has
   * written itself.
   */
  @Test
  void aSwapWhoseReceiptIsForgottenIsNotMadeAgain() {
    ask(data, swap(T1, 5));
    ask(data, swap(T2, 6));
    assertThat(data.forgetReceipts(client -> client == T1.client()))
        .extracting(SwapReceipt::tid)
        .containsExactly(T1);
    Reply.SwapReply refused = new Reply.SwapReply(null, 0, null, LockMode.UNL);
    assertThat(ask(data, swap(T1, 5))).isEqualTo(refused);
    assertThat(content.bytes()[1]).isEqualTo((byte) 6);
    assertThat(data.durable().recentList()).containsExactly(T1, T2);
    assertThat(ask(data, swap(T2, 6))).as("another client's").isNotEqualTo(refused);
    ask(data, new Request.GcRecent(List.of(T1)));
    assertThat(ask(data, swap(T1, 5))).isEqualTo(refused);
    ask(data, new Request.TryLock(LockMode.L1, P));
    ask(data, new Request.FinalizeRecovery(1, Request.LockAfter.RELEASED, P));
    assertThat(((Reply.SwapReply) ask(data, swap(T1, 5))).previous()).isEqualTo(bytes(6));
  }

  @Test
  void addWaitsForTheWriteBeforeIt() {
    assertThat(ask(parity, add(T2, T1, 0))).isEqualTo(added(Reply.AddStatus.ORDER, LockMode.UNL));
    assertThat(ask(parity, add(T1, null, 0))).isEqualTo(added(Reply.AddStatus.OK, LockMode.UNL));
    assertThat(ask(parity, new Request.GcRecent(List.of(T1)))).isEqualTo(new Reply.Done());
    assertThat(ask(parity, add(T2, T1, 0))).isEqualTo(added(Reply.AddStatus.OK, LockMode.UNL));
    assertThat(ask(parity, add(T2, T1, 0))).isEqualTo(added(Reply.AddStatus.OK, LockMode.UNL));
    assertThat(log).as("a repeated add is not made again").hasSize(3);
  }

  /** Seed 60567724492357: refused here, the writer began anew and recovery waited for its adds. */
  @Test
  void addSentAgainIsAnsweredAgainEvenLocked() {
    ask(parity, add(T1, null, 0));
    ask(parity, new Request.TryLock(LockMode.L1, P));
    assertThat(ask(parity, add(T1, null, 0))).isEqualTo(added(Reply.AddStatus.OK, LockMode.L1));
    assertThat(ask(parity, add(T2, T1, 0))).isEqualTo(added(Reply.AddStatus.REFUSED, LockMode.L1));
    parity.expireLock(P);
    assertThat(ask(parity, add(T1, null, 0))).isEqualTo(added(Reply.AddStatus.OK, LockMode.EXP));
    assertThat(log).as("one add, one lock").hasSize(2);
  }

  @Test
  void severalAddsAreMadeTogetherOrNotAtAll() {
    Tid other = new Tid(1, 1, 0);
    Request.AddAll both =
        new Request.AddAll(
            new Patch(0, bytes(1, 2)),
            List.of(new Request.Part(T2, T1), new Request.Part(other, null)),
            0);
    assertThat(ask(parity, both)).isEqualTo(added(Reply.AddStatus.ORDER, LockMode.UNL));
    assertThat(parity.durable().recentList()).isEmpty();
    ask(parity, add(T1, null, 0));
    assertThat(ask(parity, both)).isEqualTo(added(Reply.AddStatus.OK, LockMode.UNL));
    assertThat(ask(parity, both)).isEqualTo(added(Reply.AddStatus.OK, LockMode.UNL));
    assertThat(parity.durable().recentList()).containsExactly(T1, T2, other);
    assertThat(log).hasSize(2);
  }

  @Test
  void weakLockLetsAddsThroughAndNothingElse() {
    ask(parity, new Request.TryLock(LockMode.L1, P));
    assertThat(ask(parity, add(T1, null, 0)))
        .isEqualTo(added(Reply.AddStatus.REFUSED, LockMode.L1));
    ask(parity, new Request.SetLock(LockMode.L0, P));
    assertThat(ask(parity, add(T1, null, 0))).isEqualTo(added(Reply.AddStatus.OK, LockMode.L0));
    assertThat(ask(parity, new Request.Read(0, 1)))
        .isEqualTo(new Reply.ReadReply(null, LockMode.L0));
    assertThat(ask(parity, new Request.GcOld(List.of())))
        .isEqualTo(new Reply.GcRefused(OpMode.NORM, LockMode.L0));
    assertThat(ask(parity, new Request.GetRecent(LockMode.L1, P)))
        .isEqualTo(new Reply.RecentReply(Set.of(T1)));
    assertThat(parity.lockMode()).isEqualTo(LockMode.L1);
  }

  @Test
  void onlyTheHolderActsOnALock() {
    assertThat(ask(data, new Request.TryLock(LockMode.L1, P)))
        .isEqualTo(new Reply.LockReply(true, LockMode.UNL));
    assertThat(ask(data, new Request.TryLock(LockMode.L1, Q)))
        .isEqualTo(new Reply.LockReply(false, LockMode.L1));
    Reply refused = new Reply.NotHolder(OpMode.NORM, LockMode.L1);
    assertThat(ask(data, new Request.SetLock(LockMode.UNL, Q))).isEqualTo(refused);
    assertThat(ask(data, new Request.GetRecent(LockMode.L1, Q))).isEqualTo(refused);
    assertThat(ask(data, new Request.GetState(Q))).isEqualTo(refused);
    assertThat(ask(data, new Request.Reconstruct(Set.of(0), Bytes.zeros(4), 1, Q)))
        .isEqualTo(refused);
    assertThat(ask(data, new Request.FinalizeRecovery(1, Request.LockAfter.RELEASED, Q)))
        .isEqualTo(refused);
    data.expireLock(Q);
    assertThat(data.lockMode()).isEqualTo(LockMode.L1);
    data.expireLock(P);
    assertThat(data.lockMode()).isEqualTo(LockMode.EXP);
    assertThat(ask(data, new Request.TryLock(LockMode.L1, Q)))
        .isEqualTo(new Reply.LockReply(true, LockMode.EXP));
    assertThat(ask(data, new Request.TryLock(LockMode.L1, Q)))
        .as("asked again, the first answer")
        .isEqualTo(new Reply.LockReply(true, LockMode.EXP));
  }

  @Test
  void aRecoveryInterruptedAnywhereIsTakenUpWhereItWas() {
    ask(data, swap(T1, 5));
    ask(data, new Request.TryLock(LockMode.L1, P));
    ask(data, new Request.Reconstruct(Set.of(0, 2, 3), bytes(9, 9, 9, 9), 1, P));
    restartData();
    ask(data, new Request.TryLock(LockMode.L1, Q));
    assertThat(ask(data, new Request.GetState(Q)))
        .isEqualTo(
            new Reply.StateReply(
                OpMode.RECONS, 0, Set.of(0, 2, 3), 1, Set.of(), Set.of(T1), bytes(9, 9, 9, 9)));
    ask(data, new Request.FinalizeRecovery(1, Request.LockAfter.KEPT, Q));
    assertThat(data.lockMode()).isEqualTo(LockMode.L1);
    restartData();
    assertThat(data.opMode()).isEqualTo(OpMode.NORM);
    assertThat(data.lockMode()).isEqualTo(LockMode.EXP);
    ask(data, new Request.TryLock(LockMode.L1, Q));
    ask(data, new Request.FinalizeRecovery(2, Request.LockAfter.RELEASED, Q));
    restartData();
    assertThat(data.durable()).isEqualTo(unlockedAt(2));
    assertThat(ask(data, new Request.Read(0, 4)))
        .isEqualTo(new Reply.ReadReply(bytes(9, 9, 9, 9), LockMode.UNL));
  }

  private static DurableSlot unlockedAt(long epoch) {
    return new DurableSlot(epoch, OpMode.NORM, Set.of(), 0, List.of(), List.of(), List.of(), false);
  }

  @Test
  void addsOfAnEarlierEpochAreRefused() {
    ask(parity, new Request.TryLock(LockMode.L1, P));
    ask(parity, new Request.Reconstruct(Set.of(0, 1, 2), Bytes.zeros(4), 3, P));
    ask(parity, new Request.FinalizeRecovery(3, Request.LockAfter.RELEASED, P));
    assertThat(ask(parity, add(T1, null, 2)))
        .isEqualTo(added(Reply.AddStatus.REFUSED, LockMode.UNL));
    assertThat(ask(parity, add(T1, null, 3))).isEqualTo(added(Reply.AddStatus.OK, LockMode.UNL));
  }

  @Test
  void garbageGoesFromRecentToOldToNothing() {
    ask(data, swap(T1, 5));
    ask(data, swap(T2, 6));
    assertThat(ask(data, new Request.CheckTid(T2, T1))).isEqualTo(Reply.CheckTidReply.NOCHANGE);
    ask(data, new Request.GcRecent(List.of(T1)));
    assertThat(ask(data, new Request.CheckTid(T2, T1))).isEqualTo(Reply.CheckTidReply.GC);
    assertThat(ask(data, new Request.CheckTid(T1, T2))).isEqualTo(Reply.CheckTidReply.INIT);
    assertThat(data.durable().oldList()).containsExactly(T1);
    assertThat(data.durable().receipts()).extracting(SwapReceipt::tid).containsExactly(T2);
    ask(data, new Request.GcOld(List.of(T1, T2)));
    assertThat(data.durable().oldList()).isEmpty();
    assertThat(data.durable().recentList()).containsExactly(T2);
    restartData();
    assertThat(data.durable().recentList()).containsExactly(T2);
  }

  @Test
  void broadcastDeltasAreMultipliedHere() {
    ArrayContent broadcastContent = memory();
    SlotMachine node = new SlotMachine(CODE, PARITY, DurableSlot.untouched(), broadcastContent);
    ask(node, new Request.Add(new Patch(0, bytes(3)), Request.Scaling.BY_NODE, T1, null, 0));
    assertThat(Bytes.copyOf(broadcastContent.bytes()).slice(0, 1))
        .isEqualTo(CODE.change(PARITY, DATA, new Patch(0, bytes(3))).bytes());
    assertThat(log.get(0))
        .isEqualTo(
            new LogRecord.Added(CODE.change(PARITY, DATA, new Patch(0, bytes(3))), List.of(T1)));
  }

  @Test
  void refusesWhatIsNotItsOwn() {
    assertThatThrownBy(() -> data.handle(swap(new Tid(1, 1, 0), 1)))
        .hasMessageContaining("tid.block=0");
    assertThatThrownBy(() -> data.handle(add(T1, null, 0))).hasMessageContaining("block=1");
    assertThatThrownBy(() -> data.handle(new Request.Swap(new Patch(3, Bytes.zeros(2)), T1)))
        .hasMessageContaining("patch.end=5");
    assertThatThrownBy(
            () ->
                parity.handle(
                    new Request.Add(
                        new Patch(4, Bytes.zeros(1)), Request.Scaling.BY_CLIENT, T1, null, 0)))
        .hasMessageContaining("delta.end=5");
    ask(data, new Request.TryLock(LockMode.L1, P));
    assertThatThrownBy(() -> data.handle(new Request.Reconstruct(Set.of(), Bytes.zeros(4), 0, P)))
        .hasMessageContaining("targetEpoch=0");
  }

  private static void refuses(SlotMachine node, Request request, String why) {
    DurableSlot before = node.durable();
    assertThatThrownBy(() -> node.handle(request))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(why);
    assertThat(node.durable()).isEqualTo(before);
  }

  @Test
  void refusesWhatNobodyWouldAskWhoIsRight() {
    refuses(data, new Request.Read(-1, 2), "offset=-1");
    refuses(data, new Request.Read(2, 3), "offset=2");
    refuses(data, new Request.Read(Integer.MAX_VALUE, Integer.MAX_VALUE), "inside the block=4");
    Patch delta = new Patch(0, bytes(1));
    for (int block : new int[] {-1, 3, 99}) {
      Tid tid = new Tid(1, 1, block);
      refuses(
          parity,
          new Request.Add(delta, Request.Scaling.BY_NODE, tid, null, 0),
          "tid.block=" + block);
    }
    refuses(parity, new Request.AddAll(delta, List.of(), 0), "parts=0");
    Request.Part part = new Request.Part(T1, null);
    refuses(parity, new Request.AddAll(delta, List.of(part, part), 0), "each write once");
    assertThatThrownBy(() -> new Patch(Integer.MAX_VALUE, bytes(1)))
        .isInstanceOf(IllegalArgumentException.class);
    for (LockMode mode : List.of(LockMode.UNL, LockMode.EXP)) {
      refuses(data, new Request.TryLock(mode, P), "mode=" + mode);
    }
    ask(data, new Request.TryLock(LockMode.L1, P));
    for (LockMode mode : List.of(LockMode.UNL, LockMode.EXP)) {
      refuses(data, new Request.GetRecent(mode, P), "mode=" + mode);
    }
    refuses(data, new Request.Reconstruct(Set.of(0, 5), Bytes.zeros(4), 1, P), "5");
    refuses(data, new Request.Reconstruct(Set.of(0), Bytes.zeros(3), 1, P), "lengthBytes=3");
    assertThat(data.lockMode()).isEqualTo(LockMode.L1);
  }

  @Test
  void receiptsAreBoundedAndARecoveryEmptiesThem() {
    int clients = 0;
    while (((Reply.SwapReply) ask(data, swap(new Tid(clients, 1, DATA), 1))).previous() != null) {
      clients++;
      assertThat(clients).isLessThan(10_000);
    }
    assertThat(data.durable().receipts()).hasSize(clients);
    assertThat(((Reply.SwapReply) ask(data, swap(new Tid(0, 2, DATA), 1))).previous())
        .as("a client that has a receipt gets another in its stead")
        .isNotNull();
    assertThat(((Reply.SwapReply) ask(data, swap(new Tid(0, 2, DATA), 1))).previous())
        .as("and its answer again")
        .isNotNull();
    ask(data, new Request.TryLock(LockMode.L1, P));
    ask(data, new Request.FinalizeRecovery(1, Request.LockAfter.RELEASED, P));
    assertThat(((Reply.SwapReply) ask(data, swap(new Tid(clients, 1, DATA), 1))).previous())
        .isNotNull();
  }

  @Test
  void tidsAreBoundedButThereIsRoomForThoseThatARecoveryWaitsFor() {
    int tids = 0;
    while (ask(parity, add(new Tid(1, tids, DATA), null, 0))
        .equals(added(Reply.AddStatus.OK, LockMode.UNL))) {
      tids++;
      assertThat(tids).isLessThan(10_000);
    }
    ask(parity, new Request.GcRecent(parity.durable().recentList()));
    Request.Add next = add(new Tid(2, 1, DATA), null, 0);
    assertThat(ask(parity, next))
        .as("old ones")
        .isEqualTo(added(Reply.AddStatus.ORDER, LockMode.UNL));
    assertThat(ask(parity, add(new Tid(1, 0, DATA), null, 0)))
        .as("sent again")
        .isEqualTo(added(Reply.AddStatus.OK, LockMode.UNL));
    ask(parity, new Request.TryLock(LockMode.L1, P));
    ask(parity, new Request.SetLock(LockMode.L0, P));
    assertThat(ask(parity, next)).isEqualTo(added(Reply.AddStatus.OK, LockMode.L0));
    while (ask(parity, add(new Tid(3, tids, DATA), null, 0))
        .equals(added(Reply.AddStatus.OK, LockMode.L0))) {
      tids++;
      assertThat(tids).isLessThan(10_000);
    }
    for (int sequence = 0; sequence < 3000; sequence++) {
      ask(data, swap(new Tid(1, sequence, DATA), 1));
    }
    assertThat(data.durable().recentList()).hasSizeLessThan(3000);
  }

  @Test
  void aNewCopyIsGarbageUntilReconstructed() {
    SlotMachine fresh = new SlotMachine(CODE, DATA, DurableSlot.remapped(), memory());
    assertThat(ask(fresh, new Request.Read(0, 1)))
        .isEqualTo(new Reply.ReadReply(null, LockMode.UNL));
    assertThat(ask(fresh, swap(T1, 1))).isEqualTo(new Reply.SwapReply(null, 0, null, LockMode.UNL));
    ask(fresh, new Request.TryLock(LockMode.L1, P));
    assertThat(((Reply.StateReply) ask(fresh, new Request.GetState(P))).block()).isNull();
  }
}

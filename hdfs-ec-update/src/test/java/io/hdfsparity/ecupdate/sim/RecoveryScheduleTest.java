/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.core.gf.GfMatrix;
import io.hdfsparity.core.gf.ScalarKernel;
import io.hdfsparity.ecupdate.ajx.AddMode;
import io.hdfsparity.ecupdate.ajx.AjxClient;
import io.hdfsparity.ecupdate.ajx.AjxOptions;
import io.hdfsparity.ecupdate.ajx.ArrayContent;
import io.hdfsparity.ecupdate.ajx.Bounds.Failures;
import io.hdfsparity.ecupdate.ajx.Bytes;
import io.hdfsparity.ecupdate.ajx.DurableSlot;
import io.hdfsparity.ecupdate.ajx.LockId;
import io.hdfsparity.ecupdate.ajx.LockMode;
import io.hdfsparity.ecupdate.ajx.OpMode;
import io.hdfsparity.ecupdate.ajx.Output;
import io.hdfsparity.ecupdate.ajx.Output.RecoveryResult;
import io.hdfsparity.ecupdate.ajx.Patch;
import io.hdfsparity.ecupdate.ajx.Reply;
import io.hdfsparity.ecupdate.ajx.Request;
import io.hdfsparity.ecupdate.ajx.SlotMachine;
import io.hdfsparity.ecupdate.ajx.StripeCode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The schedules of ADR 0010, step by step, on a 2-of-4 code that is to survive 1c1s. */
class RecoveryScheduleTest {
  private static final StripeCode CODE =
      new StripeCode(new ScalarKernel(), GfMatrix.cauchyParity(2, 2));
  private static final AjxOptions OPTIONS =
      new AjxOptions(AddMode.PARALLEL, 1, 1, new Failures(1, 1), 3, 10, 10);
  private static final Bytes NEW = Bytes.copyOf(new byte[] {77});

  private final List<SlotMachine> nodes = new ArrayList<>();
  private final List<ArrayContent> contents = new ArrayList<>();
  private final List<Bytes> initial =
      CODE.encode(List.of(Bytes.copyOf(new byte[] {3}), Bytes.copyOf(new byte[] {5})));
  private final List<Output> done = new ArrayList<>();
  private final List<Integer> pauses = new ArrayList<>();

  @BeforeEach
  void open() {
    for (int block = 0; block < 4; block++) {
      contents.add(new ArrayContent(initial.get(block)));
      nodes.add(new SlotMachine(CODE, block, DurableSlot.untouched(), contents.get(block)));
    }
  }

  /** Delivers in order; what {@code dies} picks, and all after it, is kept back and returned. */
  private Deque<Output> drive(AjxClient client, List<Output> outputs, Predicate<Output.Send> dies) {
    Deque<Output> queue = new ArrayDeque<>(outputs);
    while (!queue.isEmpty()) {
      Output output = queue.remove();
      if (output instanceof Output.Send send) {
        if (dies.test(send)) {
          queue.addFirst(output);
          return queue;
        }
        Reply reply = nodes.get(send.node()).handle(send.request()).reply();
        queue.addAll(client.onReply(send.call(), reply));
      } else if (output instanceof Output.StartTimer timer) {
        pauses.add(timer.attempt());
        queue.addAll(client.onTimer(timer.timer()));
      } else {
        done.add(output);
      }
    }
    return queue;
  }

  private void finish(AjxClient client, List<Output> outputs) {
    assertThat(drive(client, outputs, send -> false)).isEmpty();
  }

  /** p recovers, finalizes node 0 and dies; its other locks expire. */
  private void crashInFinalize() {
    AjxClient p = new AjxClient(1, CODE, OPTIONS);
    drive(
        p,
        p.recover(),
        send -> send.request() instanceof Request.FinalizeRecovery && send.node() > 0);
    nodes.forEach(node -> node.expireLock(new LockId(1, 0)));
    assertThat(nodes.get(0).opMode()).isEqualTo(OpMode.NORM);
    assertThat(nodes.get(0).epoch()).isEqualTo(1);
    assertThat(nodes.get(3).opMode()).isEqualTo(OpMode.RECONS);
    assertThat(nodes.get(3).lockMode()).isEqualTo(LockMode.EXP);
  }

  private void assertRight(Bytes block0) {
    List<Bytes> expected = CODE.encode(List.of(block0, initial.get(1)));
    for (int block = 0; block < 4; block++) {
      assertThat(nodes.get(block).opMode()).isEqualTo(OpMode.NORM);
      assertThat(nodes.get(block).lockMode()).isEqualTo(LockMode.UNL);
      assertThat(contents.get(block).read(0, 1)).isEqualTo(expected.get(block));
    }
  }

  @Test
  void aCrashAfterReconstructIsTakenUp() {
    AjxClient p = new AjxClient(1, CODE, OPTIONS);
    drive(p, p.recover(), send -> send.request() instanceof Request.FinalizeRecovery);
    nodes.forEach(node -> node.expireLock(new LockId(1, 0)));
    AjxClient q = new AjxClient(2, CODE, OPTIONS);
    finish(q, q.recover());
    assertThat(done).containsExactly(new Output.RecoveryEnded(RecoveryResult.RECOVERED, "epoch=2"));
    assertRight(initial.get(0));
  }

  @Test
  void aWriteOnTheNodeThatWasFinalizedFirstDoesNotMixWithTheOthers() {
    crashInFinalize();
    AjxClient w = new AjxClient(2, CODE, OPTIONS);
    Deque<Output> adds =
        drive(w, w.write(1, 0, new Patch(0, NEW)), send -> send.request() instanceof Request.Add);
    AjxClient q = new AjxClient(3, CODE, OPTIONS);
    finish(q, q.recover());
    assertThat(done).containsExactly(new Output.RecoveryEnded(RecoveryResult.RECOVERED, "epoch=2"));
    assertRight(initial.get(0)); // the swap alone is not in the larger set
    finish(w, List.copyOf(adds));
    assertThat(done).contains(new Output.WriteDone(1));
    assertRight(NEW);
  }

  @Test
  void anEpochThatDiedWithItsNodeIsNotUsedAgain() {
    crashInFinalize();
    AjxClient w = new AjxClient(2, CODE, OPTIONS);
    Deque<Output> adds =
        drive(w, w.write(1, 0, new Patch(0, NEW)), send -> send.request() instanceof Request.Add);
    contents.set(0, new ArrayContent(Bytes.zeros(1)));
    nodes.set(0, new SlotMachine(CODE, 0, DurableSlot.remapped(), contents.get(0)));
    AjxClient q = new AjxClient(3, CODE, OPTIONS);
    finish(q, q.recover());
    assertRight(initial.get(0));
    finish(w, List.copyOf(adds)); // swapped in epoch 1, which no node may accept any more
    assertThat(done).contains(new Output.WriteDone(1));
    assertRight(NEW);
  }

  /** Two writers that stopped after one add each leave no set with room for a lost block. */
  @Test
  void pausesBeforeWritersCountAsGoneGrow() {
    swapAndAddTo(2, new AjxClient(1, CODE, OPTIONS), 0);
    swapAndAddTo(3, new AjxClient(2, CODE, OPTIONS), 1);
    pauses.clear();
    AjxClient q = new AjxClient(3, CODE, OPTIONS);
    finish(q, q.recover());
    assertThat(pauses).containsExactly(1, 2, 3, 4, 5, 5, 5, 5, 5);
    assertThat(done).hasSize(1);
  }

  private void swapAndAddTo(int parity, AjxClient writer, int block) {
    Deque<Output> adds =
        drive(
            writer,
            writer.write(1, block, new Patch(0, NEW)),
            send -> send.request() instanceof Request.Add);
    adds.stream()
        .filter(output -> output instanceof Output.Send send && send.node() == parity)
        .forEach(output -> nodes.get(parity).handle(((Output.Send) output).request()));
  }
}

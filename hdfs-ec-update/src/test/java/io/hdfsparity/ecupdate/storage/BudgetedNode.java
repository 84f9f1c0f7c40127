/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.storage;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.ecupdate.ajx.ArrayContent;
import io.hdfsparity.ecupdate.ajx.Bytes;
import io.hdfsparity.ecupdate.ajx.DurableSlot;
import io.hdfsparity.ecupdate.ajx.LockId;
import io.hdfsparity.ecupdate.ajx.Reply;
import io.hdfsparity.ecupdate.ajx.Request;
import io.hdfsparity.ecupdate.ajx.SlotMachine;
import io.hdfsparity.ecupdate.ajx.StripeCode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.LongPredicate;

/**
 * A unit of all stripes of a file on one node, whose engine is a budget of receipts and nothing
 * else: for simulations. Not thread-safe.
 */
public final class BudgetedNode {
  private static final long SEQUENCES = 1L << 32;

  private final StripeCode code;
  private final int unit;
  private final int cellBytes;
  private final long maxBytes;
  private final List<ArrayContent> contents = new ArrayList<>();
  private final List<SlotMachine> machines = new ArrayList<>();
  private ReceiptBudget budget;

  /** All bytes are zero. */
  public BudgetedNode(StripeCode code, int unit, int stripes, int cellBytes, long maxBytes) {
    this.code = code;
    this.unit = unit;
    this.cellBytes = cellBytes;
    this.maxBytes = maxBytes;
    budget = new ReceiptBudget(maxBytes);
    for (int stripe = 0; stripe < stripes; stripe++) {
      contents.add(new ArrayContent(new byte[cellBytes]));
      machines.add(machine(stripe, DurableSlot.untouched()));
    }
  }

  private SlotMachine machine(int stripe, DurableSlot durable) {
    return new SlotMachine(code, unit, durable, contents.get(stripe));
  }

  /** As {@link BlockEngine#handle}, and what it keeps is looked at afterwards. */
  public Reply handle(int stripe, Request request) throws IOException {
    Reply reply = budget.handle(machines.get(stripe), request).reply();
    check();
    return reply;
  }

  /** Counted is what is there, and it is no more than the bound and a swap of each session. */
  private void check() {
    long bytes = 0;
    for (SlotMachine machine : machines) {
      for (var receipt : machine.receipts()) {
        bytes += ReceiptBudget.RECEIPT_BYTES + receipt.previous().length();
      }
    }
    assertThat(budget.bytes()).isEqualTo(bytes);
    long beyond = (long) budget.sessions().size() * (ReceiptBudget.RECEIPT_BYTES + cellBytes);
    assertThat(bytes).isLessThanOrEqualTo(maxBytes + beyond);
  }

  public long receiptBytes() {
    return budget.bytes();
  }

  public boolean hasReceiptsOf(long session) {
    return budget.sessions().contains(session);
  }

  /** As {@link EngineReceipts#forget}. */
  public void forget(long session) {
    for (SlotMachine machine : machines) {
      budget.release(machine.forgetReceipts(client -> ReceiptBudget.sessionOf(client) == session));
    }
    check();
  }

  /** kill -9, and it comes up again. */
  public void restart() {
    budget = new ReceiptBudget(maxBytes);
    for (int stripe = 0; stripe < machines.size(); stripe++) {
      DurableSlot durable = machines.get(stripe).durable();
      machines.set(stripe, machine(stripe, durable));
      budget.charge(machines.get(stripe).receipts());
    }
    check();
  }

  /** Its disk is lost, and another one with garbage takes its place. */
  public void lose(Random random) {
    budget = new ReceiptBudget(maxBytes);
    for (int stripe = 0; stripe < machines.size(); stripe++) {
      random.nextBytes(contents.get(stripe).bytes());
      machines.set(stripe, machine(stripe, DurableSlot.remapped()));
    }
  }

  /** Clients are taken for failed. */
  public void expireLocks(LongPredicate clients) {
    for (SlotMachine machine : machines) {
      LockId holder = machine.holder();
      if (holder != null && clients.test(holder.client())) {
        machine.expireLock(holder);
      }
    }
  }

  public SlotMachine machine(int stripe) {
    return machines.get(stripe);
  }

  public Bytes bytes(int stripe) {
    return Bytes.copyOf(contents.get(stripe).bytes());
  }

  /** Number of the session of a client. */
  public static long sessionOf(long client) {
    return client / SEQUENCES;
  }
}

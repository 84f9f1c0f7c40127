/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.sim;

import io.hdfsparity.ecupdate.ajx.ArrayContent;
import io.hdfsparity.ecupdate.ajx.Bytes;
import io.hdfsparity.ecupdate.ajx.DurableSlot;
import io.hdfsparity.ecupdate.ajx.LogRecord;
import io.hdfsparity.ecupdate.ajx.Outcome;
import io.hdfsparity.ecupdate.ajx.Reply;
import io.hdfsparity.ecupdate.ajx.Request;
import io.hdfsparity.ecupdate.ajx.SlotMachine;
import io.hdfsparity.ecupdate.ajx.StripeCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * A storage node with a log that loses what was not synced. A reply may leave at {@link
 * #replyTime}; a restart keeps the records whose sync has ended by then.
 */
final class SimNode {
  private record Logged(LogRecord record, long syncedAt) {}

  private final StripeCode code;
  private final int block;
  private final Fault fault;
  private final Random random;
  private DurableSlot base;
  private Bytes baseContent;
  private final List<Logged> log = new ArrayList<>();
  private SlotMachine machine;
  private ArrayContent content;
  private long lastSync;
  private long incarnation;
  private long highestEpoch;

  SimNode(StripeCode code, int block, Bytes initial, Fault fault, Random random) {
    this.code = code;
    this.block = block;
    this.fault = fault;
    this.random = random;
    open(DurableSlot.untouched(), initial);
  }

  private void open(DurableSlot durable, Bytes bytes) {
    base = durable;
    baseContent = bytes;
    log.clear();
    rebuild();
  }

  private void rebuild() {
    content = new ArrayContent(baseContent);
    machine = new SlotMachine(code, block, base, content);
    log.forEach(logged -> machine.replay(logged.record));
    if (!log.isEmpty()) {
      // Locks in the log count as expired only after a checkpoint.
      base = machine.durable();
      baseContent = content.read(0, content.length());
      log.clear();
      machine = new SlotMachine(code, block, base, content);
    }
    incarnation++;
    lastSync = 0;
  }

  SlotMachine machine() {
    return machine;
  }

  /** Changes with every restart; what an earlier one promised to send is not sent. */
  long incarnation() {
    return incarnation;
  }

  Bytes bytes() {
    return content.read(0, content.length());
  }

  Reply handle(Request request, long now, long syncDelay) {
    Reply instead = fault.instead(request, machine, random);
    if (instead != null) {
      return instead;
    }
    Outcome outcome = machine.handle(fault.onRequest(request, machine, random));
    if (outcome.record() != null && fault.logs(outcome.record())) {
      lastSync = Math.max(lastSync, now + syncDelay);
      log.add(new Logged(outcome.record(), lastSync));
    }
    checkEpoch();
    return fault.onReply(outcome.reply());
  }

  /** Invariant: while a node keeps its block, its epoch never falls. */
  private void checkEpoch() {
    if (machine.epoch() < highestEpoch) {
      throw new Violation("epoch fell from " + highestEpoch + " on " + machine);
    }
    highestEpoch = machine.epoch();
  }

  long replyTime(long now) {
    return fault == Fault.REPLIES_BEFORE_SYNC ? now : Math.max(now, lastSync);
  }

  /** kill -9 and start again. */
  void restart(long now) {
    log.removeIf(logged -> logged.syncedAt > now);
    rebuild();
    highestEpoch = 0;
    checkEpoch();
  }

  /** The block is gone; a new node takes its place, with garbage. */
  void lose() {
    byte[] garbage = new byte[content.length()];
    random.nextBytes(garbage);
    highestEpoch = 0;
    open(DurableSlot.remapped(), Bytes.wrap(garbage));
  }
}

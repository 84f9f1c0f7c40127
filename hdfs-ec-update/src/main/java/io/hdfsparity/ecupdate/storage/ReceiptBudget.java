/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.storage;

import io.hdfsparity.core.check.ErrorMessage;
import io.hdfsparity.ecupdate.ajx.LogRecord;
import io.hdfsparity.ecupdate.ajx.Outcome;
import io.hdfsparity.ecupdate.ajx.Request;
import io.hdfsparity.ecupdate.ajx.SlotMachine;
import io.hdfsparity.ecupdate.ajx.SwapReceipt;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Bytes that an engine keeps in memory for receipts of swaps, by the session of the client. A swap
 * that would make them too many is refused before it is executed, and may be sent again: its client
 * has to collect first. No receipt is dropped, for without it a client whose answer was lost is as
 * good as crashed.
 *
 * <p>A session may have as many bytes as nobody has: one alone half of all, two a third each. So
 * one that never collects leaves room for others. A session that has none may always make one swap,
 * or it could wait for others for ever; so there may be one receipt a session above the limit. When
 * a session is over, what is kept for it is forgotten ({@link EngineReceipts#forget}): so nobody
 * waits for one that has died.
 *
 * <p>Thread-safe. What is done to one machine is done by one thread at a time.
 */
final class ReceiptBudget {
  /** Of a receipt beside its bytes, about. */
  static final int RECEIPT_BYTES = 192;

  private static final int SESSION_SHIFT = 32;

  private final long maxBytes;
  private final Map<Long, Long> bySession = new HashMap<>();
  private long bytes;

  ReceiptBudget(long maxBytes) {
    this.maxBytes = maxBytes;
  }

  /**
   * Has a machine answer a request, under the lock of its slot.
   *
   * @throws ReceiptRoomException if the request is a swap whose receipt there is no room for;
   *     nothing has changed then
   */
  Outcome handle(SlotMachine machine, Request request) throws IOException {
    if (request instanceof Request.Swap swap) {
      return swap(machine, swap);
    } else if (request instanceof Request.GcRecent || request instanceof Request.FinalizeRecovery) {
      List<SwapReceipt> gone = new ArrayList<>(machine.receipts());
      Outcome outcome = machine.handle(request);
      gone.removeAll(machine.receipts());
      release(gone);
      return outcome;
    }
    return machine.handle(request);
  }

  private Outcome swap(SlotMachine machine, Request.Swap swap) throws IOException {
    long client = swap.ntid().client();
    long before = 0;
    for (SwapReceipt receipt : machine.receipts()) {
      if (receipt.tid().equals(swap.ntid())) {
        return machine.handle(swap); // sent again
      } else if (receipt.tid().client() == client) {
        before = bytes(receipt);
      }
    }
    long more = (long) RECEIPT_BYTES + swap.patch().bytes().length() - before;
    take(client, more);
    boolean isKept = false;
    try {
      Outcome outcome = machine.handle(swap);
      isKept = outcome.record() instanceof LogRecord.Swapped;
      return outcome;
    } finally {
      if (!isKept) {
        add(client, -more);
      }
    }
  }

  /** Number of the session of a client. */
  static long sessionOf(long client) {
    return client >>> SESSION_SHIFT;
  }

  private static long bytes(SwapReceipt receipt) {
    return (long) RECEIPT_BYTES + receipt.previous().length();
  }

  private synchronized void take(long client, long more) throws IOException {
    long session = sessionOf(client);
    long own = bySession.getOrDefault(session, 0L);
    if (more > 0 && own > 0 && own + more > maxBytes - bytes) {
      throw new ReceiptRoomException(
          ErrorMessage.to("keep what a write replaces")
              .value("session", session)
              .value("bytes of the session", own)
              .value("bytes of all", bytes)
              .expected(
                  "as many of the session as are left of"
                      + " dfs.parity.ecupdate.storage.receipts.bytes="
                      + maxBytes
                      + ": the write may be sent again when its client has collected the garbage of"
                      + " earlier ones")
              .message());
    }
    add(client, more);
  }

  /** Takes receipts that are there already, whether there is room or not. */
  void charge(Collection<SwapReceipt> receipts) {
    receipts.forEach(receipt -> add(receipt.tid().client(), bytes(receipt)));
  }

  /** Receipts are gone. */
  void release(Collection<SwapReceipt> receipts) {
    receipts.forEach(receipt -> add(receipt.tid().client(), -bytes(receipt)));
  }

  private synchronized void add(long client, long more) {
    bytes += more;
    bySession.merge(
        sessionOf(client), more, (own, change) -> own + change == 0 ? null : own + change);
  }

  /** Those that have receipts, by number. */
  synchronized Set<Long> sessions() {
    return Set.copyOf(bySession.keySet());
  }

  /** Of all sessions. */
  synchronized long bytes() {
    return bytes;
  }
}

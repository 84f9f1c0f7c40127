/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.torture.planted;

import io.hdfsparity.ecupdate.ajx.Bytes;
import io.hdfsparity.ecupdate.ajx.LockMode;
import io.hdfsparity.ecupdate.ajx.Outcome;
import io.hdfsparity.ecupdate.ajx.Patch;
import io.hdfsparity.ecupdate.ajx.Reply;
import io.hdfsparity.ecupdate.ajx.Request;
import io.hdfsparity.ecupdate.ajx.SlotMachine;
import io.hdfsparity.ecupdate.storage.log.Recovered;
import java.lang.reflect.Method;

/**
 * Whether a run came to a place where a planted bug makes a difference. Without that, a run that
 * finds nothing says nothing. Classes of the suite are parameters as objects: the agent must not
 * load a class that it is about to change. Thread-safe.
 */
public final class Reached {
  private Reached() {}

  /** A parity unit gets deltas. */
  public static void fence(Object unit, long epoch) {
    SlotMachine machine = (SlotMachine) unit;
    LockMode mode = machine.lockMode();
    if (mode == LockMode.L1 || mode == LockMode.EXP || epoch < machine.epoch()) {
      Strikes.now(1);
    }
  }

  /** Whether a data unit gets a swap that it has done. */
  public static boolean swapAgain(Object unit, Object request) {
    return ((SlotMachine) unit)
        .durable().receipts().stream()
            .anyMatch(before -> before.tid().equals(((Request.Swap) request).ntid()));
  }

  /** The answer to a swap with the bytes that are there now as those that were replaced. */
  public static Object answerByContent(Object unit, Object request, Object outcome) {
    Patch patch = ((Request.Swap) request).patch();
    Request.Read read = new Request.Read(patch.offset(), patch.bytes().length());
    Bytes now = ((Reply.ReadReply) ((SlotMachine) unit).handle(read).reply()).bytes();
    Outcome right = (Outcome) outcome;
    Reply.SwapReply answer = (Reply.SwapReply) right.reply();
    if (now == null || now.equals(answer.previous())) {
      return outcome; // locked, or a swap that changed nothing
    }
    Strikes.now(1);
    return new Outcome(
        new Reply.SwapReply(now, answer.epoch(), answer.otid(), answer.lockMode()), right.record());
  }

  /** After a restart a replica gets what the log has of it. */
  public static void playBack(Object replica, Object recovered)
      throws ReflectiveOperationException {
    long last = (long) call(call(replica, "reserved"), "last");
    // Where records go does not matter here, so the size of a cell does not either.
    if (((Recovered.Replica) recovered)
        .overlay(1).stream().anyMatch(pending -> pending.sequence() <= last)) {
      Strikes.now(1);
    }
  }

  /** Others cannot name the classes. */
  private static Object call(Object target, String name) throws ReflectiveOperationException {
    Method method = target.getClass().getDeclaredMethod(name);
    method.setAccessible(true);
    return method.invoke(target);
  }
}

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.updater;

import io.hdfsparity.ecupdate.ajx.Bytes;
import io.hdfsparity.ecupdate.ajx.InconsistentStripeException;
import io.hdfsparity.ecupdate.ajx.LockMode;
import io.hdfsparity.ecupdate.ajx.OpMode;
import io.hdfsparity.ecupdate.ajx.Reply;
import io.hdfsparity.ecupdate.ajx.Request;
import io.hdfsparity.ecupdate.ajx.Shape;
import io.hdfsparity.ecupdate.ajx.Tid;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Reads all units of a stripe from their nodes and recomputes the parity. Takes no lock: a stripe
 * whose units do not fit together is looked at again while anything about it changes, for then a
 * write is on its way. Changes nothing. Thread-safe.
 */
final class StripeVerifier {
  /** Looks without any change between them, after which units that do not fit never will. */
  private static final int STILL_LOOKS = 3;

  private static final long PAUSE_MS = 100;

  private final FileLayout layout;
  private final GroupLocations nodes;
  private final long waitMs;

  /**
   * @param waitMs how long a stripe that is being written, or a node that is offline, is waited for
   */
  StripeVerifier(FileLayout layout, GroupLocations nodes, long waitMs) {
    this.layout = layout;
    this.nodes = nodes;
    this.waitMs = waitMs;
  }

  /** How a stripe was at a look. */
  private record Look(
      List<Reply.ProbeReply> probes, List<@Nullable Bytes> cells, List<Integer> unreadable) {}

  /** One unit did not answer. */
  private static final class SilentUnitException extends Exception {
    private static final long serialVersionUID = 1L;
    final int unit;

    SilentUnitException(int unit, String why) {
      super(why);
      this.unit = unit;
    }
  }

  /**
   * What is wrong with a stripe; empty if nothing is.
   *
   * @throws IOException if the session cannot tell where its units are
   */
  Optional<StripeFinding> verify(StripeKey stripe) throws IOException, InterruptedException {
    nodes.require(stripe.group());
    int version = nodes.version(stripe.group());
    try {
      return verify(stripe, version);
    } catch (SilentUnitException e) {
      if (nodes.version(stripe.group()) != version) {
        return verify(stripe); // it was rewritten meanwhile
      }
      return Optional.of(
          finding(
              stripe,
              StripeFinding.Kind.UNREADABLE,
              List.of(e.unit),
              String.valueOf(e.getMessage())));
    }
  }

  private Optional<StripeFinding> verify(StripeKey stripe, int version)
      throws SilentUnitException, InterruptedException {
    long endNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(waitMs);
    Look before = null;
    int still = 0;
    while (true) {
      Look look = look(stripe, version, endNanos);
      if (look.unreadable.isEmpty() && odd(stripe, look).isEmpty()) {
        return Optional.empty();
      }
      still = before != null && before.probes.equals(look.probes) ? still + 1 : 1;
      boolean isLate = System.nanoTime() - endNanos > 0;
      if (still >= STILL_LOOKS && look.unreadable.isEmpty()) {
        return Optional.of(settled(stripe, look));
      }
      if (isLate) {
        return Optional.of(unsettled(stripe, look));
      }
      before = look;
      TimeUnit.MILLISECONDS.sleep(PAUSE_MS);
    }
  }

  /** Probes on both sides of the reads: what has not changed between them was so meanwhile. */
  private Look look(StripeKey stripe, int version, long endNanos)
      throws SilentUnitException, InterruptedException {
    List<Reply.ProbeReply> first = probes(stripe, version, endNanos);
    List<Reply> reads = ask(stripe, version, new Request.Read(0, layout.cellBytes()), endNanos);
    List<Reply.ProbeReply> second = probes(stripe, version, endNanos);
    List<@Nullable Bytes> cells = new ArrayList<>();
    List<Integer> unreadable = new ArrayList<>();
    for (int unit = 0; unit < reads.size(); unit++) {
      Bytes cell = reads.get(unit) instanceof Reply.ReadReply read ? read.bytes() : null;
      cells.add(cell);
      if (cell == null) {
        unreadable.add(unit);
      }
    }
    List<Reply.ProbeReply> both = new ArrayList<>(first);
    if (!first.equals(second)) {
      both.addAll(second); // never that of the next look
    }
    return new Look(both, cells, unreadable);
  }

  private List<Reply.ProbeReply> probes(StripeKey stripe, int version, long endNanos)
      throws SilentUnitException, InterruptedException {
    List<Reply.ProbeReply> probes = new ArrayList<>();
    for (Reply reply : ask(stripe, version, new Request.Probe(), endNanos)) {
      probes.add((Reply.ProbeReply) reply);
    }
    return probes;
  }

  private List<Reply> ask(StripeKey stripe, int version, Request request, long endNanos)
      throws SilentUnitException, InterruptedException {
    List<Answer> answers = new ArrayList<>();
    for (int unit = 0; unit < layout.code().shape().blocks(); unit++) {
      Answer answer = new Answer();
      answers.add(answer);
      if (!layout.hasUnit(stripe.group(), unit) && request instanceof Request.Read) {
        answer.answered(new Reply.ReadReply(Bytes.zeros(layout.cellBytes()), LockMode.UNL));
      } else {
        nodes.call(stripe, version, unit, request, answer);
      }
    }
    List<Reply> replies = new ArrayList<>();
    for (int unit = 0; unit < answers.size(); unit++) {
      replies.add(answers.get(unit).await(unit, endNanos));
    }
    return replies;
  }

  /** Waits for one unit. */
  private static final class Answer implements NodeCalls.Listener {
    private final CompletableFuture<Reply> reply = new CompletableFuture<>();
    private volatile String trouble = "no answer";

    @Override
    public void answered(Reply answer) {
      reply.complete(answer);
    }

    @Override
    public void lost(String why) {
      reply.completeExceptionally(new IOException(why));
    }

    @Override
    public void failed(String why) {
      reply.completeExceptionally(new IOException(why));
    }

    @Override
    public void delayed(String why) {
      trouble = why;
    }

    Reply await(int unit, long endNanos) throws SilentUnitException, InterruptedException {
      try {
        return reply.get(
            Math.max(PAUSE_MS, TimeUnit.NANOSECONDS.toMillis(endNanos - System.nanoTime())),
            TimeUnit.MILLISECONDS);
      } catch (ExecutionException e) {
        Throwable cause = e.getCause();
        throw new SilentUnitException(
            unit, cause == null ? e.toString() : String.valueOf(cause.getMessage()));
      } catch (TimeoutException e) {
        throw new SilentUnitException(unit, trouble);
      }
    }
  }

  /** Parity that is not the code of the data. */
  private List<Integer> odd(StripeKey stripe, Look look) {
    Shape shape = layout.code().shape();
    List<Bytes> data = new ArrayList<>();
    for (int unit = 0; unit < shape.dataBlocks(); unit++) {
      Bytes cell = look.cells.get(unit);
      if (cell == null) {
        return List.of(unit);
      }
      data.add(cell);
    }
    List<Bytes> all = layout.codeOf(stripe).encode(data);
    List<Integer> odd = new ArrayList<>();
    for (int unit = shape.dataBlocks(); unit < shape.blocks(); unit++) {
      if (!all.get(unit).equals(look.cells.get(unit))) {
        odd.add(unit);
      }
    }
    return odd;
  }

  private StripeFinding settled(StripeKey stripe, Look look) {
    Set<Tid> missing = unfinished(look);
    return missing.isEmpty()
        ? finding(stripe, StripeFinding.Kind.MISMATCH, odd(stripe, look), suspect(stripe, look))
        : finding(
            stripe,
            StripeFinding.Kind.UNFINISHED,
            odd(stripe, look),
            missing.size() + " writes have not come to all parity; -recover completes them");
  }

  private StripeFinding unsettled(StripeKey stripe, Look look) {
    if (look.unreadable.isEmpty()) {
      return finding(
          stripe,
          StripeFinding.Kind.BUSY,
          odd(stripe, look),
          "it was written all the while; look again");
    }
    List<String> states = new ArrayList<>();
    for (int unit : look.unreadable) {
      Reply.ProbeReply probe = look.probes.get(unit);
      states.add("unit " + unit + " is " + probe.opMode() + ", locked " + probe.lockMode());
    }
    return finding(
        stripe,
        StripeFinding.Kind.UNREADABLE,
        look.unreadable,
        String.join("; ", states) + "; -recover sees to it");
  }

  /** Writes of data units that some parity does not know of. */
  private Set<Tid> unfinished(Look look) {
    Shape shape = layout.code().shape();
    Set<Tid> missing = new HashSet<>();
    for (int data = 0; data < shape.dataBlocks(); data++) {
      for (Tid tid : look.probes.get(data).recentList()) {
        for (int parity = shape.dataBlocks(); parity < shape.blocks(); parity++) {
          Reply.ProbeReply probe = look.probes.get(parity);
          if (probe.opMode() == OpMode.NORM && !probe.recentList().contains(tid)) {
            missing.add(tid);
          }
        }
      }
    }
    return missing;
  }

  /** The unit without which all others fit together, if there is one. */
  private String suspect(StripeKey stripe, Look look) {
    Shape shape = layout.code().shape();
    List<Integer> suspects = new ArrayList<>();
    for (int without = 0; without < shape.blocks() && shape.parityBlocks() > 1; without++) {
      SortedMap<Integer, Bytes> known = new TreeMap<>();
      for (int unit = 0; unit < shape.blocks(); unit++) {
        Bytes cell = look.cells.get(unit);
        if (unit != without && cell != null) {
          known.put(unit, cell);
        }
      }
      try {
        layout.codeOf(stripe).decode(known);
        suspects.add(without);
      } catch (InconsistentStripeException e) {
        continue; // others do not fit either
      }
    }
    return suspects.size() == 1
        ? "all others fit together without unit " + suspects.get(0)
        : "it is not known which unit is wrong";
  }

  private StripeFinding finding(
      StripeKey stripe, StripeFinding.Kind kind, List<Integer> units, String detail) {
    return new StripeFinding(
        stripe.group(),
        stripe.stripe(),
        layout.groups().get(stripe.group()).offsetBytes()
            + stripe.stripe() * layout.geometry().stripeDataBytes(),
        kind,
        units,
        detail);
  }
}

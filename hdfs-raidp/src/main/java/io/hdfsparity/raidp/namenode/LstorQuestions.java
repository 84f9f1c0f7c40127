/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.raidp.lstor.SlotEntry;
import io.hdfsparity.raidp.wire.message.LstorReport;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks Lstors for their rows, and remembers which have not answered. A daemon that hangs costs the
 * caller a whole timeout, so it and its Lstor are left alone for growing pauses; meanwhile a
 * question fails at once. {@link #retry} asks again, the least recently asked Lstor of a daemon
 * first.
 *
 * <p>An Lstor is unreadable when it was asked in vain twice or more, the last time a maximum time
 * after the first. It stays so until it answers. Nothing but a question changes that, so it is the
 * same for all who ask between two of them. Not thread-safe: the coordinator calls it under its
 * lock.
 */
final class LstorQuestions implements LstorTables {
  private static final Logger LOG = LoggerFactory.getLogger(LstorQuestions.class);
  private static final int MAX_KEPT = 10_000;

  private final LstorTables tables;
  private final LongSupplier clockMs;
  private final long maxSilenceMs;
  private final GrowingPauses<String> daemons = GrowingPauses.ofNodes();
  private final GrowingPauses<String> lstors = GrowingPauses.ofNodes();

  /** By disk, the least recently asked one first. */
  private final Map<String, Unanswered> unanswered = new LinkedHashMap<>();

  private boolean isRetryOfAll;

  /**
   * Questions without an answer.
   *
   * @param sinceMs the first of them
   * @param lastMs the last one
   * @param failure of the last one
   */
  private record Unanswered(
      LstorReport lstor, int frameIndex, long sinceMs, long lastMs, String failure) {}

  /**
   * @param maxSilenceMs after which an Lstor that does not answer is unreadable
   */
  LstorQuestions(LstorTables tables, LongSupplier clockMs, long maxSilenceMs) {
    this.tables = tables;
    this.clockMs = clockMs;
    this.maxSilenceMs = maxSilenceMs;
  }

  @Override
  public List<SlotEntry> entries(LstorReport lstor, int frameIndex) throws IOException {
    Unanswered before = unanswered.get(lstor.diskId());
    if (before == null) {
      return ask(lstor, frameIndex);
    }
    throw new IOException(describe(before) + "; it is asked again");
  }

  private List<SlotEntry> ask(LstorReport lstor, int frameIndex) throws IOException {
    try {
      List<SlotEntry> rows = tables.entries(lstor, frameIndex);
      daemons.succeeded(daemon(lstor));
      lstors.succeeded(lstor.diskId());
      unanswered.remove(lstor.diskId());
      return rows;
    } catch (IOException | RuntimeException e) {
      throw new IOException(describe(failed(lstor, frameIndex, e)), e);
    }
  }

  /** A pause begins when the call has ended, which may have taken a timeout. */
  private Unanswered failed(LstorReport lstor, int frameIndex, Exception failure) {
    long nowMs = clockMs.getAsLong();
    daemons.failed(daemon(lstor), nowMs);
    lstors.failed(lstor.diskId(), nowMs);
    Unanswered before = unanswered.remove(lstor.diskId());
    Unanswered now =
        new Unanswered(
            lstor,
            frameIndex,
            before == null ? nowMs : before.sinceMs(),
            nowMs,
            String.valueOf(failure.getMessage()));
    unanswered.put(lstor.diskId(), now);
    if (unanswered.size() > MAX_KEPT) {
      unanswered.remove(unanswered.keySet().iterator().next());
    }
    return now;
  }

  /** Asks again whoever did not answer, has had its pause, and still reports. */
  void retry(ClusterView view) {
    unanswered.keySet().removeIf(diskId -> view.readableLstor(diskId).isEmpty());
    boolean isAll = isRetryOfAll;
    isRetryOfAll = false;
    for (Map.Entry<String, Unanswered> each : new ArrayList<>(unanswered.entrySet())) {
      LstorReport lstor = view.readableLstor(each.getKey()).orElseThrow().report();
      long nowMs = clockMs.getAsLong();
      if (isAll
          || !daemons.isPaused(daemon(lstor), nowMs) && !lstors.isPaused(lstor.diskId(), nowMs)) {
        try {
          ask(lstor, each.getValue().frameIndex());
        } catch (IOException e) {
          // It is noted; whoever needs the rows says so.
          LOG.debug("An Lstor was asked again in vain", e);
        }
      }
    }
  }

  /** Whether the rows of an Lstor cannot be read, though its daemon reports it. */
  boolean isUnreadable(String diskId) {
    Unanswered its = unanswered.get(diskId);
    return its != null && its.lastMs() - its.sinceMs() >= maxSilenceMs;
  }

  /** For people: why an Lstor is unreadable; empty: it is not. */
  Optional<String> whyUnreadable(String diskId) {
    if (!isUnreadable(diskId)) {
      return Optional.empty();
    }
    Unanswered its = unanswered.get(diskId);
    return Optional.of(
        "the Lstor daemon at "
            + daemon(its.lstor())
            + " reports, but has not answered for "
            + (clockMs.getAsLong() - its.sinceMs()) / 1_000
            + " s: "
            + its.failure());
  }

  /** Each Lstor that has not answered its last question. */
  List<Problem> problems() {
    return unanswered.values().stream()
        .map(
            its ->
                new Problem(
                    Problem.Kind.LSTOR_FAILED,
                    its.lstor().diskId(),
                    describe(its)
                        + "; superchunks of its disk wait for it; restart the Lstor daemon there if"
                        + " that stays so"))
        .toList();
  }

  /** All are asked at the next {@link #retry}: an administrator may have mended them. */
  void endPauses() {
    isRetryOfAll = true;
  }

  /** Forgets all. */
  void clear() {
    isRetryOfAll = false;
    daemons.clear();
    lstors.clear();
    unanswered.clear();
  }

  private static String describe(Unanswered its) {
    return "Lstor of disk "
        + its.lstor().diskId()
        + " is not read: its daemon at "
        + daemon(its.lstor())
        + " did not answer: "
        + its.failure();
  }

  private static String daemon(LstorReport lstor) {
    return lstor.host() + ":" + lstor.port();
  }
}

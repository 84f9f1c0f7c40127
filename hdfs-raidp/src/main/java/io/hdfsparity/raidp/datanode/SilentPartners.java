/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.datanode;

import io.hdfsparity.core.check.Clock;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * DataNodes that take calls of background work and do not answer within {@code peer.timeout}, as
 * they hang. Such a node shares superchunks with hundreds of frames here. If each of them waited
 * for it in turn, they would hold the few threads that settle blocks, and nobody would acknowledge
 * the blocks of other partners, which writes wait for. So a node is left alone for growing pauses,
 * by all frames, and then asked by one of them. One that refuses a connection holds nobody, and is
 * not noted. Thread-safe.
 */
final class SilentPartners {
  /** No longer than a block waits that cannot be settled. */
  static final long MAX_PAUSE_MS = 30_000;

  private static final Logger LOG = LoggerFactory.getLogger(SilentPartners.class);

  private final Clock clock;
  private final long firstPauseMs;
  private final Map<String, Silence> silences = new HashMap<>();

  private static final class Silence {
    long pauseMs;
    long untilNanos;
    boolean isAsked;
  }

  SilentPartners(Clock clock, long firstPauseMs) {
    this.clock = clock;
    this.firstPauseMs = firstPauseMs;
  }

  /** Whether a node answers, or has had its pause and is asked by nobody else. */
  synchronized boolean mayAsk(String nodeUuid) {
    Silence silence = silences.get(nodeUuid);
    return silence == null || !silence.isAsked && clock.nanoTime() - silence.untilNanos >= 0;
  }

  /** A call begins; it ends with one of the other methods. */
  synchronized void asked(String nodeUuid) {
    Silence silence = silences.get(nodeUuid);
    if (silence != null) {
      silence.isAsked = true;
    }
  }

  /** An answer, whatever it says. */
  synchronized void answered(String nodeUuid) {
    if (silences.remove(nodeUuid) != null) {
      LOG.info("A partner answers again: node={}", nodeUuid);
    }
  }

  /** No answer, but not for the length of a call: the node is down, or the way to it is. */
  synchronized void failed(String nodeUuid) {
    Silence silence = silences.get(nodeUuid);
    if (silence != null) {
      silence.isAsked = false;
    }
  }

  /** No answer in time. Of calls that began beside each other the first one counts. */
  synchronized void timedOut(String nodeUuid) {
    long nowNanos = clock.nanoTime();
    Silence silence = silences.get(nodeUuid);
    if (silence == null) {
      silence = new Silence();
      silence.pauseMs = firstPauseMs;
      silences.put(nodeUuid, silence);
      LOG.warn("A partner does not answer, and is left alone for a while: node={}", nodeUuid);
    } else if (nowNanos - silence.untilNanos >= 0) {
      silence.pauseMs = Math.min(MAX_PAUSE_MS, 2 * silence.pauseMs);
    }
    silence.isAsked = false;
    silence.untilNanos = nowNanos + TimeUnit.MILLISECONDS.toNanos(silence.pauseMs);
  }

  /** How many hang. */
  synchronized int count() {
    return silences.size();
  }
}

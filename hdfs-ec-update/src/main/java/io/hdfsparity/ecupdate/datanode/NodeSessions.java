/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.datanode;

import io.hdfsparity.core.check.ErrorMessage;
import io.hdfsparity.ecupdate.channel.AccessRefusedException;
import io.hdfsparity.ecupdate.protocol.LiveSessions;
import io.hdfsparity.ecupdate.protocol.SessionId;
import io.hdfsparity.ecupdate.protocol.UpdateNode;
import io.hdfsparity.ecupdate.wire.SessionManagers;
import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.Time;

/**
 * The sessions that the NameNodes of a DataNode say are live. With several nameservices a session
 * is live if one of them says so; which blocks it may change is in its tokens. Thread-safe.
 */
final class NodeSessions implements EndedSessions, LiveUnits, Closeable {
  private static final long LOOK_EVERY_MS = 20;
  private static final long OVER_WAIT_MS = 5000;
  private static final long REFUSED_MS = 10_000;

  private final Configuration conf;
  private final Map<String, SessionManagers> managers;
  private final List<LiveSessions> live = new ArrayList<>();
  private final RefusedSessions refused = new RefusedSessions(REFUSED_MS, Time::monotonicNow);

  /** Filled once, by {@link #report}. */
  private volatile List<NodeReporter> reporters = List.of();

  /** Says nothing to anybody yet, and takes no session for live. */
  NodeSessions(Configuration conf) throws IOException {
    this.conf = conf;
    managers = SessionManagers.byNameservice(conf);
    managers.forEach((name, each) -> live.add(new LiveSessions(Time::monotonicNow)));
  }

  /**
   * Begins to report to all session managers.
   *
   * @param givenUp as {@link NodeReporter} asks for
   */
  void report(UpdateNode self, SessionEnds ends, Supplier<Set<Long>> givenUp) {
    List<NodeReporter> started = new ArrayList<>();
    int i = 0;
    for (SessionManagers each : managers.values()) {
      started.add(
          new NodeReporter(
              conf, each.addresses(), self, live.get(i++), ends, givenUp, Time::monotonicNow));
    }
    reporters = List.copyOf(started);
  }

  @Override
  public boolean isLive(SessionId id, long blockId) {
    for (LiveSessions each : live) { // asked for every request
      if (each.isLive(id, blockId)) {
        return true;
      }
    }
    return false;
  }

  /** Whether a NameNode calls a session live. */
  boolean isOpen(SessionId id) {
    return live.stream().anyMatch(each -> each.isLive(id));
  }

  /**
   * Asks the NameNodes if a session is not known, or a unit's group is called replaced, and waits
   * for their answer. Who was refused is refused at once for a while, unless a list has it now:
   * what is asked about came with a token, and tokens outlive sessions. A session that is not known
   * is refused for all its blocks: of a large file there are tokens without number.
   *
   * @throws AccessRefusedException if none of them has said in time that it is live
   */
  void requireLive(SessionId id, long blockId, long waitMs) throws IOException {
    if (isLive(id, blockId)) {
      return;
    }
    if (refused.isRefused(id, blockId)) {
      throw notLive(id, blockId);
    }
    long askedMs = Time.monotonicNow() + 1; // an answer to what was sent before does not count
    reporters.forEach(NodeReporter::reportNow);
    try {
      boolean isAnswered = false;
      while (!isAnswered && Time.monotonicNow() < askedMs + waitMs) {
        TimeUnit.MILLISECONDS.sleep(LOOK_EVERY_MS);
        // In this order: the answer that was heard is then the one that is looked at.
        isAnswered = live.stream().allMatch(each -> each.isAnsweredSince(askedMs));
        if (isLive(id, blockId)) {
          return;
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("Cannot judge a session: interrupted");
    }
    if (isOpen(id)) {
      refused.refuse(id, blockId);
    } else {
      refused.refuse(id);
    }
    throw notLive(id, blockId);
  }

  private static AccessRefusedException notLive(SessionId id, long blockId) {
    return new AccessRefusedException(
        ErrorMessage.to("update a replica")
            .value("session", id)
            .value("block", blockId)
            .expected(
                "a session that a NameNode says is open, and a block of a group that was not"
                    + " rewritten; ask where it is, or open the file again")
            .message());
  }

  /**
   * Asks the NameNodes which sessions are over: none of them lists it any more, so that none ever
   * will, and nothing of it is being executed here.
   *
   * @throws IOException if some nameservice has no active NameNode that answers
   */
  @Override
  public Set<SessionId> over(Set<SessionId> asked) throws IOException {
    long askedMs = Time.monotonicNow() + 1; // an answer to what was sent before does not count
    long deadlineMs = askedMs + OVER_WAIT_MS;
    try {
      while (Time.monotonicNow() < deadlineMs) {
        if (!live.stream().allMatch(each -> each.isAnsweredSince(askedMs))) {
          reporters.forEach(NodeReporter::reportNow);
        } else {
          Set<SessionId> over = over(asked, askedMs);
          if (over.equals(asked) || over.equals(notLive(asked))) {
            return over;
          }
        }
        TimeUnit.MILLISECONDS.sleep(LOOK_EVERY_MS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("Cannot judge sessions: interrupted");
    }
    if (live.stream().allMatch(each -> each.isAnsweredSince(askedMs))) {
      return over(asked, askedMs);
    }
    throw new IOException(
        ErrorMessage.to("tell which sessions are over")
            .value("ms", OVER_WAIT_MS)
            .expected("an answer of the active NameNode by then")
            .message());
  }

  private Set<SessionId> over(Set<SessionId> asked, long sentMs) {
    Set<SessionId> over = new HashSet<>(asked);
    live.forEach(each -> over.retainAll(each.over(asked, sentMs)));
    return over;
  }

  /** As {@link LiveSessions#overByNumber}, for all nameservices. Does not wait. */
  Set<Long> overByNumber(Set<Long> asked) {
    Set<Long> over = new HashSet<>(asked);
    live.forEach(each -> over.retainAll(each.overByNumber(asked)));
    return over;
  }

  private Set<SessionId> notLive(Set<SessionId> asked) {
    Set<SessionId> left = new HashSet<>(asked);
    left.removeIf(this::isOpen);
    return left;
  }

  @Override
  public void close() {
    reporters.forEach(NodeReporter::close);
  }
}

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.datanode;

import io.hdfsparity.ecupdate.protocol.LiveSessions;
import io.hdfsparity.ecupdate.protocol.NodeAnswer;
import io.hdfsparity.ecupdate.protocol.NodeProtocol;
import io.hdfsparity.ecupdate.protocol.NodeReport;
import io.hdfsparity.ecupdate.protocol.SessionId;
import io.hdfsparity.ecupdate.protocol.UpdateNode;
import io.hdfsparity.ecupdate.wire.NodeClient;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.SecurityUtil;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports to the session managers of all NameNodes of a nameservice, each from a thread of its own,
 * so that one that hangs holds up no other. What it learns goes into {@link LiveSessions}, and is
 * applied by yet another thread: a request that does not end holds up no report. Thread-safe.
 */
public final class NodeReporter implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(NodeReporter.class);

  /** Until a NameNode has said otherwise, and after one that did not answer. */
  private static final long RETRY_MS = 1_000;

  private static final int TIMEOUT_MS = 5_000;

  private final Configuration conf;
  private final UpdateNode node;
  private final LiveSessions live;
  private final AnswerApplier applier;
  private final Supplier<Set<Long>> givenUp;
  private final LongSupplier clockMs;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition wanted = lock.newCondition();
  private final List<Thread> threads = new ArrayList<>();
  private long asked;
  private boolean closed;

  /**
   * Starts reporting.
   *
   * @param managers of the NameNodes of one nameservice
   * @param node this DataNode
   * @param live of the nameservice
   * @param givenUp as {@link NodeReport#givenUp}; asked before each report
   * @param clockMs that of {@code live}
   */
  public NodeReporter(
      Configuration conf,
      List<InetSocketAddress> managers,
      UpdateNode node,
      LiveSessions live,
      SessionEnds ends,
      Supplier<Set<Long>> givenUp,
      LongSupplier clockMs) {
    this.conf = conf;
    this.node = node;
    this.live = live;
    this.givenUp = givenUp;
    this.clockMs = clockMs;
    applier = new AnswerApplier(live, ends, clockMs, NodeReporter::warnLate, this::reportNow);
    for (InetSocketAddress manager : managers) {
      Thread thread = new Thread(() -> report(manager), "ecupdate-report-" + manager);
      thread.setDaemon(true);
      threads.add(thread);
    }
    threads.forEach(Thread::start);
  }

  private static void warnLate(Set<SessionId> lingering) {
    LOG.warn(
        "Requests of sessions that are over or suspended have not ended for {} s, of each of {}:"
            + " the NameNode keeps these sessions, and their files. A disk may hang: look at the"
            + " threads of this DataNode, and restart it",
        AnswerApplier.LATE_MS / 1000,
        lingering);
  }

  /**
   * Reports now: a client came with a session of which this DataNode does not know yet, or clients
   * wait for a NameNode that has become active to learn which sessions are suspended here, and that
   * there are no others.
   */
  public void reportNow() {
    lock.lock();
    try {
      asked++;
      wanted.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void report(InetSocketAddress manager) {
    String name = manager.toString();
    boolean silent = false;
    try (NodeClient client =
        SecurityUtil.doAsLoginUser(() -> new NodeClient(manager, conf, TIMEOUT_MS))) {
      long seen;
      long waitMs;
      do {
        seen = asked();
        waitMs = RETRY_MS;
        try {
          waitMs = reportOnce(client, name);
          silent = false;
        } catch (IOException | RuntimeException | Error e) {
          // An error too: nobody would start this thread again. A NameNode that is down is nothing
          // unusual; once is enough to say so.
          if (silent) {
            LOG.debug("No answer of the session manager {}", name, e);
          } else {
            LOG.warn("No answer of the session manager {}: {}", name, e.toString());
          }
          silent = true;
        }
      } while (await(seen, waitMs));
    } catch (IOException e) {
      LOG.error("Cannot report to the session manager {}; files cannot be updated", name, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private long reportOnce(NodeProtocol manager, String name) throws IOException {
    LiveSessions.Applied applied = live.appliedOf(name);
    long askedAtMs = clockMs.getAsLong();
    NodeAnswer answer =
        manager.report(
            new NodeReport(
                node,
                applied.incarnation(),
                applied.version(),
                applied.lingering(),
                /* heedsReplaced= */ true,
                live.suspendedFor(name),
                givenUp.get()));
    live.accept(name, answer, askedAtMs);
    applier.look();
    return Math.max(1, answer.reportEveryMs());
  }

  private long asked() {
    lock.lock();
    try {
      return asked;
    } finally {
      lock.unlock();
    }
  }

  /** Waits until it is time, or somebody asks, or the end: then false. */
  private boolean await(long seen, long waitMs) throws InterruptedException {
    lock.lock();
    try {
      long leftNanos = TimeUnit.MILLISECONDS.toNanos(waitMs);
      while (!closed && asked == seen && leftNanos > 0) {
        leftNanos = wanted.awaitNanos(leftNanos);
      }
      return !closed;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      wanted.signalAll();
    } finally {
      lock.unlock();
    }
    threads.forEach(Thread::interrupt);
    applier.close();
  }
}

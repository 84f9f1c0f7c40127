/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.namenode.verify;

import io.hdfsparity.bridge.guard.GroupWriters;
import io.hdfsparity.bridge.level.ParityDoubts;
import io.hdfsparity.core.check.Timers;
import io.hdfsparity.izs.config.VerifyOptions;
import io.hdfsparity.izs.level.VerifyStatus;
import io.hdfsparity.izs.verify.VerifyQueue;
import io.hdfsparity.izs.verify.VerifyQueue.Stage;
import io.hdfsparity.izs.verify.VerifyReport;
import io.hdfsparity.izs.wire.VerifyProtocol;
import io.hdfsparity.izs.wire.VerifyTask;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.hdfs.server.namenode.ParityGroups;
import org.apache.hadoop.io.erasurecode.ErasureCodeConstants;
import org.apache.hadoop.util.Time;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Verification of parity in a NameNode. If it cannot start, levels are served all the same, and the
 * status says why nothing is verified. Thread-safe.
 */
public final class Verification implements VerifyProtocol, ParityDoubts, Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(Verification.class);

  private static final Set<String> HADOOPS_CODECS =
      Set.of(
          ErasureCodeConstants.RS_CODEC_NAME,
          ErasureCodeConstants.RS_LEGACY_CODEC_NAME,
          ErasureCodeConstants.XOR_CODEC_NAME);

  /** Within that a round of a NameNode that is not overloaded ends. */
  private static final long LOAD_TIMEOUT_MS = 5_000;

  private final @Nullable Parts parts;
  private final Predicate<String> wanted;
  private volatile String problem;

  /** What is there when it runs. */
  private record Parts(
      VerifyQueue queue,
      VerifySweeper sweeper,
      VerifyCalls calls,
      VerifyCounters counters,
      VerifyMetrics metrics,
      ScheduledExecutorService timer) {}

  /**
   * @param wanted codecs by name; none: it is switched off
   */
  private Verification(@Nullable Parts parts, Predicate<String> wanted, String problem) {
    this.parts = parts;
    this.wanted = wanted;
    this.problem = problem;
  }

  /**
   * Starts, if it is switched on and configured right.
   *
   * @param writers of groups, for the log
   */
  public static Verification start(NameNode nameNode, GroupWriters writers) {
    VerifyOptions options;
    try {
      options = VerifyOptions.of(nameNode.getConf());
    } catch (IllegalArgumentException e) {
      LOG.error("Parity is not verified", e);
      return new Verification(
          null,
          wanted(VerifyOptions.isHadoopVerified(nameNode.getConf())),
          String.valueOf(e.getMessage()));
    }
    if (!options.scope().isEnabled()) {
      LOG.info("Parity is not verified: it is switched off");
      return new Verification(null, codec -> false, "off");
    }
    ParityGroups groups = new ParityGroups(nameNode);
    VerifyCounters counters = new VerifyCounters();
    VerifyQueue queue = new VerifyQueue(options.limits());
    WrongParity wrongParity = new WrongParity(groups, writers, counters);
    Predicate<String> wanted = wanted(options.scope().isHadoopVerified());
    VerifySweeper sweeper =
        new VerifySweeper(
            groups,
            queue,
            wrongParity,
            new ProgressStore(nameNode, groups.blockPool()),
            options,
            counters,
            wanted,
            Time::monotonicNow);
    VerifyCalls calls =
        new VerifyCalls(groups, queue, sweeper, wrongParity, options, counters, Time::monotonicNow);
    ScheduledExecutorService timer = Timers.daemon("izs-verify-sweeper");
    Verification made =
        new Verification(
            new Parts(queue, sweeper, calls, counters, VerifyMetrics.register(), timer),
            wanted,
            "");
    timer.scheduleWithFixedDelay(
        Timers.guarded(
            () -> made.round(sweeper, counters),
            e -> LOG.error("A round of the verification failed; it is tried again", e)),
        options.sweep().intervalMs(),
        options.sweep().intervalMs(),
        TimeUnit.MILLISECONDS);
    made.serveMetrics();
    return made;
  }

  /**
   * What can be said before it has started, or where it cannot: of groups that are to be verified,
   * nothing is known. That some were found before is in force all the same.
   */
  public static ParityDoubts unknown(Configuration conf) {
    Predicate<String> wanted;
    try {
      VerifyOptions.Scope scope = VerifyOptions.of(conf).scope();
      wanted = scope.isEnabled() ? wanted(scope.isHadoopVerified()) : codec -> false;
    } catch (IllegalArgumentException e) {
      wanted = wanted(VerifyOptions.isHadoopVerified(conf));
    }
    return doubts(wanted);
  }

  private static ParityDoubts doubts(Predicate<String> wanted) {
    return (codec, groupId) -> wanted.test(codec) ? Doubt.UNKNOWN : Doubt.NONE;
  }

  private static Predicate<String> wanted(boolean isHadoopVerified) {
    return codec -> isHadoopVerified || !HADOOPS_CODECS.contains(codec);
  }

  private void serveMetrics() {
    if (parts != null) {
      parts.metrics().inService(this::status, parts.counters());
    }
  }

  private void round(VerifySweeper sweeper, VerifyCounters counters) {
    try {
      sweeper.round();
      problem = "";
    } catch (IOException | RuntimeException e) {
      // The timer would stop for good at an exception; the next round tries again.
      counters.failedRounds.increment();
      String message = e.toString().lines().findFirst().orElse("");
      if (message.equals(problem)) {
        LOG.debug("A round of the verification failed again", e);
      } else {
        LOG.error("A round of the verification failed", e);
      }
      problem = message;
    }
  }

  @Override
  public List<VerifyTask> takeGroups(String nodeUuid) throws IOException {
    return parts == null ? List.of() : parts.calls().takeGroups(nodeUuid);
  }

  @Override
  public void reportGroups(String nodeUuid, List<VerifyReport> reports) throws IOException {
    if (parts != null) {
      parts.calls().reportGroups(nodeUuid, reports);
    }
  }

  @Override
  public boolean mayBelieveParity(String nodeUuid, String blockPool, long groupId)
      throws IOException {
    return parts == null || parts.calls().mayBelieveParity(nodeUuid, blockPool, groupId);
  }

  @Override
  public Doubt doubt(String codec, long groupId) {
    return parts == null
        ? doubts(wanted).doubt(codec, groupId)
        : parts.calls().doubt(codec, groupId);
  }

  @Override
  public Doubt doubtOfRebuild(String codec, long groupId) {
    return parts == null
        ? doubts(wanted).doubt(codec, groupId)
        : parts.calls().doubtOfRebuild(codec, groupId);
  }

  /** By the timer's thread: a caller need not be one who sees the attribute. */
  @Override
  public void load() {
    Parts now = parts;
    if (now == null || now.sweeper().isLoaded()) {
      return;
    }
    try {
      now.timer()
          .submit(
              () -> {
                if (!now.sweeper().isLoaded()) {
                  round(now.sweeper(), now.counters());
                }
              })
          .get(LOAD_TIMEOUT_MS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException | RejectedExecutionException e) {
      LOG.warn("What was found by verification is not loaded, so that no level is lowered", e);
    }
  }

  /** How far it has come. */
  public VerifyStatus status() {
    Parts now = parts;
    if (now == null) {
      return VerifyStatus.off(problem);
    }
    return new VerifyStatus(
        now.sweeper().isRunning(),
        problem,
        now.queue().size(Stage.SAMPLE)
            + now.queue().size(Stage.WHOLE)
            + now.queue().size(Stage.DROPPING)
            + now.queue().size(Stage.REBUILDING),
        now.sweeper().idsLeft(),
        now.counters().results());
  }

  @Override
  public void close() {
    if (parts != null) {
      parts.timer().shutdownNow();
      parts.metrics().unregister();
    }
  }
}

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hdfsparity.core.check.ErrorMessage;
import io.hdfsparity.raidp.adoption.Balance;
import io.hdfsparity.raidp.adoption.BalanceCluster;
import io.hdfsparity.raidp.adoption.BalanceProgress;
import io.hdfsparity.raidp.adoption.BalanceProgress.Outcome;
import io.hdfsparity.raidp.adoption.BalanceProgress.Spread;
import io.hdfsparity.raidp.layout.BalancePlan;
import io.hdfsparity.raidp.layout.BalancePlanner;
import io.hdfsparity.raidp.layout.BalanceSpec;
import io.hdfsparity.raidp.wire.message.BalanceRequest;
import io.hdfsparity.raidp.wire.message.TextResponse;
import java.io.IOException;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The balance that runs, one at a time, or the last words of the last one; answers administrators.
 * All memory: a NameNode that becomes active has none. Thread-safe; time is passed in.
 */
final class Balances {
  private static final Logger LOG = LoggerFactory.getLogger(Balances.class);
  private static final String OF_RUNNING =
      " as of the balance that is running; stop it with hdfs raidp -balance -stop, or wait until it"
          + " is over";

  private final BalanceCluster cluster;
  private final Conditions conditions;
  private final Semaphore planning = new Semaphore(1);
  private @Nullable Run run;

  /** What has to hold for a start. */
  interface Conditions {
    boolean isInSafeMode();

    boolean isRecovering();
  }

  /**
   * @param isToStop whether an administrator has asked for its end; the next round ends it
   */
  private record Run(
      Balance balance,
      double thresholdPercent,
      long throttleBytesPerSecond,
      AtomicBoolean isToStop) {
    boolean isOver() {
      return balance.progress().outcome().isOver();
    }
  }

  Balances(BalanceCluster cluster, Conditions conditions) {
    this.cluster = cluster;
    this.conditions = conditions;
  }

  /** Starts a run, joins one, stops it, tells how far it is, or plans one. */
  TextResponse answer(BalanceRequest request) throws IOException {
    return switch (request.action()) {
      case START -> started(request);
      case WATCH -> new TextResponse(document(false).toString(), exitCode());
      case PLAN -> planned(request);
      case STOP -> stopping();
    };
  }

  private synchronized TextResponse started(BalanceRequest request) throws IOException {
    Run running = run;
    if (running != null && !running.isOver()) {
      requireSame(running, request);
      return new TextResponse(document(true).toString(), exitCode());
    }
    if (conditions.isInSafeMode()) {
      throw refused("safeMode", true, "a NameNode out of safe mode; wait until it has left it");
    }
    if (conditions.isRecovering()) {
      throw refused(
          "recovery",
          "RUNNING",
          "no recovery that is running; wait until hdfs raidp -recover -progress says that it is"
              + " done");
    }
    long throttle = request.throttleBytesPerSecond().orElse(0);
    run =
        new Run(
            new Balance(cluster, request.thresholdPercent(), throttle),
            request.thresholdPercent(),
            throttle,
            new AtomicBoolean());
    LOG.info("A balance was started by an administrator: {}", request);
    return new TextResponse(document(false).toString(), exitCode());
  }

  private static void requireSame(Run running, BalanceRequest request) throws IOException {
    if (running.isToStop().get()) {
      throw refused("state", "STOPPING", "no balance that is being stopped; try again");
    }
    if (running.thresholdPercent() != request.thresholdPercent()) {
      throw refused(
          "threshold", request.thresholdPercent(), running.thresholdPercent() + OF_RUNNING);
    }
    long throttle = request.throttleBytesPerSecond().orElse(running.throttleBytesPerSecond());
    if (throttle != running.throttleBytesPerSecond()) {
      throw refused("throttle", throttle, running.throttleBytesPerSecond() + OF_RUNNING);
    }
  }

  private static IOException refused(String name, Object value, String rule) {
    return new IOException(ErrorMessage.to("balance").value(name, value).expected(rule).message());
  }

  private synchronized TextResponse stopping() {
    Run its = run;
    if (its != null && !its.isOver() && !its.isToStop().getAndSet(true)) {
      LOG.info("The balance is being stopped by an administrator");
    }
    return new TextResponse(document(false).toString(), 0);
  }

  /** One at a time: it looks at all superchunks. */
  private TextResponse planned(BalanceRequest request) throws IOException {
    if (!planning.tryAcquire()) {
      throw refused("dryRun", true, "one at a time, and another one is running; try again");
    }
    try {
      return plan(request);
    } finally {
      planning.release();
    }
  }

  private TextResponse plan(BalanceRequest request) {
    BalanceSpec spec = cluster.spec(request.thresholdPercent());
    BalancePlan plan = BalancePlanner.plan(spec);
    ObjectNode doc = JsonNodeFactory.instance.objectNode();
    doc.put("state", "PLANNED")
        .put("thresholdPercent", request.thresholdPercent())
        .put("plannedBytes", plan.bytes())
        .put("copiedBytes", 2 * plan.bytes())
        .put("moves", plan.moves().size())
        .put("balanced", plan.outside().isEmpty());
    putSpread(doc.putObject("before"), Balance.spread(spec));
    ArrayNode disks = doc.putArray("disks");
    new TreeMap<>(plan.utilization())
        .forEach(
            (id, each) ->
                disks
                    .addObject()
                    .put("id", id.value())
                    .put("beforePercent", each.beforePercent())
                    .put("afterPercent", each.afterPercent()));
    return new TextResponse(doc.toString(), 0);
  }

  /** How far the balance is that runs, or ran last; empty: none did on this NameNode. */
  synchronized Optional<BalanceProgress> progress() {
    return Optional.ofNullable(run).map(each -> each.balance().progress());
  }

  private int exitCode() {
    return progress()
        .filter(each -> each.outcome().isOver() && each.outcome() != Outcome.BALANCED)
        .map(each -> -1)
        .orElse(0);
  }

  private ObjectNode document(boolean joined) {
    ObjectNode doc = JsonNodeFactory.instance.objectNode();
    doc.put("joined", joined);
    put(doc);
    return doc;
  }

  /** Adds how far it is. */
  synchronized void put(ObjectNode doc) {
    Run its = run;
    if (its == null) {
      doc.put("state", "NONE");
      return;
    }
    BalanceProgress progress = its.balance().progress();
    doc.put("state", progress.outcome().isOver() ? "DONE" : "RUNNING")
        .put("outcome", progress.outcome().name())
        .put("thresholdPercent", its.thresholdPercent())
        .put("pass", progress.pass())
        .put("plannedBytes", progress.plannedBytes());
    AdoptionDocuments.putTally(doc.putObject("moved"), progress.counts().moved());
    AdoptionDocuments.putTally(doc.putObject("copied"), progress.counts().copied());
    AdoptionDocuments.putTally(doc.putObject("left"), progress.counts().left());
    AdoptionDocuments.putTally(doc.putObject("inFlight"), progress.inFlight());
    putSpread(doc.putObject("before"), progress.before());
    putSpread(doc.putObject("now"), progress.now());
    doc.put("bytesPerSecond", progress.bytesPerSecond())
        .put("etaMs", progress.etaMs())
        .put("elapsedMs", progress.elapsedMs());
  }

  private static void putSpread(ObjectNode doc, Spread spread) {
    doc.put("lowestPercent", spread.lowestPercent())
        .put("meanPercent", spread.meanPercent())
        .put("highestPercent", spread.highestPercent());
  }

  /** Goes on. Calls DataNodes. One that throws is over, and its last words stay. */
  void round(LongSupplier clockMs) {
    Run its = running();
    if (its == null) {
      return;
    }
    try {
      if (its.isToStop().get()) {
        its.balance().stop();
      } else {
        its.balance().round(clockMs);
      }
      if (its.isOver()) {
        LOG.info("The balance is over: {}", its.balance().progress());
      }
    } catch (RuntimeException e) {
      LOG.error("The balance failed", e);
      its.balance().fail();
    }
  }

  private synchronized @Nullable Run running() {
    Run its = run;
    return its == null || its.isOver() ? null : its;
  }

  /** This NameNode is not active. */
  synchronized void forget() {
    run = null;
  }
}

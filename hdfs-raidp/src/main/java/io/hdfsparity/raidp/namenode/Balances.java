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
import io.hdfsparity.raidp.adoption.Tally;
import io.hdfsparity.raidp.layout.BalancePlan;
import io.hdfsparity.raidp.layout.BalancePlanner;
import io.hdfsparity.raidp.layout.BalanceSpec;
import io.hdfsparity.raidp.wire.message.BalanceRequest;
import io.hdfsparity.raidp.wire.message.TextResponse;
import java.io.IOException;
import java.util.Optional;
import java.util.TreeMap;
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

  private final BalanceCluster cluster;
  private @Nullable Run run;

  private record Run(Balance balance, double thresholdPercent) {}

  Balances(BalanceCluster cluster) {
    this.cluster = cluster;
  }

  /** Starts a run, joins one, tells how far it is, or plans one. */
  TextResponse answer(BalanceRequest request) throws IOException {
    return switch (request.action()) {
      case START -> started(request);
      case WATCH -> new TextResponse(document(false).toString(), exitCode());
      case PLAN -> planned(request);
    };
  }

  private synchronized TextResponse started(BalanceRequest request) throws IOException {
    Run running = run;
    boolean joined = running != null && !running.balance().progress().outcome().isOver();
    if (running != null && joined && running.thresholdPercent() != request.thresholdPercent()) {
      throw new IOException(
          ErrorMessage.to("balance")
              .value("threshold", request.thresholdPercent())
              .expected(
                  running.thresholdPercent()
                      + " as of the balance that is running; wait until it is over")
              .message());
    }
    if (!joined) {
      run =
          new Run(
              new Balance(
                  cluster, request.thresholdPercent(), request.throttleBytesPerSecond().orElse(0)),
              request.thresholdPercent());
      LOG.info("A balance was started by an administrator: {}", request);
    }
    return new TextResponse(document(joined).toString(), exitCode());
  }

  private TextResponse planned(BalanceRequest request) {
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
    putTally(doc.putObject("moved"), progress.counts().moved());
    putTally(doc.putObject("copied"), progress.counts().copied());
    putTally(doc.putObject("left"), progress.counts().left());
    putTally(doc.putObject("inFlight"), progress.inFlight());
    putSpread(doc.putObject("before"), progress.before());
    putSpread(doc.putObject("now"), progress.now());
    doc.put("bytesPerSecond", progress.bytesPerSecond())
        .put("etaMs", progress.etaMs())
        .put("elapsedMs", progress.elapsedMs());
  }

  private static void putTally(ObjectNode doc, Tally tally) {
    doc.put("count", tally.count()).put("bytes", tally.bytes());
  }

  private static void putSpread(ObjectNode doc, Spread spread) {
    doc.put("lowestPercent", spread.lowestPercent())
        .put("meanPercent", spread.meanPercent())
        .put("highestPercent", spread.highestPercent());
  }

  /** Goes on. Calls DataNodes. */
  void round(LongSupplier clockMs) {
    Run its = running();
    if (its == null) {
      return;
    }
    try {
      its.balance().round(clockMs);
      if (its.balance().progress().outcome().isOver()) {
        LOG.info("The balance is over: {}", its.balance().progress());
      }
    } catch (RuntimeException e) {
      LOG.error("The balance failed", e);
      its.balance().stop();
      forget();
    }
  }

  private synchronized @Nullable Run running() {
    Run its = run;
    return its == null || its.balance().progress().outcome().isOver() ? null : its;
  }

  /** This NameNode is not active, or the run failed. */
  synchronized void forget() {
    run = null;
  }
}

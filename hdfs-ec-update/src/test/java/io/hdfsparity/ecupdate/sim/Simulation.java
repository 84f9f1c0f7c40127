/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.sim;

import io.hdfsparity.core.gf.GfMatrix;
import io.hdfsparity.core.gf.ScalarKernel;
import io.hdfsparity.ecupdate.ajx.AjxOptions;
import io.hdfsparity.ecupdate.ajx.Bytes;
import io.hdfsparity.ecupdate.ajx.CodeTable;
import io.hdfsparity.ecupdate.ajx.LockId;
import io.hdfsparity.ecupdate.ajx.LockMode;
import io.hdfsparity.ecupdate.ajx.MovedRows;
import io.hdfsparity.ecupdate.ajx.OpMode;
import io.hdfsparity.ecupdate.ajx.Output;
import io.hdfsparity.ecupdate.ajx.Reply;
import io.hdfsparity.ecupdate.ajx.Request;
import io.hdfsparity.ecupdate.ajx.Shape;
import io.hdfsparity.ecupdate.ajx.StripeCode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/**
 * One stripe, its storage nodes, its clients and a network, all in virtual time and all decided by
 * one seed. Afterwards a fresh client repairs what is left, and the invariants are checked.
 *
 * <p>The network: messages overtake each other; a call may be lost, before or after it was
 * executed, and then its copy is not executed any more when the client hears of it. That is what a
 * transport over TCP can promise; see ADR 0010.
 */
final class Simulation {
  static final int BLOCK_BYTES = 2;

  /** {@code -Dajx.trace=true} beside {@code -Dajx.seed=N}: every call as it is executed. */
  private static final boolean IS_TRACED = Boolean.getBoolean("ajx.trace");

  private static final long EVENT_LIMIT = 100_000;
  private static final int MAX_PROBES = 200;

  /** Of a run: whoever has to give way for ever never ends. */
  private static final int MAX_YIELDS = 12;

  /** A write must be seen more than once before it is taken for unfinished. */
  private static final int MIN_PROBES = 3;

  final Scenario scenario;
  final Random random;
  final Timeline time;
  final Counters counters = new Counters();
  private final StripeCode code;
  private final List<SimNode> nodes = new ArrayList<>();
  private final Map<Long, SimClient> clients = new HashMap<>();

  /** In the order of sending: what the seed decides must not depend on where objects lie. */
  private final Set<Call> outstanding = new LinkedHashSet<>();

  private final Registers registers;
  private int lossesLeft;
  private int restartsLeft;
  private int falseExpiriesLeft;
  private boolean isRepairing;
  private boolean isClean;

  /** In every fourth run recoveries are asked to give way, by dice of their own. */
  private final boolean isYielding;

  private final Random yields;

  /** One sending of a request; lost, answered or dead calls are over. */
  private static final class Call {
    final SimClient client;
    final Output.Send send;
    boolean isOver;
    boolean isReplySent;

    Call(SimClient client, Output.Send send) {
      this.client = client;
      this.send = send;
    }
  }

  Simulation(long seed, Scenario scenario) {
    this.scenario = scenario;
    random = new Random(seed);
    isYielding = seed % 4 == 3;
    yields = new Random(~seed);
    time = new Timeline(random);
    Shape shape = scenario.shape();
    code = code(shape, seed);
    List<Bytes> data = new ArrayList<>();
    for (int block = 0; block < shape.dataBlocks(); block++) {
      byte[] bytes = new byte[BLOCK_BYTES];
      random.nextBytes(bytes);
      data.add(Bytes.wrap(bytes));
    }
    registers = new Registers(data, time);
    List<Bytes> stripe = code.encode(data);
    for (int block = 0; block < shape.blocks(); block++) {
      nodes.add(new SimNode(code, block, stripe.get(block), scenario.fault(), random));
    }
    lossesLeft = scenario.nodeLosses();
    restartsLeft = scenario.restarts();
    falseExpiriesLeft = scenario.falseExpiries();
    for (int i = 0; i < scenario.clients(); i++) {
      SimClient client = new SimClient(this, i, i < scenario.clientCrashes());
      clients.put((long) i, client);
      time.after(random.nextInt(100), client::begin);
    }
  }

  /** Rows move in every other run; the seed decides the same schedule with any code. */
  private static StripeCode code(Shape shape, long seed) {
    GfMatrix coefficients = GfMatrix.cauchyParity(shape.dataBlocks(), shape.parityBlocks());
    return seed % 2 == 0
        ? new StripeCode(new ScalarKernel(), coefficients)
        : new StripeCode(
                new ScalarKernel(),
                new CodeTable(
                    coefficients, MovedRows.shifted(shape, BLOCK_BYTES, new Random(seed))))
            .forCodeword(BLOCK_BYTES);
  }

  /** The scenario and the run that belong to a seed. */
  static Simulation ofSeed(long seed, Fault fault) {
    return new Simulation(seed, Scenario.withinBounds(new Random(~seed), fault));
  }

  StripeCode code() {
    return code;
  }

  AjxOptions options() {
    return new AjxOptions(
        scenario.mode(),
        scenario.groups(),
        scenario.cellsAtOnce(),
        scenario.demanded(),
        3,
        1_000,
        isRepairing ? 1 : 50);
  }

  Registers registers() {
    return registers;
  }

  /** Runs to the end and checks every invariant. */
  void run() {
    requireFinished(time.runAll(EVENT_LIMIT), "the clients");
    for (SimClient client : clients.values()) {
      if (client.isAlive() && !client.isDone()) {
        throw new Violation("client hangs: " + client);
      }
    }
    if (scenario.fault() != Fault.NONE || !isCalm()) {
      repair();
    }
    checkStripe();
    readAll();
    registers.check();
  }

  private boolean isCalm() {
    return scenario.clientCrashes() + scenario.nodeLosses() + scenario.restarts() == 0
        && scenario.falseExpiries() + scenario.lossPercent() == 0
        && !isYielding;
  }

  /** The administrator's monitor, after everybody has gone: until there is nothing to repair. */
  private void repair() {
    lossesLeft = 0;
    restartsLeft = 0;
    falseExpiriesLeft = 0;
    isRepairing = true;
    SimClient monitor = new SimClient(this, 1_000, false);
    clients.put(1_000L, monitor);
    for (int probe = 0; probe < MAX_PROBES && !(isClean && probe > MIN_PROBES); probe++) {
      time.after(1 + time.delay(), monitor::probe);
      requireFinished(time.runAll(time.executed() + EVENT_LIMIT), "the monitor");
    }
    if (!isClean) {
      throw new Violation("not repaired: " + describe());
    }
  }

  /** Whether a client lets the locks of its recovery go now, as if another one had to have them. */
  boolean givesWay() {
    if (!isYielding || counters.yields == MAX_YIELDS || yields.nextInt(20) > 0) {
      return false;
    }
    counters.yields++;
    return true;
  }

  void probed(boolean isHealthy) {
    if (isRepairing) {
      isClean = isHealthy && nodes.stream().allMatch(node -> node.machine().holder() == null);
    }
  }

  private void requireFinished(boolean isFinished, String who) {
    if (!isFinished) {
      throw new Violation(who + " did not finish: " + describe());
    }
  }

  /** Invariant: when all is quiet, parity is the code of the data, in one epoch, unlocked. */
  private void checkStripe() {
    Shape shape = code.shape();
    List<Bytes> data = new ArrayList<>();
    for (SimNode node : nodes) {
      if (node.machine().opMode() != OpMode.NORM || node.machine().lockMode() != LockMode.UNL) {
        throw new Violation("not quiet: " + describe());
      }
      if (node.machine().epoch() != nodes.get(0).machine().epoch()) {
        throw new Violation("epochs differ: " + describe());
      }
      if (data.size() < shape.dataBlocks()) {
        data.add(node.bytes());
      }
    }
    List<Bytes> expected = code.encode(data);
    for (int block = 0; block < shape.blocks(); block++) {
      if (!nodes.get(block).bytes().equals(expected.get(block))) {
        throw new Violation("parity is not the code of the data, block " + block + describe());
      }
    }
  }

  private void readAll() {
    for (int block = 0; block < code.shape().dataBlocks(); block++) {
      registers.read(block, nodes.get(block).bytes(), time.now() + 1, time.now() + 1);
    }
  }

  String describe() {
    return nodes.stream().map(node -> node.machine().toString()).toList()
        + " clients "
        + clients.values()
        + " "
        + scenario;
  }

  // The network.

  void send(SimClient client, Output.Send send) {
    Call call = new Call(client, send);
    outstanding.add(call);
    int fate = random.nextInt(200);
    if (fate < scenario.lossPercent()) {
      time.after(time.delay(), () -> lose(call)); // before it is executed
      return;
    }
    boolean isReplyLost = fate < 2 * scenario.lossPercent();
    time.after(time.delay(), () -> deliver(call, isReplyLost));
  }

  private void lose(Call call) {
    if (!call.isOver) {
      call.isOver = true;
      outstanding.remove(call);
      call.client.onLost(call.send.call());
    }
  }

  private void deliver(Call call, boolean isReplyLost) {
    if (call.isOver) {
      return;
    }
    int target = call.send.node();
    SimNode node = nodes.get(target);
    Reply reply = node.handle(call.send.request(), time.now(), random.nextInt(30));
    counters.executed(call.send.request());
    if (IS_TRACED) {
      System.err.println(
          time.now()
              + " "
              + call.client.id()
              + " -> "
              + target
              + " "
              + call.send.request()
              + " = "
              + reply
              + " at "
              + node.machine());
    }
    expireIfDead(node);
    long incarnation = node.incarnation();
    time.at(
        node.replyTime(time.now()),
        () -> {
          if (node.incarnation() == incarnation && !call.isOver) {
            call.isReplySent = true;
            if (isReplyLost) {
              time.after(time.delay(), () -> lose(call));
            } else {
              time.after(time.delay(), () -> answer(call, reply));
            }
          }
        });
    failSomething(target);
  }

  private void answer(Call call, Reply reply) {
    if (!call.isOver) {
      call.isOver = true;
      outstanding.remove(call);
      counters.reply();
      call.client.onReply(call.send.call(), reply);
    }
  }

  // Failures.

  private void failSomething(int target) {
    int dice = random.nextInt(60);
    int lossDice = scenario.lossesLast() ? 5 : 1; // soon, before the crashes are repaired
    if (dice < lossDice && lossesLeft > 0 && mayLose()) {
      lossesLeft--;
      counters.losses++;
      nodes.get(target).lose();
      breakConnections(target);
    } else if (dice == 10 && restartsLeft > 0) {
      restartsLeft--;
      counters.restarts++;
      nodes.get(target).restart(time.now());
      breakConnections(target);
    } else if (dice == 11 && falseExpiriesLeft > 0) {
      LockId holder = nodes.get(target).machine().holder();
      if (holder != null) {
        falseExpiriesLeft--;
        nodes.get(target).machine().expireLock(holder);
      }
    }
  }

  private boolean mayLose() {
    return !scenario.lossesLast() || counters.crashes == scenario.clientCrashes();
  }

  /** What is under way to the node is not executed; a reply that has left may still arrive. */
  private void breakConnections(int target) {
    List<Call> broken = new ArrayList<>();
    for (Call call : outstanding) {
      if (call.send.node() == target && !(call.isReplySent && random.nextBoolean())) {
        broken.add(call);
      }
    }
    for (Call call : broken) {
      call.isOver = true;
      outstanding.remove(call);
      time.after(time.delay(), () -> call.client.onLost(call.send.call()));
    }
  }

  void crashed(SimClient client) {
    counters.crashes++;
    nodes.forEach(this::expireIfDead);
  }

  /** The failure detector: locks of the dead expire, some time later. */
  private void expireIfDead(SimNode node) {
    LockId holder = node.machine().holder();
    if (holder != null && !clients.get(holder.client()).isAlive()) {
      time.after(time.delay(), () -> node.machine().expireLock(holder));
    }
  }

  void recoveryEnded(Output.RecoveryEnded ended) {
    counters.recovered(ended.result());
    if (ended.result() == Output.RecoveryResult.STUCK) {
      throw new Violation("recovery is stuck: " + ended.detail() + " " + describe());
    }
  }

  /** What happened, to see that a set of runs covers what it should. */
  static final class Counters {
    long requests;
    long replies;
    long broadcasts;
    int crashes;
    int losses;
    int restarts;
    int yields;
    final Map<String, Integer> byKind = new HashMap<>();
    final Map<Output.RecoveryResult, Integer> recoveries = new HashMap<>();

    void executed(Request request) {
      String kind = request.getClass().getSimpleName();
      if (request instanceof Request.SetLock set) {
        kind += " " + set.mode();
      } else if (request instanceof Request.FinalizeRecovery end) {
        kind += " " + end.lockAfter();
      }
      byKind.merge(kind, 1, Integer::sum);
    }

    void reply() {
      replies++;
    }

    void recovered(Output.RecoveryResult result) {
      recoveries.merge(result, 1, Integer::sum);
    }

    long messages() {
      return requests + broadcasts + replies;
    }
  }
}

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.ajx;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A queueing model of AJX's operations without failures: what each message costs its sender and
 * receiver, links, and forces of logs. It knows nothing of what messages say; that they are those
 * of the protocol (2 for a read, 2(p+1) for a write) is tested. Used once.
 */
final class AjxModel {
  /** Of a message beside the block; requests without one are as long. */
  private static final double HEADER_BYTES = 100;

  private final Spec spec;
  private final Costs costs;
  private final SplittableRandom random;
  private final VirtualTime time = new VirtualTime();
  private final List<Host> clients = new ArrayList<>();
  private final List<Host> nodes = new ArrayList<>();
  private long messages;
  private long done;

  /** What clients ask for. */
  enum Kind {
    READ,
    /** One add for each parity unit, all at once. */
    WRITE,
    /** One add for all, which the network multiplies and the nodes scale. */
    BROADCAST_WRITE
  }

  /**
   * What it costs.
   *
   * @param clientUs processor time of a client for a message
   * @param nodeUs processor time of a node for a request and its answer
   * @param forceUs of a log
   * @param latencyUs of a message under way
   * @param linkMbit of each host, in either direction; 0: no limit
   * @param blockBytes that are read or written
   */
  record Costs(
      double clientUs,
      double nodeUs,
      double forceUs,
      double latencyUs,
      double linkMbit,
      int blockBytes) {
    double linkUs(double bytes) {
      return linkMbit == 0 ? 0 : bytes * 8 / linkMbit;
    }
  }

  /**
   * A system.
   *
   * @param outstanding operations of a client at a time
   * @param sharedProcessors of one machine on which all hosts run; 0: each has one of its own
   */
  record Spec(
      Kind kind, int dataUnits, int units, int clients, int outstanding, int sharedProcessors) {
    int parityUnits() {
      return units - dataUnits;
    }
  }

  /**
   * What came of it.
   *
   * @param perSecond operations a second
   * @param messagesEach messages of an operation
   */
  record Result(double perSecond, double messagesEach) {}

  private record Host(
      VirtualTime.Station processor,
      VirtualTime.Station in,
      VirtualTime.Station out,
      VirtualTime.Log log) {}

  private AjxModel(Spec spec, Costs costs, long seed) {
    this.spec = spec;
    this.costs = costs;
    random = new SplittableRandom(seed);
    VirtualTime.Station shared =
        spec.sharedProcessors() == 0 ? null : time.new Station(spec.sharedProcessors());
    for (int i = 0; i < spec.clients(); i++) {
      clients.add(host(shared));
    }
    for (int i = 0; i < spec.units(); i++) {
      nodes.add(host(shared));
    }
  }

  private Host host(VirtualTime.Station shared) {
    return new Host(
        shared == null ? time.new Station(1) : shared,
        time.new Station(1),
        time.new Station(1),
        time.new Log(costs.forceUs()));
  }

  /**
   * Runs it in virtual time.
   *
   * @param lengthMs that is counted, after as long a time that is not
   */
  static Result run(Spec spec, Costs costs, long seed, int lengthMs) {
    return new AjxModel(spec, costs, seed).run(1000.0 * lengthMs);
  }

  private Result run(double lengthUs) {
    for (Host client : clients) {
      for (int i = 0; i < spec.outstanding(); i++) {
        operate(client);
      }
    }
    time.runUntil(lengthUs);
    long doneBefore = done;
    long messagesBefore = messages;
    time.runUntil(2 * lengthUs);
    long operations = done - doneBefore;
    return new Result(
        operations * 1e6 / lengthUs, (double) (messages - messagesBefore) / operations);
  }

  /** One operation after the other. */
  private void operate(Host client) {
    // Groups are spread: which node has which unit differs from group to group.
    int turn = random.nextInt(spec.units());
    Host data = node(turn + random.nextInt(spec.dataUnits()));
    Runnable end =
        () -> {
          done++;
          operate(client);
        };
    if (spec.kind() == Kind.READ) {
      ask(client, data, 0, costs.blockBytes(), false, end);
    } else {
      ask(client, data, costs.blockBytes(), costs.blockBytes(), true, () -> add(client, turn, end));
    }
  }

  private Host node(int index) {
    return nodes.get(index % nodes.size());
  }

  private void add(Host client, int turn, Runnable end) {
    int[] left = {spec.parityUnits()};
    Runnable one =
        () -> {
          if (--left[0] == 0) {
            end.run();
          }
        };
    List<Host> parity = new ArrayList<>();
    for (int unit = spec.dataUnits(); unit < spec.units(); unit++) {
      parity.add(node(turn + unit));
    }
    if (spec.kind() == Kind.BROADCAST_WRITE) {
      send(client, parity, costs.blockBytes(), to -> serve(to, client, 0, true, one));
    } else {
      parity.forEach(to -> ask(client, to, costs.blockBytes(), 0, true, one));
    }
  }

  /** What is done where a message has arrived. */
  @FunctionalInterface
  private interface Arrival {
    void at(Host host);
  }

  private void ask(
      Host client, Host node, int requestBytes, int answerBytes, boolean isLogged, Runnable then) {
    send(client, List.of(node), requestBytes, to -> serve(to, client, answerBytes, isLogged, then));
  }

  /** One message, which the network multiplies where there are several receivers. */
  private void send(Host client, List<Host> receivers, int bytes, Arrival arrival) {
    double linkUs = costs.linkUs(HEADER_BYTES + bytes);
    messages++;
    client.processor.serve(
        costs.clientUs(),
        () ->
            client.out.serve(
                linkUs,
                () ->
                    receivers.forEach(
                        to ->
                            time.after(
                                costs.latencyUs(),
                                () -> to.in.serve(linkUs, () -> arrival.at(to))))));
  }

  private void serve(Host node, Host client, int answerBytes, boolean isLogged, Runnable then) {
    Runnable answer = () -> answer(node, client, answerBytes, then);
    node.processor.serve(
        costs.nodeUs(),
        () -> {
          if (isLogged) {
            node.log.commit(answer);
          } else {
            answer.run();
          }
        });
  }

  private void answer(Host node, Host client, int bytes, Runnable then) {
    double linkUs = costs.linkUs(HEADER_BYTES + bytes);
    messages++;
    node.out.serve(
        linkUs,
        () ->
            time.after(
                costs.latencyUs(),
                () ->
                    client.in.serve(linkUs, () -> client.processor.serve(costs.clientUs(), then))));
  }
}

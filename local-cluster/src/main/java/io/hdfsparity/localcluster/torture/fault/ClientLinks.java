/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.torture.fault;

import io.hdfsparity.core.check.Attempts;
import io.hdfsparity.localcluster.ClusterPaths;
import io.hdfsparity.localcluster.Daemon;
import io.hdfsparity.localcluster.DaemonRole;
import io.hdfsparity.localcluster.LocalCluster;
import io.hdfsparity.localcluster.PortMap;
import io.hdfsparity.localcluster.Purpose;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Faults between clients and DataNodes that touch one port, or some connections. The others answer
 * as usual, so that one client is impeded and the next one is not. Needs {@link NodeNetworks}. Used
 * by one thread.
 */
final class ClientLinks {
  /** Less than it takes until an updater settles what another one has left undone. */
  static final long STEP_MS = 700;

  /** One connection is impeded in so many. */
  private static final int ONE_IN = 4;

  private final LocalCluster cluster;
  private final SplittableRandom random;
  private final Consumer<String> log;
  private final List<ReplyLoss> losses = new ArrayList<>();

  /**
   * @param random what decides which connections
   */
  ClientLinks(LocalCluster cluster, SplittableRandom random, Consumer<String> log) {
    this.cluster = cluster;
    this.random = random;
    this.log = log;
  }

  /** Clients that read from a node are cut off, and are refused when they come back. */
  Remedy refuseReaders(int node) throws IOException {
    int port = port(node, Purpose.TRANSFER);
    Remedy remedy = NodeNetworks.refuse(node, port);
    NodeNetworks.breakConnections(node, port, NodeNetworks.clientPorts(node, port));
    return remedy;
  }

  /**
   * Answers to updaters are lost from now on until it is healed, of other connections at each
   * {@link #step}. Requests arrive, and others get their answers: so what was done and not answered
   * is seen by others before it is asked for again.
   */
  Remedy loseReplies(int node) throws IOException {
    ReplyLoss loss = new ReplyLoss(node, port(node, Purpose.UPDATE));
    loss.begin();
    losses.add(loss);
    return () -> {
      losses.remove(loss);
      loss.end();
    };
  }

  /** To be called every {@link #STEP_MS} while there are faults. */
  void step() throws IOException {
    for (ReplyLoss loss : losses) {
      loss.end();
      loss.begin();
    }
  }

  /** Answers that are lost on some connections to a port of a node, until those break. */
  private final class ReplyLoss {
    private final int node;
    private final int port;
    private final Map<Integer, Remedy> byClientPort = new TreeMap<>();

    ReplyLoss(int node, int port) {
      this.node = node;
      this.port = port;
    }

    void begin() throws IOException {
      for (int clientPort : chosen(NodeNetworks.clientPorts(node, port), random)) {
        byClientPort.put(clientPort, NodeNetworks.loseToClient(node, port, clientPort));
      }
    }

    /** The connections break before anything is delivered: answers would only be late. */
    void end() throws IOException {
      Attempts attempts = new Attempts();
      attempts.run(() -> NodeNetworks.breakConnections(node, port, byClientPort.keySet()));
      byClientPort.values().forEach(remedy -> attempts.run(remedy::apply));
      byClientPort.clear();
      attempts.throwFirst();
    }
  }

  /**
   * Holds up what some connections of updaters send to a node. Others reach it, so they may find
   * and settle what is left undone meanwhile.
   */
  Remedy slowLink(int node) throws IOException {
    int port = port(node, Purpose.UPDATE);
    List<Integer> slow = chosen(NodeNetworks.clientPorts(node, port), random);
    log.accept("%d connections to dn%d are slow".formatted(slow.size(), node));
    List<Remedy> remedies = new ArrayList<>();
    for (int clientPort : slow) {
      remedies.add(NodeNetworks.loseFromClient(clientPort, node, port));
    }
    return () -> {
      Attempts attempts = new Attempts();
      remedies.forEach(remedy -> attempts.run(remedy::apply));
      attempts.throwFirst();
    };
  }

  /** Some of them, one at least, unless there is none. */
  static List<Integer> chosen(List<Integer> ports, SplittableRandom random) {
    if (ports.isEmpty()) {
      return List.of();
    }
    int sure = random.nextInt(ports.size());
    List<Integer> chosen = new ArrayList<>();
    for (int i = 0; i < ports.size(); i++) {
      if (random.nextInt(ONE_IN) == 0 || i == sure) {
        chosen.add(ports.get(i));
      }
    }
    return List.copyOf(chosen);
  }

  private int port(int node, Purpose purpose) throws IOException {
    return PortMap.load(new ClusterPaths(cluster.dir()).portsFile())
        .port(new Daemon(DaemonRole.DATANODE, node), purpose);
  }
}

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.EOFException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ha.FailoverController;
import org.apache.hadoop.ha.FailoverFailedException;
import org.apache.hadoop.ha.HAServiceProtocol.RequestSource;
import org.apache.hadoop.ha.HAServiceProtocol.StateChangeRequestInfo;
import org.apache.hadoop.ha.HAServiceProtocolHelper;
import org.apache.hadoop.hdfs.tools.NNHAServiceTarget;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.ipc.RetriableException;

/** Which NameNode of a running cluster is active, and another one made so, as haadmin does. */
final class NameNodes {
  private static final int TIMEOUT_MS = 120_000;

  private final ClusterSpec spec;
  private final PortMap ports;

  NameNodes(ClusterSpec spec, PortMap ports) {
    this.spec = spec;
    this.ports = ports;
  }

  /** The active one; empty when none says so. */
  Optional<Daemon> active() {
    return Daemon.nameNodes(spec).stream().filter(this::isActive).findFirst();
  }

  /** The one to ask: the active one, else the first. */
  Daemon leading() {
    List<Daemon> all = Daemon.nameNodes(spec);
    return all.size() == 1 ? all.get(0) : active().orElse(all.get(0));
  }

  private boolean isActive(Daemon nameNode) {
    try {
      JsonNode status =
          ClusterMetrics.single(
              ports.address(nameNode, Purpose.HTTP), "Hadoop:service=NameNode,name=NameNodeStatus");
      return status.path("State").asText().equals("active");
    } catch (IOException dead) {
      return false;
    }
  }

  /**
   * Makes a NameNode active while the other is a standby or dead; waits until it has started.
   *
   * @param conf a client's
   */
  void activate(Configuration conf, Daemon nameNode) throws IOException {
    Await.until(
        "make " + nameNode.name() + " active",
        Duration.ofMillis(TIMEOUT_MS),
        () -> {
          try {
            HAServiceProtocolHelper.transitionToActive(
                target(conf, nameNode).getProxy(conf, TIMEOUT_MS),
                new StateChangeRequestInfo(RequestSource.REQUEST_BY_USER));
            return Optional.empty();
          } catch (RemoteException e) {
            if (!e.getClassName().equals(RetriableException.class.getName())) {
              throw e;
            }
            return Optional.of(e.getMessage());
          } catch (EOFException e) {
            // A pooled connection to a process that had the port before; asked twice does no harm.
            return Optional.of(String.valueOf(e.getMessage()));
          }
        });
  }

  /**
   * Makes a NameNode active and the other, if it lives, a standby.
   *
   * @param conf a client's
   * @throws IOException when the one is not a standby that is out of safe mode
   */
  void failOver(Configuration conf, Daemon to) throws IOException {
    Daemon from =
        Daemon.nameNodes(spec).stream().filter(each -> !each.equals(to)).findFirst().orElseThrow();
    try {
      new FailoverController(conf, RequestSource.REQUEST_BY_USER)
          .failover(target(conf, from), target(conf, to), false, false);
    } catch (FailoverFailedException e) {
      throw new IOException(
          "Cannot fail over: to=" + to.name() + ", expected a standby that is ready: " + e, e);
    }
  }

  private static NNHAServiceTarget target(Configuration conf, Daemon nameNode) {
    return new NNHAServiceTarget(conf, NameNodeKeys.NAMESERVICE, nameNode.name());
  }
}

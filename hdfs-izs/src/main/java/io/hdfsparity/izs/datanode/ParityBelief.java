/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.datanode;

import io.hdfsparity.bridge.datanode.RebuildTask;
import io.hdfsparity.bridge.wire.NameNodeServer;
import io.hdfsparity.core.check.ErrorMessage;
import io.hdfsparity.izs.config.VerifyOptions;
import io.hdfsparity.izs.wire.LevelManagers;
import java.io.IOException;
import java.net.ConnectException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.security.SecurityUtil;
import org.apache.hadoop.util.Time;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether units may be rebuilt from parity that nothing else vouches for. A NameNode that has just
 * started takes units for lost whose DataNodes have not reported yet; if parity is wrong, what is
 * made of it would be wrong, and stay. So the level manager is asked whether it was verified.
 *
 * <p>Where no NameNode has a level manager nothing is verified, and parity is believed. So it is
 * where none has said yes or no for {@code dfs.parity.izs.verify.rebuild.wait}, as when that of the
 * active NameNode has failed: a manager that is there would say yes by then, and refusing for good
 * would give up the data. Thread-safe.
 *
 * @param managers empty: the configuration names none
 */
record ParityBelief(List<Manager> managers, ManagerSilence silence) {
  private static final Logger LOG = LoggerFactory.getLogger(ParityBelief.class);

  /** What a level manager is asked. */
  @FunctionalInterface
  interface Question {
    /**
     * Whether unverified parity may be believed by now, or this one is verified.
     *
     * @throws ConnectException when there is no manager
     * @throws IOException when it cannot say
     */
    boolean mayBelieve(String blockPool, long groupId) throws IOException;
  }

  /** A level manager, and its address for messages. */
  record Manager(String address, Question question) {}

  ParityBelief {
    managers = List.copyOf(managers);
  }

  /** Of a DataNode's configuration. */
  static ParityBelief of(DataNode datanode) {
    List<Manager> found = new ArrayList<>();
    try {
      LevelManagers managers = LevelManagers.all(datanode.getConf());
      for (NameNodeServer server : managers.servers()) {
        found.add(
            new Manager(
                server.address().toString(),
                (pool, groupId) -> ask(datanode, managers, server, pool, groupId)));
      }
    } catch (IOException | IllegalArgumentException e) {
      LOG.info("Parity is believed unverified: {}", e.toString());
      found.clear();
    }
    return new ParityBelief(
        found, new ManagerSilence(waitMs(datanode.getConf()), Time::monotonicNow));
  }

  private static long waitMs(Configuration conf) {
    try {
      return VerifyOptions.rebuildWaitMs(conf);
    } catch (IllegalArgumentException e) {
      LOG.error("Unverified parity is believed only where a NameNode says so", e);
      return Long.MAX_VALUE;
    }
  }

  private static boolean ask(
      DataNode datanode, LevelManagers managers, NameNodeServer server, String pool, long groupId)
      throws IOException {
    String uuid = Objects.requireNonNullElse(datanode.getDatanodeUuid(), "");
    return SecurityUtil.doAsLoginUser(
        () -> managers.call(server, manager -> manager.mayBelieveParity(uuid, pool, groupId)));
  }

  /**
   * Returns when it may.
   *
   * @throws IOException when it may not now; HDFS orders the rebuild again
   */
  void require(RebuildTask task) throws IOException {
    require(task.blockGroup(), task.targetUnits());
  }

  /** The same of the units of a group. */
  void require(ExtendedBlock group, List<Integer> units) throws IOException {
    String pool = group.getBlockPoolId();
    List<String> answers = new ArrayList<>();
    for (Manager manager : managers) {
      boolean mayBelieve;
      try {
        mayBelieve = manager.question().mayBelieve(pool, group.getBlockId());
      } catch (ConnectException e) {
        LOG.debug("No level manager at {}", manager.address(), e);
        continue;
      } catch (IOException e) {
        answers.add(
            manager.address()
                + ": "
                + String.valueOf(e.getMessage()).lines().findFirst().orElse(""));
        continue;
      }
      silence.end(pool);
      if (mayBelieve) {
        return;
      }
      answers.add("not verified");
      throw refused(group, units, answers);
    }
    if (answers.isEmpty()) {
      return;
    }
    if (!silence.outlasts(pool)) {
      throw refused(group, units, answers);
    }
    LOG.warn(
        "Units {} of {} are rebuilt from parity that nobody vouches for: no level manager has said"
            + " for dfs.parity.izs.verify.rebuild.wait whether it was verified: {}",
        units,
        group,
        answers);
  }

  private static IOException refused(
      ExtendedBlock group, List<Integer> units, List<String> answers) {
    return new IOException(
        ErrorMessage.to("rebuild units " + units)
            .value("parity", String.join("; ", answers))
            .expected(
                "one that was verified, or one more unit to compare with; it is tried again, and"
                    + " done once the NameNode has been active, or no level manager has said yes or"
                    + " no, for dfs.parity.izs.verify.rebuild.wait, unless verification has found"
                    + " that parity and data contradict each other")
            .where("group", group)
            .message());
  }
}

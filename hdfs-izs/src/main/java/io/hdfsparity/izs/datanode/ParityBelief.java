/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.datanode;

import io.hdfsparity.bridge.wire.NameNodeServer;
import io.hdfsparity.core.check.ErrorMessage;
import io.hdfsparity.izs.config.VerifyOptions;
import io.hdfsparity.izs.wire.LevelManagers;
import java.io.IOException;
import java.net.ConnectException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.security.SecurityUtil;
import org.apache.hadoop.util.Time;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether data units may be rebuilt from parity. A NameNode that has just started takes units for
 * lost whose DataNodes have not reported yet; if parity is wrong, what is made of it would be
 * wrong, and stay. Nor may that be where parity and data were found to contradict each other. So
 * the level manager is asked whether it was verified: the one first that has said yes or no last,
 * so that one that does not answer holds up one repair, and each question takes {@link
 * #MAX_TIMEOUT_MS} a manager at most.
 *
 * <p>Where no NameNode has a level manager nothing is verified, and parity is believed. So it is
 * where none has said yes or no for {@code dfs.parity.izs.verify.rebuild.wait}, as when that of the
 * active NameNode has failed: a manager that is there would say yes by then, and refusing for good
 * would give up the data. Thread-safe.
 */
final class ParityBelief {
  private static final Logger LOG = LoggerFactory.getLogger(ParityBelief.class);

  /** It says what it has in memory. */
  private static final int MAX_TIMEOUT_MS = 10_000;

  private final List<Manager> managers;
  private final ManagerSilence silence;

  /** Who has said yes or no last, by block pool. */
  private final Map<String, Manager> answered = new ConcurrentHashMap<>();

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

  /** What was said of a group. */
  private enum Verdict {
    BELIEVED,
    DENIED,
    /** No manager has said yes or no. */
    UNKNOWN,
    /** And none has for long. */
    UNKNOWN_FOR_LONG
  }

  /** What level managers have said of a group. Immutable. */
  static final class Opinion {
    private final Verdict verdict;
    private final List<String> answers;

    private Opinion(Verdict verdict, List<String> answers) {
      this.verdict = verdict;
      this.answers = List.copyOf(answers);
    }

    /**
     * Whether parity is known to fit, or not to be verified at all. If not, all of it is to be
     * compared before it is used.
     */
    boolean isBelieved() {
      return verdict == Verdict.BELIEVED;
    }

    /**
     * Returns when units of the group may be rebuilt with nothing to compare.
     *
     * @throws IOException when they may not now; HDFS orders the rebuild again
     */
    void require(ExtendedBlock group, List<Integer> units) throws IOException {
      switch (verdict) {
        case BELIEVED -> {}
        case DENIED, UNKNOWN -> throw refused(group, units, answers);
        case UNKNOWN_FOR_LONG ->
            LOG.warn(
                "Units {} of {} are rebuilt from parity that nobody vouches for: no level manager"
                    + " has said for dfs.parity.izs.verify.rebuild.wait whether it was verified:"
                    + " {}",
                units,
                group,
                answers);
      }
    }
  }

  /**
   * @param managers empty: the configuration names none
   */
  ParityBelief(List<Manager> managers, ManagerSilence silence) {
    this.managers = List.copyOf(managers);
    this.silence = silence;
  }

  /** Of a DataNode's configuration. */
  static ParityBelief of(DataNode datanode) {
    List<Manager> found = new ArrayList<>();
    try {
      LevelManagers managers = LevelManagers.all(datanode.getConf()).within(MAX_TIMEOUT_MS);
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

  /** Asks whether the parity of a group may be believed. */
  Opinion ask(ExtendedBlock group) {
    String pool = group.getBlockPoolId();
    List<String> answers = new ArrayList<>();
    for (Manager manager : inOrder(pool)) {
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
      answered.put(pool, manager);
      return mayBelieve
          ? new Opinion(Verdict.BELIEVED, List.of())
          : new Opinion(Verdict.DENIED, List.of("not verified"));
    }
    if (answers.isEmpty() && answered.containsKey(pool)) {
      // It is being restarted, or its feature is.
      answers.add("no level manager any more");
    }
    if (answers.isEmpty()) {
      return new Opinion(Verdict.BELIEVED, List.of());
    }
    return new Opinion(
        silence.outlasts(pool) ? Verdict.UNKNOWN_FOR_LONG : Verdict.UNKNOWN, answers);
  }

  private List<Manager> inOrder(String pool) {
    Manager first = answered.get(pool);
    if (first == null) {
      return managers;
    }
    List<Manager> ordered = new ArrayList<>(managers);
    ordered.remove(first);
    ordered.add(0, first);
    return ordered;
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

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.datanode;

import io.hdfsparity.bridge.datanode.RebuildTask;
import io.hdfsparity.bridge.wire.NameNodeServer;
import io.hdfsparity.core.check.ErrorMessage;
import io.hdfsparity.izs.wire.LevelManagers;
import java.io.IOException;
import java.net.ConnectException;
import java.util.Objects;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.security.SecurityUtil;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether units may be rebuilt from parity that nothing else vouches for. A NameNode that has just
 * started takes units for lost whose DataNodes have not reported yet; if parity is wrong, what is
 * made of it would be wrong, and stay. So the level manager is asked whether it was verified.
 *
 * <p>Where no NameNode has a level manager nothing is verified, and parity is believed. Immutable,
 * thread-safe.
 *
 * @param managers null: the configuration names none
 */
record ParityBelief(DataNode datanode, @Nullable LevelManagers managers) {
  private static final Logger LOG = LoggerFactory.getLogger(ParityBelief.class);

  /** Of a DataNode's configuration. */
  static ParityBelief of(DataNode datanode) {
    try {
      return new ParityBelief(datanode, LevelManagers.all(datanode.getConf()));
    } catch (IOException | IllegalArgumentException e) {
      LOG.info("Parity is believed unverified: {}", e.toString());
      return new ParityBelief(datanode, null);
    }
  }

  /**
   * Returns when it may.
   *
   * @throws IOException when it may not now; HDFS orders the rebuild again
   */
  void require(RebuildTask task) throws IOException {
    if (managers == null) {
      return;
    }
    String uuid = Objects.requireNonNullElse(datanode.getDatanodeUuid(), "");
    String pool = task.blockGroup().getBlockPoolId();
    long groupId = task.blockGroup().getBlockId();
    StringBuilder answers = new StringBuilder();
    for (NameNodeServer server : managers.servers()) {
      try {
        boolean mayBelieve =
            SecurityUtil.doAsLoginUser(
                () ->
                    managers.call(
                        server, manager -> manager.mayBelieveParity(uuid, pool, groupId)));
        if (mayBelieve) {
          return;
        }
        answers.append(answers.length() == 0 ? "" : "; ").append("not verified");
        break;
      } catch (ConnectException e) {
        LOG.debug("No level manager at {}", server.address(), e);
      } catch (IOException e) {
        answers.append(answers.length() == 0 ? "" : "; ").append(server.address()).append(": ");
        answers.append(String.valueOf(e.getMessage()).lines().findFirst().orElse(""));
      }
    }
    if (answers.length() > 0) {
      throw refused(task, answers);
    }
  }

  private static IOException refused(RebuildTask task, Object parity) {
    return new IOException(
        ErrorMessage.to("rebuild units " + task.targetUnits())
            .value("parity", parity)
            .expected(
                "one that was verified, or one more unit to compare with; it is tried again, and"
                    + " done in any case once the NameNode has been active for"
                    + " dfs.parity.izs.verify.rebuild.wait")
            .where("group", task.blockGroup())
            .message());
  }
}

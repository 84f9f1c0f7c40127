/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.torture;

import io.hdfsparity.ecupdate.updater.SessionOverException;
import io.hdfsparity.localcluster.LocalCluster;
import io.hdfsparity.localcluster.torture.history.HistoryLog;
import io.hdfsparity.localcluster.torture.history.Operation;
import io.hdfsparity.localcluster.torture.history.OperationKind;
import io.hdfsparity.localcluster.torture.plan.Schedule;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/**
 * What workloads need of a run. Immutable.
 *
 * @param cluster that runs
 * @param schedule what is run
 * @param history where operations are written down
 */
record Site(LocalCluster cluster, Schedule schedule, HistoryLog history) {
  private static final int SOCKET_TIMEOUT_MS = 8_000;

  /** A client's configuration: it does not wait long for a process that is stopped. */
  Configuration conf() throws IOException {
    return impatient(cluster.conf());
  }

  /** A client of the suite; to be closed. */
  FileSystem suiteClient() throws IOException {
    return FileSystem.newInstance(conf());
  }

  /** Hadoop's own client; to be closed. */
  DistributedFileSystem stockClient() throws IOException {
    return (DistributedFileSystem) FileSystem.newInstance(impatient(cluster.stockConf()));
  }

  /** A read. */
  interface Reading {
    /** What was found, as {@link OperationKind} says. */
    String value() throws IOException;
  }

  /**
   * Reads, and writes it down.
   *
   * @return whether there was an answer
   * @throws SessionOverException if the session is over by which it is read
   * @throws IOException if it cannot be written down
   */
  boolean read(String client, OperationKind kind, String object, Reading reading)
      throws IOException {
    Operation begun = history.begin(client, kind, object, "");
    String found;
    try {
      found = reading.value();
    } catch (IOException e) {
      history.fail(begun);
      throwIfOver(e);
      return false;
    }
    history.answer(begun, found);
    return true;
  }

  static void throwIfOver(IOException e) throws SessionOverException {
    if (e instanceof SessionOverException over) {
      throw over;
    }
  }

  private static Configuration impatient(Configuration conf) {
    conf.setInt("dfs.client.socket-timeout", SOCKET_TIMEOUT_MS);
    conf.setInt("dfs.client.retry.window.base", 300);
    // Whoever ends this program has the cluster ended too: nothing is to be flushed to it.
    conf.set("fs.automatic.close", "false");
    return conf;
  }
}

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.config;

import io.hdfsparity.bridge.datanode.DatasetHooks;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;

/** Keys that belong to no feature alone. */
public enum SuiteKey implements ConfigKey {
  FEATURES(
      "dfs.parity.features",
      ValueForm.FEATURES,
      "",
      Set.of(KeyUser.NAMENODE, KeyUser.DATANODE),
      "Features that a daemon starts: raidp, izs, ecupdate, caso. Without it, those whose jars are on"
          + " the class path and whose settings are there. A listed feature that lacks a setting, and"
          + " an unknown name, are errors: what is meant to be on fails closed. The name of a class"
          + " takes the place of the feature that the class extends."),
  NAMENODE_RPC_ADDRESS(
      "dfs.parity.namenode.rpc-address",
      ValueForm.ADDRESS,
      "0.0.0.0:9876",
      Set.of(KeyUser.NAMENODE, KeyUser.DATANODE, KeyUser.LSTOR, KeyUser.CLIENT, KeyUser.COMMAND),
      "Where the suite's server in the NameNode listens, for all features. With 0.0.0.0 it listens"
          + " where the NameNode's own RPC server does, and clients take the host of the NameNode's"
          + " RPC address. With several NameNodes: one key each, followed by"
          + " .<nameservice>.<namenode id>, or one port for all."),
  NAMENODE_HANDLER_COUNT(
      "dfs.parity.namenode.handler.count",
      ValueForm.COUNT,
      "20",
      Set.of(KeyUser.NAMENODE),
      "RPC handlers of the suite's server in the NameNode. They serve calls of daemons. As many"
          + " other threads serve users, and as many superusers and administrators."),
  REPLICAS_ONLY_CLIENTS(
      "dfs.parity.namenode.replicas-only.clients",
      ValueForm.TEXT,
      "go-hdfs-",
      Set.of(KeyUser.NAMENODE),
      "Clients that write replicas only: beginnings of the names of their lease holders, separated by"
          + " commas. They are refused to create erasure-coded files and to append to them. Such a"
          + " client writes a replica to every DataNode of a block group: a file of more than a cell"
          + " cannot be closed and cannot be read. By default: github.com/colinmarc/hdfs, in Go."),
  DATANODE_RPC_ADDRESS(
      "dfs.parity.datanode.rpc-address",
      ValueForm.ADDRESS,
      "0.0.0.0:9877",
      Set.of(KeyUser.DATANODE, KeyUser.COMMAND),
      "Where the suite's server in the DataNode listens, for all features. With 0.0.0.0 it listens"
          + " where the DataNode's own RPC server does. Features learn the port from the NameNode, so"
          + " that it may be 0 for any. \"hdfs parity\" takes the port for that of all DataNodes whose"
          + " port no NameNode knows."),
  DATANODE_HANDLER_COUNT(
      "dfs.parity.datanode.handler.count",
      ValueForm.COUNT,
      "16",
      Set.of(KeyUser.DATANODE),
      "RPC handlers of the suite's server in the DataNode. They serve calls of daemons. As many"
          + " other threads serve superusers and administrators."),
  DATASET_HOOKS(
      DatasetHooks.CLASSES_KEY,
      ValueForm.CLASSES,
      "",
      Set.of(KeyUser.DATANODE),
      "Features that take part in the DataNode's dataset, in that order:"
          + " io.hdfsparity.raidp.datanode.RaidpDatasetHooks,"
          + " io.hdfsparity.ecupdate.datanode.EcUpdateDatasetHooks.");

  /** Maximum number of handlers of a server. */
  public static final int MAX_HANDLERS = 1000;

  private final KeySpec spec;

  SuiteKey(String name, ValueForm form, String defaultValue, Set<KeyUser> users, String meaning) {
    spec = new KeySpec(name, form, defaultValue, users, meaning);
  }

  /**
   * Reads these keys.
   *
   * @throws IllegalArgumentException naming a key that looks like one of these and is none
   */
  public static KeyReader reader(Configuration conf) {
    KeyReader keys = new KeyReader(conf);
    keys.refuseUnknown(
        List.of(SUITE_PREFIX + "feature", SUITE_PREFIX + "namenode.", SUITE_PREFIX + "datanode."),
        List.of(values()),
        Set.of(NAMENODE_RPC_ADDRESS));
    return keys;
  }

  @Override
  public KeySpec spec() {
    return spec;
  }
}

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.datanode;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;

/**
 * Tells the dataset's hooks whether the DataNode's plugin is in service. HDFS makes the two apart
 * from each other and gives them nothing in common but the DataNode, so the word is passed in its
 * Configuration object, which every DataNode has of its own; the value names the DataNode object,
 * so that a site file cannot stand in for the plugin.
 */
final class PluginGate implements FrameEngine.WriteGate {
  private static final String KEY = "dfs.parity.internal.raidp.plugin";

  private final Configuration conf;
  private final String token;

  PluginGate(Configuration conf, Object datanode) {
    this.conf = conf;
    this.token = "in service in DataNode " + Integer.toHexString(System.identityHashCode(datanode));
  }

  void open() {
    conf.set(KEY, token);
  }

  void close() {
    conf.unset(KEY);
  }

  boolean isOpen() {
    return token.equals(conf.getRaw(KEY));
  }

  @Override
  public void requireOpen() throws IOException {
    if (!isOpen()) {
      throw new IOException(
          "Cannot write: raidpPlugin=not in service, expected dfs.datanode.plugins to name "
              + RaidpDataNodePlugin.class.getName()
              + " and its start to have succeeded (see the DataNode's log)");
    }
  }
}

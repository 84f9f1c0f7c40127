/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.status;

import io.hdfsparity.bridge.config.ConfigKey;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;

/**
 * Keys whose values a daemon tells administrators: those of the suite that are set, and a fixed
 * list of Hadoop's that it depends on. None is a secret; a name that sounds like one is left out
 * whatever it is. Stateless.
 */
public final class ReportedKeys {
  /** Of Hadoop, with their defaults where they are not set. */
  static final List<String> OF_HADOOP =
      List.of(
          "dfs.block.access.token.enable",
          "dfs.block.placement.ec.classname",
          "dfs.block.replicator.classname",
          "dfs.data.transfer.protection",
          "dfs.datanode.fsdataset.factory",
          "dfs.datanode.plugins",
          "dfs.encrypt.data.transfer",
          "dfs.namenode.audit.loggers",
          "dfs.namenode.plugins",
          "dfs.permissions.enabled",
          "dfs.replication",
          "fs.hdfs.impl",
          "hadoop.rpc.protection",
          "hadoop.security.authentication",
          "hadoop.security.authorization");

  /** What features tell each other within a daemon. */
  private static final String INTERNAL = ConfigKey.SUITE_PREFIX + "internal.";

  private static final List<String> SECRET = List.of("password", "secret", "credential", "keytab");

  private ReportedKeys() {}

  /** By name, in the order of names. */
  public static Map<String, String> of(Configuration conf) {
    Map<String, String> values = new TreeMap<>();
    Stream<String> ours =
        conf.getPropsWithPrefix(ConfigKey.SUITE_PREFIX).keySet().stream()
            .map(name -> ConfigKey.SUITE_PREFIX + name);
    Stream.concat(ours, OF_HADOOP.stream())
        .filter(name -> !name.startsWith(INTERNAL))
        .filter(name -> SECRET.stream().noneMatch(name.toLowerCase(Locale.ROOT)::contains))
        .forEach(
            name -> {
              String value = conf.getTrimmed(name);
              if (value != null) {
                values.put(name, value);
              }
            });
    return values;
  }
}

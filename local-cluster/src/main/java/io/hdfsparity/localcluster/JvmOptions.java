/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * JVM options of daemons: small heaps, a collector without threads of its own, and what Hadoop
 * opens on Java 17. Further ones come from the cluster's properties {@code
 * dfs.parity.cluster.jvm.options} (all daemons) and {@code
 * dfs.parity.cluster.jvm.options.namenode|journalnode|datanode|lstor|resourcemanager|jobhistory|nodemanager};
 * the last one given counts. Those of the system property {@code dfs.parity.cluster.jvm.options} of
 * the JVM that starts the daemons come before.
 */
final class JvmOptions {
  static final String KEY = "dfs.parity.cluster.jvm.options";

  private static final List<String> COMMON =
      List.of(
          "-XX:+UseSerialGC",
          "-XX:-UsePerfData",
          "-XX:+ExitOnOutOfMemoryError",
          "-Djava.net.preferIPv4Stack=true",
          "--add-opens=java.base/java.lang=ALL-UNNAMED",
          "--add-opens=java.base/java.nio=ALL-UNNAMED",
          "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED");

  private JvmOptions() {}

  static List<String> of(ClusterSpec spec, DaemonRole role) {
    List<String> options = new ArrayList<>(COMMON);
    options.add(
        switch (role) {
          case NAMENODE, PAIRED_NAMENODE -> "-Xmx384m";
          case JOURNALNODE -> "-Xmx128m";
          case DATANODE -> "-Xmx256m";
          case LSTOR -> "-Xmx128m";
          case RESOURCEMANAGER, JOBHISTORY, NODEMANAGER -> "-Xmx256m";
        });
    options.addAll(split(System.getProperty(KEY, "")));
    options.addAll(split(spec.conf().getOrDefault(KEY, "")));
    options.addAll(split(spec.conf().getOrDefault(KEY + "." + label(role), "")));
    return options;
  }

  private static String label(DaemonRole role) {
    DaemonRole shown = role.isNameNode() ? DaemonRole.NAMENODE : role;
    return shown.name().toLowerCase(Locale.ROOT);
  }

  private static List<String> split(String text) {
    return text.isBlank() ? List.of() : List.of(text.trim().split("\\s+"));
  }
}

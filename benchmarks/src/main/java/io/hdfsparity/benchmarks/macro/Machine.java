/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.macro;

import java.util.LinkedHashMap;
import java.util.Map;

/** Where a benchmark runs, as {@code bin/hdfs-parity-bench} says it in system properties. */
public final class Machine {
  private Machine() {}

  /** Whether the benchmark has a network namespace of its own, so that {@link Wire} can count. */
  public static boolean ownNetwork() {
    return Boolean.getBoolean("benchmark.own.network");
  }

  /** Rate of the link into (and out of) every node in Mbit/s; 0: not limited. */
  public static int linkMbit() {
    return Integer.getInteger("benchmark.link.mbit", 0);
  }

  /** One line for tables. */
  public static String links() {
    return linkMbit() == 0 ? "links not limited" : "links of " + linkMbit() + " Mbit/s a node";
  }

  /** The first entries of every result file. */
  public static Map<String, Object> describe(String benchmark, String paper) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("benchmark", benchmark);
    json.put("paper", paper);
    json.put("java", System.getProperty("java.vm.name") + " " + System.getProperty("java.version"));
    json.put("processors", Runtime.getRuntime().availableProcessors());
    json.put("cpu", System.getProperty("benchmark.cpu", "unknown"));
    json.put("commit", System.getProperty("benchmark.commit", "unknown"));
    json.put("linkMbit", linkMbit());
    json.put("ownNetwork", ownNetwork());
    return json;
  }
}

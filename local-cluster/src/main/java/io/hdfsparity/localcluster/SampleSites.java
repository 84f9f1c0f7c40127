/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster;

import java.net.URL;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;

/**
 * The samples of {@code conf/} that a cluster is made of: whoever uses these gets what runs here.
 * Immutable.
 *
 * @param daemons names and values of the mode's sample, for every process; none in a stock cluster
 * @param client those of {@code core-site-client.xml}, for clients with the suite's jars
 */
record SampleSites(Map<String, String> daemons, Map<String, String> client) {

  SampleSites {
    daemons = Map.copyOf(daemons);
    client = Map.copyOf(client);
  }

  /** Reads those of a mode from the class path. */
  static SampleSites of(ClusterMode mode) {
    boolean hasFileSystem = mode.hasRaidp() || mode.hasIzs() || mode.hasCaso();
    return new SampleSites(
        mode.sample().map(SampleSites::read).orElse(Map.of()),
        hasFileSystem ? read("core-site-client.xml") : Map.of());
  }

  private static Map<String, String> read(String name) {
    URL file = SampleSites.class.getResource("/" + name);
    if (file == null) {
      throw new IllegalStateException(
          "Cannot read a sample: resource=" + name + ", expected it on the class path");
    }
    Configuration conf = new Configuration(false);
    conf.addResource(file);
    Map<String, String> values = new TreeMap<>();
    conf.forEach(each -> values.put(each.getKey(), each.getValue()));
    return values;
  }
}

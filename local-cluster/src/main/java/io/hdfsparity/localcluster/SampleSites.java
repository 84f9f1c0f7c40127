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
 * The samples of {@code conf/} that a cluster with all features is made of. Immutable.
 *
 * @param all names and values of {@code hdfs-site-all.xml}, for every process
 * @param raidp those of {@code hdfs-site-raidp.xml}, which RAIDP's nodes take after it
 */
record SampleSites(Map<String, String> all, Map<String, String> raidp) {
  SampleSites {
    all = Map.copyOf(all);
    raidp = Map.copyOf(raidp);
  }

  /** Reads them from the class path. */
  static SampleSites load() {
    return new SampleSites(read("hdfs-site-all.xml"), read("hdfs-site-raidp.xml"));
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

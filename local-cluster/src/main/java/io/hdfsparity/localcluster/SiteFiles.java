/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;

/**
 * Writes the site files of a process. They go into a folder, for people, and into a jar, for the
 * class path: a class data archive of the JVM cannot be used with folders on the class path.
 */
final class SiteFiles {
  private static final String CORE = "core-site.xml";
  private static final String HDFS = "hdfs-site.xml";

  private static final String YARN = "yarn-site.xml";
  private static final String MAPRED = "mapred-site.xml";

  /**
   * /jmx shows values that are as old as a metrics period, 10 s by default; tests and benchmarks
   * want them now.
   */
  private static final String METRICS = "hadoop-metrics2.properties";

  private static final String METRICS_TEXT = "*.periodMillis=50\n";

  private SiteFiles() {}

  /** Writes the site files and the properties of metrics of a process. */
  static void write(ClusterPaths paths, String name, Map<String, String> properties)
      throws IOException {
    Map<String, Map<String, String>> sites = new TreeMap<>();
    sites.put(CORE, new TreeMap<>());
    sites.put(HDFS, new TreeMap<>());
    properties.forEach(
        (key, value) -> sites.computeIfAbsent(site(key), each -> new TreeMap<>()).put(key, value));
    Map<String, byte[]> files = new TreeMap<>();
    sites.forEach((file, site) -> files.put(file, xml(site)));
    files.put(METRICS, METRICS_TEXT.getBytes(StandardCharsets.UTF_8));
    Path dir = Files.createDirectories(paths.confDir(name));
    for (Map.Entry<String, byte[]> file : files.entrySet()) {
      Files.write(dir.resolve(file.getKey()), file.getValue());
    }
    // A new file each time: a JVM that runs still has the old one mapped.
    Path next = dir.resolveSibling(name + ".jar.new");
    try (OutputStream out = Files.newOutputStream(next);
        JarOutputStream jar = new JarOutputStream(out)) {
      for (Map.Entry<String, byte[]> file : files.entrySet()) {
        entry(jar, file.getKey(), file.getValue());
      }
    }
    Files.move(
        next,
        paths.confJar(name),
        StandardCopyOption.ATOMIC_MOVE,
        StandardCopyOption.REPLACE_EXISTING);
  }

  /** The file that a property is read from last: Hadoop's defaults of it come before. */
  private static String site(String key) {
    if (key.startsWith("dfs.")) {
      return HDFS;
    }
    if (key.startsWith("mapreduce.") || key.startsWith("yarn.app.mapreduce.")) {
      return MAPRED;
    }
    return key.startsWith("yarn.") ? YARN : CORE;
  }

  private static void entry(JarOutputStream jar, String name, byte[] bytes) throws IOException {
    jar.putNextEntry(new JarEntry(name));
    jar.write(bytes);
    jar.closeEntry();
  }

  private static byte[] xml(Map<String, String> properties) {
    StringBuilder out =
        new StringBuilder("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<configuration>\n");
    properties.forEach(
        (key, value) ->
            out.append("  <property><name>")
                .append(escape(key))
                .append("</name><value>")
                .append(escape(value))
                .append("</value></property>\n"));
    return out.append("</configuration>\n").toString().getBytes(StandardCharsets.UTF_8);
  }

  private static String escape(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}

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

  /**
   * /jmx shows values that are as old as a metrics period, 10 s by default; tests and benchmarks
   * want them now.
   */
  private static final String METRICS = "hadoop-metrics2.properties";

  private static final String METRICS_TEXT = "*.periodMillis=50\n";

  private SiteFiles() {}

  /** Writes core-site.xml, hdfs-site.xml and the properties of metrics of a process. */
  static void write(ClusterPaths paths, String name, Map<String, String> properties)
      throws IOException {
    Map<String, String> core = new TreeMap<>();
    Map<String, String> hdfs = new TreeMap<>();
    properties.forEach((key, value) -> (isHdfs(key) ? hdfs : core).put(key, value));
    Path dir = Files.createDirectories(paths.confDir(name));
    byte[] coreXml = xml(core);
    byte[] hdfsXml = xml(hdfs);
    Files.write(dir.resolve(CORE), coreXml);
    Files.write(dir.resolve(HDFS), hdfsXml);
    Files.writeString(dir.resolve(METRICS), METRICS_TEXT);
    // A new file each time: a JVM that runs still has the old one mapped.
    Path next = dir.resolveSibling(name + ".jar.new");
    try (OutputStream out = Files.newOutputStream(next);
        JarOutputStream jar = new JarOutputStream(out)) {
      entry(jar, CORE, coreXml);
      entry(jar, HDFS, hdfsXml);
      entry(jar, METRICS, METRICS_TEXT.getBytes(StandardCharsets.UTF_8));
    }
    Files.move(
        next,
        paths.confJar(name),
        StandardCopyOption.ATOMIC_MOVE,
        StandardCopyOption.REPLACE_EXISTING);
  }

  private static boolean isHdfs(String key) {
    return key.startsWith("dfs.");
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

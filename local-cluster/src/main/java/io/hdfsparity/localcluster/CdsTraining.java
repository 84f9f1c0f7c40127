/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;

/**
 * Loads the classes that daemons load when they start, by being a NameNode with a DataNode for a
 * moment. Run by {@link RuntimeImage} with {@code -XX:ArchiveClassesAtExit}.
 */
public final class CdsTraining {
  private static final List<String> OWN_PACKAGES =
      List.of("io/hdfsparity/", "org/apache/hadoop/hdfs/server/");

  private CdsTraining() {}

  /** The one argument is a folder for the files of the small cluster. */
  public static void main(String[] args) {
    int exitCode = 0;
    try {
      train(Path.of(args[0]));
    } catch (IOException | RuntimeException e) {
      System.err.println("Training failed: " + stackTrace(e));
      exitCode = 1;
    }
    // Hadoop leaves threads behind that would keep the JVM alive.
    System.exit(exitCode);
  }

  private static void train(Path dir) throws IOException {
    // Both daemons register metrics of the same names here, which only the mode for tests of Hadoop
    // allows.
    DefaultMetricsSystem.setMiniClusterMode(true);
    loadOwnClasses();
    Configuration conf = new HdfsConfiguration();
    conf.set("fs.defaultFS", "hdfs://127.0.0.1:0");
    conf.set("hadoop.tmp.dir", dir.resolve("tmp").toString());
    conf.set("dfs.namenode.name.dir", dir.resolve("nn").toUri().toString());
    conf.set("dfs.namenode.rpc-address", "127.0.0.1:0");
    conf.set("dfs.namenode.http-address", "127.0.0.1:0");
    conf.set("dfs.datanode.data.dir", dir.resolve("dn").toUri().toString());
    conf.set("dfs.datanode.address", "127.0.0.1:0");
    conf.set("dfs.datanode.ipc.address", "127.0.0.1:0");
    conf.set("dfs.datanode.http.address", "127.0.0.1:0");
    conf.set("dfs.replication", "1");
    conf.set("dfs.heartbeat.interval", "1");
    conf.set("net.topology.node.switch.mapping.impl", "org.apache.hadoop.net.TableMapping");
    conf.set(
        "fs.getspaceused.classname",
        "org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.ReplicaCachingGetSpaceUsed");
    Files.createDirectories(dir);
    NameNode.format(conf);
    NameNode nameNode = NameNode.createNameNode(new String[0], conf);
    conf.set("fs.defaultFS", "hdfs://127.0.0.1:" + nameNode.getNameNodeAddress().getPort());
    conf.set("dfs.namenode.rpc-address", "127.0.0.1:" + nameNode.getNameNodeAddress().getPort());
    DataNode dataNode = DataNode.createDataNode(new String[0], conf);
    try {
      String http = "127.0.0.1:" + nameNode.getHttpAddress().getPort();
      Await.until("train", Duration.ofMinutes(3), () -> Readiness.nameNodeMissing(http, 1));
      writeAndRead(conf);
    } finally {
      dataNode.shutdown();
      nameNode.stop();
    }
  }

  private static String stackTrace(Exception e) {
    StringWriter text = new StringWriter();
    e.printStackTrace(new PrintWriter(text, true));
    return text.toString();
  }

  private static void writeAndRead(Configuration conf) throws IOException {
    org.apache.hadoop.fs.Path file = new org.apache.hadoop.fs.Path("/training");
    try (FileSystem fs = FileSystem.get(conf)) {
      try (FSDataOutputStream out = fs.create(file)) {
        out.write(new byte[1 << 16]);
      }
      try (FSDataInputStream in = fs.open(file)) {
        in.readFully(new byte[1 << 16]);
      }
      fs.delete(file, false);
    }
  }

  /**
   * The suite's own classes are few; they are taken from jars that hold some and are not Hadoop's.
   */
  private static void loadOwnClasses() throws IOException {
    for (Path jar : RuntimeImage.ownClassPath()) {
      try (JarFile file = new JarFile(jar.toFile())) {
        if (file.getEntry("io/hdfsparity/") == null
            && file.stream().noneMatch(CdsTraining::isOwn)) {
          continue;
        }
        for (JarEntry entry : Collections.list(file.entries())) {
          if (entry.getName().endsWith(".class")
              && OWN_PACKAGES.stream().anyMatch(entry.getName()::startsWith)) {
            load(entry.getName().substring(0, entry.getName().length() - 6).replace('/', '.'));
          }
        }
      }
    }
  }

  private static boolean isOwn(JarEntry entry) {
    return entry.getName().startsWith("io/hdfsparity/");
  }

  private static void load(String className) {
    try {
      Class.forName(className, false, CdsTraining.class.getClassLoader());
    } catch (ClassNotFoundException | LinkageError e) {
      // One class less in the archive; the daemon that needs it will say what is wrong with it.
      System.err.println("Not archived: " + className + ": " + e);
    }
  }
}

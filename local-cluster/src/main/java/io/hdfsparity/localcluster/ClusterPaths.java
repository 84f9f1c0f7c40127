/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster;

import java.nio.file.Path;
import java.util.List;

/**
 * Where a cluster keeps what. Everything lies under one folder, but for Lstors, which lie in memory
 * where there is room (see {@link LstorPlace}).
 *
 * <pre>
 * &lt;root&gt;/cluster.properties   the description          &lt;root&gt;/conf/&lt;daemon&gt;/*.xml  site files, also conf/client
 * (for any client) and conf/suite-client (with our jars)
 * &lt;root&gt;/ports.properties     ports                    &lt;root&gt;/conf/&lt;daemon&gt;.jar    the same for the class path
 * &lt;root&gt;/lstor-place          where the Lstors are     &lt;root&gt;/logs/&lt;daemon&gt;.log
 * &lt;root&gt;/pids/&lt;daemon&gt;.pid                              &lt;root&gt;/data/nn, data/dn0/disk0, …
 * </pre>
 *
 * @param root the cluster's folder, absolute
 */
public record ClusterPaths(Path root) {
  /** Name of the site files for any client of HDFS; they name no class of the suite. */
  static final String ANY_CLIENT = "client";

  /** Name of the site files for clients with the suite's jars; {@code bin/hdfs-parity} is one. */
  static final String SUITE_CLIENT = "suite-client";

  /** All that a cluster makes in its folder, but its lock. */
  static final List<String> CONTENT =
      List.of(
          "data",
          "conf",
          "logs",
          "pids",
          "tmp",
          "cache",
          "cluster.properties",
          "ports.properties",
          "lstor-place",
          "lstor");

  public ClusterPaths {
    root = root.toAbsolutePath().normalize();
  }

  public Path specFile() {
    return root.resolve("cluster.properties");
  }

  public Path portsFile() {
    return root.resolve("ports.properties");
  }

  public Path lockFile() {
    return root.resolve(".lock");
  }

  public Path lstorPlaceFile() {
    return root.resolve("lstor-place");
  }

  public Path confDir(String name) {
    return root.resolve("conf").resolve(name);
  }

  public Path confJar(String name) {
    return root.resolve("conf").resolve(name + ".jar");
  }

  public Path topologyFile() {
    return root.resolve("conf").resolve("topology");
  }

  public Path log4jFile() {
    return root.resolve("conf").resolve("log4j.properties");
  }

  /** Policies of codec izs, for {@code hdfs ec -addPolicies}. */
  public Path policyFile() {
    return root.resolve("conf").resolve("user_ec_policies.xml");
  }

  /** One line: the class path that daemons run on; {@code bin/hdfs-parity} reads it. */
  public Path classPathFile() {
    return root.resolve("conf").resolve("classpath");
  }

  /** One line: the archive of classes that fits the class path, or nothing. */
  public Path archiveFile() {
    return root.resolve("conf").resolve("archive");
  }

  public Path logFile(Daemon daemon) {
    return root.resolve("logs").resolve(daemon.name() + ".log");
  }

  public Path logDir() {
    return root.resolve("logs");
  }

  public Path pidFile(Daemon daemon) {
    return root.resolve("pids").resolve(daemon.name() + ".pid");
  }

  public Path tmpDir(String name) {
    return root.resolve("tmp").resolve(name);
  }

  public Path cacheDir() {
    return root.resolve("cache");
  }

  /** Where a NameNode keeps its images and edits, or a JournalNode its edits. */
  public Path metadataDir(Daemon daemon) {
    return root.resolve("data").resolve(daemon.name());
  }

  /** The root of a simulated disk: the failure unit. */
  public Path diskRoot(int node, int disk) {
    return root.resolve("data").resolve("dn" + node).resolve("disk" + disk);
  }

  /** Where the content of a disk is after it was failed. */
  public Path failedDiskRoot(int node, int disk) {
    Path disk0 = diskRoot(node, disk);
    return disk0.resolveSibling(disk0.getFileName() + ".failed");
  }
}

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.hdfsparity.localcluster.AdminCommand;
import io.hdfsparity.localcluster.ClusterPaths;
import io.hdfsparity.localcluster.LocalCluster;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.commons.io.FileUtils;
import org.apache.hadoop.conf.Configuration;

/**
 * A DataNode's disks and its hdfs-site.xml, changed by hand while it runs. A restart rewrites the
 * file, with the disks of before. Not thread-safe.
 */
final class HowToNode {
  private static final String SITE = "hdfs-site.xml";
  private static final String DATA = "dfs.datanode.data.dir";
  private static final String ROOTS = "dfs.parity.raidp.disk.roots";
  private static final String LSTORS = "dfs.parity.raidp.lstor.dirs";

  private final LocalCluster cluster;
  private final ClusterPaths paths;
  private final int node;
  private final String name;

  /**
   * @param node index of the node
   */
  HowToNode(LocalCluster cluster, int node) {
    this.cluster = cluster;
    this.paths = new ClusterPaths(cluster.dir());
    this.node = node;
    this.name = "dn" + node;
  }

  /** Host and port for {@code hdfs dfsadmin}. */
  String ipcAddress() throws IOException {
    return site().get("dfs.datanode.ipc.address");
  }

  /** Host and port of its web pages. */
  String httpAddress() throws IOException {
    return site().get("dfs.datanode.http.address");
  }

  Path root(int disk) {
    return paths.diskRoot(node, disk);
  }

  /** Where the Lstor of a disk lies, or would lie. */
  Path lstorDir(int disk) throws IOException {
    return Path.of(site().getTrimmedStrings(LSTORS)[0]).resolveSibling("disk" + disk);
  }

  /** Mounts an empty disk, and a directory for its Lstor, and appends both to the site file. */
  void appendDisk(int disk) throws IOException {
    mountEmpty(disk);
    Files.createDirectories(lstorDir(disk));
    Configuration site = site();
    append(site, DATA, root(disk).resolve("data").toUri().toString());
    append(site, ROOTS, root(disk).toString());
    append(site, LSTORS, lstorDir(disk).toString());
    write(site);
  }

  /** Puts an empty disk with an empty data directory at the path of a disk. */
  void mountEmpty(int disk) throws IOException {
    empty(root(disk));
    Files.createDirectories(root(disk).resolve("data"));
  }

  /** Puts an empty device at the directory of the Lstor of a disk. */
  void mountEmptyLstor(int disk) throws IOException {
    empty(lstorDir(disk));
  }

  private static void empty(Path directory) throws IOException {
    Files.createDirectories(directory);
    FileUtils.cleanDirectory(directory.toFile());
  }

  /** Takes a disk and its Lstor out of the site file. */
  void removeDisk(int disk) throws IOException {
    Configuration site = site();
    remove(site, DATA, root(disk).resolve("data").toUri().toString());
    remove(site, ROOTS, root(disk).toString());
    remove(site, LSTORS, lstorDir(disk).toString());
    write(site);
  }

  private static void append(Configuration site, String key, String value) {
    site.set(key, site.get(key) + "," + value);
  }

  private static void remove(Configuration site, String key, String value) {
    List<String> all = List.of(site.getTrimmedStrings(key));
    assertThat(all).as(key).contains(value);
    site.set(key, String.join(",", all.stream().filter(each -> !each.equals(value)).toList()));
  }

  private Configuration site() throws IOException {
    Configuration site = new Configuration(false);
    site.addResource(paths.confDir(name).resolve(SITE).toUri().toURL());
    return site;
  }

  /** The DataNode reads it from a jar. The jar that it has open stays as it is. */
  private void write(Configuration site) throws IOException {
    Path file = paths.confDir(name).resolve(SITE);
    try (OutputStream out = Files.newOutputStream(file)) {
      site.writeXml(out);
    }
    Path jar = paths.confJar(name);
    Path next = jar.resolveSibling(jar.getFileName() + ".next");
    Files.copy(jar, next, StandardCopyOption.REPLACE_EXISTING);
    try (FileSystem zip = FileSystems.newFileSystem(next)) {
      Files.copy(file, zip.getPath(SITE), StandardCopyOption.REPLACE_EXISTING);
    }
    Files.move(next, jar, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  /** Waits until the status has a disk with that path and health, and gives its id. */
  String awaitDisk(int disk, String health) {
    return MiniRaidp.await("disk " + disk + " of " + name + " is " + health)
        .atMost(Duration.ofMinutes(2))
        .ignoreExceptionsInstanceOf(IOException.class)
        .until(() -> diskId(disk, health), Optional::isPresent)
        .orElseThrow();
  }

  private Optional<String> diskId(int disk, String health) throws IOException {
    for (JsonNode each : status().path("nodes")) {
      for (JsonNode candidate : each.path("disks")) {
        if (candidate.path("path").asText().equals(root(disk).toString())
            && candidate.path("health").asText().equals(health)) {
          return Optional.of(candidate.path("id").asText());
        }
      }
    }
    return Optional.empty();
  }

  /** Waits until the status does not list a disk any more. */
  void awaitForgotten(String diskId) {
    MiniRaidp.await("disk " + diskId + " is forgotten")
        .atMost(Duration.ofMinutes(3))
        .untilAsserted(() -> assertThat(status().path("nodes").toString()).doesNotContain(diskId));
  }

  /** Names of the files in the directory of an Lstor. */
  List<String> lstorFiles(int disk) throws IOException {
    try (Stream<Path> files = Files.list(lstorDir(disk))) {
      return files.map(each -> each.getFileName().toString()).toList();
    }
  }

  private JsonNode status() throws IOException {
    return new AdminCommand(cluster.conf()).json("raidp -status -json");
  }
}

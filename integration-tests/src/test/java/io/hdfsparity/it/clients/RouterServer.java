/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it.clients;

import static org.awaitility.Awaitility.await;

import io.hdfsparity.core.check.FreePorts;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DFSConfigKeys;

/**
 * A Router (HDFS Router-based Federation) in front of NameNodes, without a jar of the suite, in a
 * process of its own on the loopback interface.
 */
final class RouterServer implements AutoCloseable {
  private static final String SERVICE = "ns0";
  private static final String KEYS = "dfs.federation.router.";

  private final int port = FreePorts.next();
  private final Path folder;
  private final Path conf;
  private final GatewayProcess process;

  /**
   * @param folder of its own
   * @param cluster the configuration of the NameNode
   */
  RouterServer(Path folder, Configuration cluster) throws IOException {
    this(folder, SERVICE, Map.of(SERVICE, cluster));
  }

  /**
   * In front of several.
   *
   * @param folder of its own
   * @param first the nameservice of all paths that are mounted nowhere
   * @param clusters configurations of the NameNodes, by what the Router calls their nameservices
   */
  RouterServer(Path folder, String first, Map<String, Configuration> clusters) throws IOException {
    this.folder = folder;
    String services = String.join(",", clusters.keySet());
    Configuration keys = new Configuration(false);
    keys.set("fs.defaultFS", address().toString());
    keys.set("dfs.nameservices", services);
    clusters.forEach(
        (service, cluster) -> {
          keys.set(
              DFSConfigKeys.DFS_NAMENODE_RPC_ADDRESS_KEY + "." + service,
              FileSystem.getDefaultUri(cluster).getAuthority());
          keys.set(
              DFSConfigKeys.DFS_NAMENODE_HTTP_ADDRESS_KEY + "." + service,
              cluster.get(DFSConfigKeys.DFS_NAMENODE_HTTP_ADDRESS_KEY));
        });
    keys.set(KEYS + "rpc-address", "127.0.0.1:" + port);
    keys.set(KEYS + "rpc-bind-host", "127.0.0.1");
    keys.set(KEYS + "admin-address", "127.0.0.1:" + FreePorts.next());
    keys.set(KEYS + "admin-bind-host", "127.0.0.1");
    keys.setBoolean(KEYS + "http.enable", false);
    keys.setBoolean(KEYS + "safemode.enable", false);
    keys.set(KEYS + "default.nameserviceId", first);
    keys.set(KEYS + "monitor.namenode", services);
    keys.setBoolean(KEYS + "monitor.localnamenode.enable", false);
    keys.set(KEYS + "heartbeat.interval", "500");
    keys.set(KEYS + "cache.ttl", "500ms");
    keys.set(
        KEYS + "store.driver.class",
        "org.apache.hadoop.hdfs.server.federation.store.driver.impl.StateStoreFileImpl");
    keys.set(
        KEYS + "store.driver.file.directory",
        Files.createDirectories(folder.resolve("store")).toString());
    conf = Files.createDirectories(folder.resolve("conf"));
    for (String name : new String[] {"core-site.xml", "hdfs-site.xml", "hdfs-rbf-site.xml"}) {
      try (OutputStream out = Files.newOutputStream(conf.resolve(name))) {
        keys.writeXml(out);
      }
    }
    process =
        new GatewayProcess(
            "the Router",
            List.of("-Djava.io.tmpdir=" + Files.createDirectories(folder.resolve("temp"))),
            List.of(conf),
            "org.apache.hadoop.hdfs.server.federation.router.DFSRouter",
            folder.resolve("out"));
    process.awaitPort(port);
    Configuration client = new Configuration(clusters.get(first));
    client.setInt("ipc.client.connect.max.retries", 1);
    try (FileSystem fs = FileSystem.newInstance(address(), client)) {
      await("the Router knows its NameNode")
          .ignoreExceptionsInstanceOf(IOException.class)
          .until(
              () -> {
                process.requireAlive();
                return fs.exists(new org.apache.hadoop.fs.Path("/"));
              });
    }
  }

  /** Lets a path lead to the same path of a nameservice. */
  void mount(String path, String service) throws IOException, InterruptedException {
    try (GatewayProcess admin =
        new GatewayProcess(
            "mounting " + path,
            List.of(),
            List.of(conf),
            List.of(
                "org.apache.hadoop.hdfs.tools.federation.RouterAdmin", "-add", path, service, path),
            folder.resolve("mount-out"))) {
      admin.awaitDone();
    }
  }

  /** What clients take for the file system. */
  URI address() {
    return URI.create("hdfs://127.0.0.1:" + port);
  }

  @Override
  public void close() throws InterruptedException {
    process.close();
  }
}

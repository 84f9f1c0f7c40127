/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it.clients;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;

/** What stands between some clients and a cluster, and the site files that clients get. */
final class Gateways implements AutoCloseable {
  private final Path site;
  private final Path routedSite;
  private final HttpFsServer httpFs;
  private final RouterServer router;

  /**
   * @param cluster what its servers run with
   * @param folder of its own
   */
  Gateways(Configuration cluster, Path folder) throws IOException {
    site = folder.resolve("site");
    JavaClients.writeSite(cluster, site);
    httpFs = new HttpFsServer(Files.createDirectories(folder.resolve("httpfs")), site);
    router = new RouterServer(Files.createDirectories(folder.resolve("router")), cluster);
    Configuration routed = new Configuration(cluster);
    routed.set("fs.defaultFS", router.address().toString());
    routedSite = folder.resolve("routed-site");
    JavaClients.writeSite(routed, routedSite);
  }

  /** The folder of the site files for clients of the cluster. */
  Path site() {
    return site;
  }

  /** The folder of the site files for clients of the Router. */
  Path routedSite() {
    return routedSite;
  }

  /** Address of HttpFS. */
  String httpFs() {
    return httpFs.address();
  }

  /** Keys of a NameNode that takes calls of HttpFS for the user of this process. */
  static void allow(Configuration conf) {
    String user = System.getProperty("user.name");
    conf.set("hadoop.proxyuser." + user + ".hosts", "127.0.0.1");
    conf.set("hadoop.proxyuser." + user + ".groups", "*");
  }

  @Override
  public void close() throws InterruptedException {
    try {
      httpFs.close();
    } finally {
      router.close();
    }
  }
}

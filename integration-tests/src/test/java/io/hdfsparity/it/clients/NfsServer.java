/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it.clients;

import io.hdfsparity.core.check.FreePorts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;

/** Hadoop's NFS gateway in a process of its own, for clients of this machine, without a portmap. */
final class NfsServer implements AutoCloseable {
  /** The least that the gateway allows. It closes a file when nobody has written to it so long. */
  private static final int STREAM_TIMEOUT_MS = 10_000;

  private final int port = FreePorts.next();
  private final int mountPort = FreePorts.next();
  private final Path out;
  private final GatewayProcess process;

  /**
   * @param folder of its own
   * @param cluster what its servers run with
   * @param jars further entries of the class path
   */
  NfsServer(Path folder, Configuration cluster, List<String> jars) throws IOException {
    Configuration keys = new Configuration(cluster);
    keys.setInt("nfs.server.port", port);
    keys.setInt("nfs.mountd.port", mountPort);
    keys.set("nfs.http.address", "127.0.0.1:0");
    // It listens on all interfaces.
    keys.set("nfs.exports.allowed.hosts", "127.0.0.1 rw");
    keys.set("nfs.dump.dir", folder.resolve("dump").toString());
    keys.setInt("nfs.stream.timeout", STREAM_TIMEOUT_MS);
    Path site = folder.resolve("site");
    JavaClients.writeSite(keys, site);
    List<Path> classPath = new ArrayList<>(List.of(site));
    jars.forEach(jar -> classPath.add(Path.of(jar)));
    // Maven Central has no pages for its web server, which it does not start without any.
    Files.createDirectories(site.resolve("webapps").resolve("nfs3"));
    out = folder.resolve("out");
    process =
        new GatewayProcess(
            "the NFS gateway",
            List.of("-Djava.io.tmpdir=" + Files.createDirectories(folder.resolve("temp"))),
            classPath,
            ClientTools.resource("NfsGateway.java", folder).toString(),
            out);
    process.awaitPort(mountPort);
    process.awaitPort(port);
  }

  /** Of NFS. */
  int port() {
    return port;
  }

  /** Of mountd. */
  int mountPort() {
    return mountPort;
  }

  /** What it has logged so far: NFS has numbers for errors only. */
  String log() throws IOException {
    return Files.readString(out);
  }

  @Override
  public void close() throws InterruptedException {
    process.close();
  }
}

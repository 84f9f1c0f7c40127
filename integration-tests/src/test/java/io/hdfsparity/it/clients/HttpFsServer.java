/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it.clients;

import io.hdfsparity.core.check.FreePorts;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;

/** HttpFS without a jar of the suite, in a process of its own on the loopback interface. */
final class HttpFsServer implements AutoCloseable {
  private final int port = FreePorts.next();
  private final GatewayProcess process;

  /**
   * @param folder of its own
   * @param site the folder of the site files that clients get
   */
  HttpFsServer(Path folder, Path site) throws IOException {
    Path conf = Files.createDirectories(folder.resolve("conf"));
    Configuration keys = new Configuration(false);
    keys.set("httpfs.http.hostname", "127.0.0.1");
    keys.setInt("httpfs.http.port", port);
    keys.set("httpfs.hadoop.config.dir", site.toString());
    try (OutputStream out = Files.newOutputStream(conf.resolve("httpfs-site.xml"))) {
      keys.writeXml(out);
    }
    Path temp = Files.createDirectories(folder.resolve("temp"));
    process =
        new GatewayProcess(
            "HttpFS",
            List.of(
                "-Dhttpfs.home.dir=" + folder,
                "-Dhttpfs.config.dir=" + conf,
                "-Dhttpfs.log.dir=" + Files.createDirectories(folder.resolve("log")),
                "-Dhttpfs.temp.dir=" + temp,
                "-Djava.io.tmpdir=" + temp),
            List.of(conf, site),
            "org.apache.hadoop.fs.http.server.HttpFSServerWebServer",
            folder.resolve("out"));
    process.awaitPort(port);
  }

  String address() {
    return "127.0.0.1:" + port;
  }

  @Override
  public void close() throws InterruptedException {
    process.close();
  }
}

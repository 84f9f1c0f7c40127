/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it.clients;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.apache.hadoop.conf.Configuration;

/** A client of NFS in front of an NFS gateway of its own. */
final class NfsClient implements Client {
  private final NfsServer server;
  private final SuiteClient suite;
  private final LineClient nfs;

  private NfsClient(String title, Configuration cluster, Path folder, List<String> jars)
      throws IOException {
    Files.createDirectories(folder);
    server = new NfsServer(folder, cluster, jars);
    suite = new SuiteClient(cluster);
    nfs =
        new LineClient(
            title,
            /* takesOurJar= */ false,
            List.of(
                "python3",
                ClientTools.resource("nfs_client.py", folder).toString(),
                Integer.toString(server.port()),
                Integer.toString(server.mountPort())),
            folder.resolve("client.err"));
  }

  /**
   * Without our jars in the gateway.
   *
   * @param folder of its own
   */
  static NfsClient stock(Configuration cluster, Path folder) throws IOException {
    return new NfsClient(
        "NFS gateway of Hadoop 3.4.2, without our jar", cluster, folder, List.of());
  }

  /**
   * With our jars on the class path of the gateway.
   *
   * @param folder of its own
   */
  static NfsClient withOurJars(Configuration cluster, Path folder) throws IOException {
    return new NfsClient(
        "NFS gateway of Hadoop 3.4.2, with our jar", cluster, folder, JavaClients.ours());
  }

  @Override
  public String title() {
    return nfs.title();
  }

  @Override
  public boolean takesOurJar() {
    return nfs.takesOurJar();
  }

  @Override
  public Answer run(Operation operation, String path, Path local) throws IOException {
    Answer answer = send(operation.label(), path, local.toString());
    if (answer.isDone() && (operation == Operation.WRITE || operation == Operation.APPEND)) {
      awaitClosed(path);
    }
    return answer;
  }

  /**
   * An operation of {@code nfs_client.py}. A refusal ends with what the gateway has logged of it.
   */
  Answer send(String operation, String path, String local) throws IOException {
    int before = server.log().length();
    Answer answer = nfs.send(operation, path, local);
    return answer.isDone()
        ? answer
        : Answer.refused(answer.message() + "; gateway: " + server.log().substring(before));
  }

  /** The gateway goes on with a file that its client has closed, and closes it later. */
  void awaitClosed(String path) {
    await("the gateway closes " + path)
        .atMost(Duration.ofMinutes(2))
        .until(() -> suite.fileSystem().isFileClosed(new org.apache.hadoop.fs.Path(path)));
  }

  @Override
  public void close() throws Exception {
    try {
      nfs.close();
    } finally {
      suite.close();
      server.close();
    }
  }
}

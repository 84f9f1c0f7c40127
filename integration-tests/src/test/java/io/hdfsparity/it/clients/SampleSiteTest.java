/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it.clients;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * An application without the suite's jars that is given a site file of the suite's samples: those
 * for servers do it no harm. The one for clients with the jars would, which is why it is apart.
 */
@Tag("full")
@Tag("clients")
@Timeout(600)
class SampleSiteTest {
  private static final Path SAMPLES = Path.of("..", "conf");

  @TempDir static Path root;

  private static MiniDFSCluster cluster;

  @BeforeAll
  static void start() throws Exception {
    Configuration conf = new HdfsConfiguration();
    cluster =
        new MiniDFSCluster.Builder(conf, root.resolve("dfs").toFile()).numDataNodes(3).build();
    cluster.waitActive();
  }

  @AfterAll
  static void stop() {
    cluster.shutdown();
  }

  /** A folder with a sample as both site files, and the address of the cluster. */
  private static Path site(String sample) throws Exception {
    Configuration keys = new Configuration(false);
    keys.addResource(new org.apache.hadoop.fs.Path(SAMPLES.resolve(sample).toUri()));
    assertThat(keys.size()).isPositive();
    keys.set("fs.defaultFS", cluster.getURI().toString());
    Path folder = Files.createDirectories(root.resolve("site-" + sample));
    for (String name : new String[] {"core-site.xml", "hdfs-site.xml"}) {
      try (OutputStream out = Files.newOutputStream(folder.resolve(name))) {
        keys.writeXml(out);
      }
    }
    return folder;
  }

  @ParameterizedTest
  @ValueSource(strings = {"hdfs-site-raidp.xml", "hdfs-site-izs.xml", "hdfs-site-all.xml"})
  void sitesOfServersDoNoHarm(String sample) throws Exception {
    Path folder = Files.createDirectories(root.resolve("clients-" + sample));
    JavaClients java = new JavaClients(folder, site(sample));
    String directory = "/" + sample.replace(".xml", "");
    cluster.getFileSystem().mkdirs(new org.apache.hadoop.fs.Path(directory));
    int number = 0;
    for (Client client : new Client[] {java.shell(), java.older("3.4.2")}) {
      try (client) {
        number++;
        String path = directory + "/f" + number;
        byte[] bytes = TestFile.content(path, 100_001);
        Path local = Files.write(folder.resolve("local"), bytes);
        for (Operation operation : new Operation[] {Operation.WRITE, Operation.APPEND}) {
          assertWorks(client, client.run(operation, path, local));
        }
        Path read = folder.resolve("read");
        assertWorks(client, client.run(Operation.READ, path, read));
        byte[] twice = Arrays.copyOf(bytes, 2 * bytes.length);
        System.arraycopy(bytes, 0, twice, bytes.length, bytes.length);
        assertThat(Files.readAllBytes(read)).isEqualTo(twice);
        Answer listed = client.run(Operation.LIST, directory, local);
        assertWorks(client, listed);
        assertThat(listed.listed()).containsEntry("f" + number, (long) twice.length);
      }
    }
  }

  private static void assertWorks(Client client, Answer answer) {
    assertThat(answer.isDone()).as("%s: %s", client.title(), answer.message()).isTrue();
  }

  /** It names a class that such a client does not have. */
  @ParameterizedTest
  @ValueSource(strings = "core-site-client.xml")
  void theSiteOfClientsWithTheJarsIsNotForOthers(String sample) throws Exception {
    Path folder = Files.createDirectories(root.resolve("clients-" + sample));
    try (Client shell = new JavaClients(folder, site(sample)).shell()) {
      Answer answer = shell.run(Operation.LIST, "/", folder.resolve("local"));
      assertThat(answer.isDone()).isFalse();
      assertThat(answer.message()).contains("ParityFileSystem");
    }
  }
}

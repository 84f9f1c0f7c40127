/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it.clients;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What clients that nobody here wrote get from the suite's clusters: never a wrong byte, and no
 * refusal that is not explained. What was seen is {@code docs/reference/clients.md}; to write the
 * page: {@code -Dclients.regenerate=true}.
 */
@Tag("full")
@Tag("clients")
@Timeout(1200)
class ClientsTest {
  private static final Path PAGE = Path.of("..", "docs", "reference", "clients.md");
  private static final Path OBSERVED = Path.of("target", "clients.md");

  private static final Path TOLD = Path.of("target", "clients-told.txt");

  private static final int CLIENTS = 6;

  @TempDir static Path root;

  private static final ClientsTable TABLE = new ClientsTable();

  @BeforeAll
  static void observe() throws Exception {
    TABLE.observe(root.resolve("striped"), StripedCluster::new, CLIENTS, ClientsTest::clients);
    TABLE.observe(root.resolve("raidp"), RaidpCluster::new, CLIENTS, ClientsTest::clients);
    TABLE.explain();
    Files.writeString(OBSERVED, ClientsPage.of(TABLE.titles(), TABLE.cells()));
    // In clients' own words, for who looks into a cell.
    Files.write(
        TOLD, TABLE.told(Outcome.Word.values()).entrySet().stream().map(Object::toString).toList());
  }

  private static List<Client> clients(ClientsCluster cluster, Path folder) throws Exception {
    Configuration conf = cluster.conf();
    Path site = folder.resolve("site");
    JavaClients.writeSite(conf, site);
    JavaClients java = new JavaClients(folder, site);
    List<Client> all = new ArrayList<>();
    all.add(new SuiteClient(conf));
    all.add(java.shell());
    all.add(java.older("Java, Hadoop 3.4.2, without our jar"));
    Path script = ClientTools.resource("hdfs_native_client.py", folder);
    Path python = PythonEnvironment.hdfsNative(folder);
    all.add(
        new LineClient(
            "hdfs-native 0.14.7 (PyPI)",
            /* takesOurJar= */ false,
            List.of(python.toString(), script.toString(), site.toString()),
            folder.resolve("hdfs-native.err")));
    all.add(
        new LineClient(
            Reason.GO + " 2.4.0 (Go)",
            /* takesOurJar= */ false,
            List.of(GoProgram.build().toString(), site.toString()),
            folder.resolve("go.err")));
    all.add(
        new WebClient(
            "WebHDFS, by curl",
            conf.get(DFSConfigKeys.DFS_NAMENODE_HTTP_ADDRESS_KEY),
            Files.createDirectories(folder.resolve("webhdfs"))));
    return all;
  }

  @Test
  void noClientGetsOrLeavesWrongBytes() {
    assertThat(TABLE.told(Outcome.Word.WRONG)).isEmpty();
  }

  @Test
  void everyRefusalIsExplained() {
    assertThat(TABLE.unexplained()).isEmpty();
  }

  /** The page is what was seen. */
  @Test
  void thePageSaysWhatWasSeen() throws IOException {
    String observed = Files.readString(OBSERVED);
    if (Boolean.getBoolean("clients.regenerate")) {
      Files.createDirectories(PAGE.getParent());
      Files.writeString(PAGE, observed);
    }
    assertThat(new String(Files.readAllBytes(PAGE), StandardCharsets.UTF_8))
        .as("regenerate %s by -Dclients.regenerate=true, and look at what differs", PAGE)
        .isEqualTo(observed);
  }
}

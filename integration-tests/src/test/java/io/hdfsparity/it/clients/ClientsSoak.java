/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it.clients;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The clients that do not fit into CI's time, as {@link ClientsTest} has the others. The record of
 * the last run is {@code docs/reference/clients-soak.md}.
 */
@Tag("soak")
@Timeout(7200)
class ClientsSoak {
  private static final Path TOLD = Path.of("target", "clients-soak-told.txt");

  @TempDir Path root;

  private final ClientsTable table = new ClientsTable();

  @Test
  void noClientGetsOrLeavesWrongBytesAndEveryRefusalIsExplained() throws Exception {
    table.observe(root.resolve("striped"), StripedCluster::new, 3, ClientsSoak::clients);
    table.observe(root.resolve("raidp"), RaidpCluster::new, 3, ClientsSoak::clients);
    table.explain();
    Files.write(
        TOLD, table.told(Outcome.Word.values()).entrySet().stream().map(Object::toString).toList());
    assertThat(table.told(Outcome.Word.WRONG)).isEmpty();
    assertThat(table.unexplained()).isEmpty();
    SoakPage.writeClients(ClientsPage.tables(table.titles().subList(1, 3), table.cells()));
  }

  private static List<Client> clients(ClientsCluster cluster, Path folder) throws Exception {
    Path site = folder.resolve("site");
    JavaClients.writeSite(cluster.conf(), site);
    List<Client> all = new ArrayList<>();
    all.add(new SuiteClient(cluster.conf()));
    all.addAll(SparkClients.of(site, folder));
    return all;
  }
}

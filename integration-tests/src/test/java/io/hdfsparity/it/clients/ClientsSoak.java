/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it.clients;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
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

  private static final String HTTP_FS = "HttpFS of Hadoop 3.4.2, without our jar, by curl";
  private static final int CLIENTS = 6;

  @TempDir Path root;

  private final ClientsTable table = new ClientsTable();

  @Test
  void noClientGetsOrLeavesWrongBytesAndEveryRefusalIsExplained() throws Exception {
    observe("striped", StripedCluster::new);
    observe("raidp", RaidpCluster::new);
    SoakPage.writeIfRight("ClientsSoak", table);
  }

  private void observe(String name, ClientsTable.Starter starter) throws Exception {
    Gateways[] gateways = new Gateways[1];
    try {
      table.observe(
          root.resolve(name),
          starter,
          CLIENTS,
          (cluster, folder) -> {
            gateways[0] = new Gateways(cluster.conf(), folder);
            return clients(cluster.conf(), gateways[0], folder);
          });
    } finally {
      if (gateways[0] != null) {
        gateways[0].close();
      }
    }
  }

  private static List<Client> clients(Configuration conf, Gateways gateways, Path folder)
      throws Exception {
    Path site = gateways.site();
    List<Client> all = new ArrayList<>();
    all.add(new SuiteClient(conf));
    all.addAll(SparkClients.of(site, folder));
    all.add(new JavaClients(folder, site).distCp());
    Path routed = Files.createDirectories(folder.resolve("routed"));
    all.add(
        new JavaClients(routed, gateways.routedSite())
            .older("Java, Hadoop 3.4.2, through a Router of 3.4.2, both without our jar"));
    all.add(
        new WebClient(
            HTTP_FS, gateways.httpFs(), Files.createDirectories(folder.resolve("httpfs-client"))));
    return all;
  }
}

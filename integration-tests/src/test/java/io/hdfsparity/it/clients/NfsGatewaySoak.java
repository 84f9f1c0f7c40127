/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it.clients;

import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Hadoop's NFS gateway, as {@link ClientsTest} has other clients. The record of the last run is
 * {@code docs/reference/clients-soak.md}.
 */
@Tag("soak")
@Timeout(7200)
class NfsGatewaySoak {
  private static final int CLIENTS = 3;

  @TempDir Path root;

  private final ClientsTable table = new ClientsTable();

  @Test
  void noClientGetsOrLeavesWrongBytesAndEveryRefusalIsExplained() throws Exception {
    table.observe(root.resolve("raidp"), RaidpCluster::new, CLIENTS, NfsGatewaySoak::clients);
    table.observe(root.resolve("striped"), StripedCluster::new, CLIENTS, NfsGatewaySoak::clients);
    SoakPage.writeIfRight("NfsGatewaySoak", table);
  }

  private static List<Client> clients(ClientsCluster cluster, Path folder) throws Exception {
    Configuration conf = cluster.conf();
    return List.of(
        new SuiteClient(conf),
        NfsClient.stock(conf, folder.resolve("nfs")),
        NfsClient.withOurJars(conf, folder.resolve("nfs-ours")));
  }
}

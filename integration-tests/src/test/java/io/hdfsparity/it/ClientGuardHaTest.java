/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hdfsparity.ParityNameNodePlugin;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.server.namenode.ha.HATestUtil;
import org.apache.hadoop.io.erasurecode.ECSchema;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nothing begins that needs the guard unless every NameNode has it, and every one keeps to it. */
class ClientGuardHaTest {
  @Test
  void everyNameNodeMustGuardAndDoes(@TempDir java.nio.file.Path root) throws Exception {
    try (MiniCaso caso = MiniCaso.startHa(root, "caso,izs")) {
      MiniDFSCluster cluster = caso.cluster();
      DistributedFileSystem stock = caso.stock();
      ErasureCodingPolicy izs =
          caso.addPolicy(new ErasureCodingPolicy(new ECSchema("izs", 4, 1), MiniCaso.CELL_BYTES));
      byte[] bytes = caso.make("/d/f", 1);

      cluster.getConfiguration(1).unset(DFSConfigKeys.DFS_NAMENODE_PLUGINS_KEY);
      restartStandby(cluster);
      assertThat(caso.fail("-organize", "/d/f", "-trace", caso.trace(0)))
          .contains("Cannot store a file in another order: guarded=unknown")
          .contains("expected true on every NameNode");
      assertThat(caso.isOrdered("/d/f")).isFalse();
      assertThatThrownBy(() -> stock.enableErasureCodingPolicy(izs.getName()))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("Cannot use a policy: policy=" + izs.getName())
          .hasMessageContaining("expected true on every NameNode");
      // The same by what the NameNode answers itself, by WebHDFS.
      for (String operation : new String[] {"/?op=ENABLEECPOLICY", "/d?op=SETECPOLICY"}) {
        HttpURLConnection web =
            byWeb(cluster.getNameNode(0).getHttpAddress(), operation, izs.getName());
        assertThat(web.getResponseCode()).as(operation).isEqualTo(403);
        try (InputStream why = web.getErrorStream()) {
          assertThat(new String(why.readAllBytes(), StandardCharsets.UTF_8))
              .contains("Cannot use a policy: policy=" + izs.getName());
        }
      }
      assertThat(stock.getAllErasureCodingPolicies())
          .filteredOn(each -> each.getPolicy().equals(izs))
          .allMatch(each -> !each.isEnabled());

      cluster
          .getConfiguration(1)
          .set(DFSConfigKeys.DFS_NAMENODE_PLUGINS_KEY, ParityNameNodePlugin.class.getName());
      restartStandby(cluster);
      await("what was wrong with the standby counts for ten seconds")
          .atMost(Duration.ofSeconds(60))
          .ignoreExceptionsInstanceOf(IOException.class)
          .untilAsserted(() -> stock.enableErasureCodingPolicy(izs.getName()));
      caso.organize("/d/f");
      requireGuarded(caso, bytes);
      cluster.transitionToStandby(0);
      cluster.transitionToActive(1);
      requireGuarded(caso, bytes);
    }
  }

  /**
   * @param operation path and operation
   */
  private static HttpURLConnection byWeb(InetSocketAddress at, String operation, String policy)
      throws IOException {
    String values = "&ecpolicy=" + policy + "&user.name=" + System.getProperty("user.name");
    URI uri =
        URI.create(
            "http://"
                + at.getHostString()
                + ":"
                + at.getPort()
                + "/webhdfs/v1"
                + operation
                + values);
    HttpURLConnection call = (HttpURLConnection) uri.toURL().openConnection();
    call.setRequestMethod("PUT");
    return call;
  }

  /** Policies are known by process, so that one that starts makes the other forget them. */
  private static void restartStandby(MiniDFSCluster cluster) throws Exception {
    cluster.restartNameNode(1);
    HATestUtil.waitForStandbyToCatchUp(cluster.getNameNode(0), cluster.getNameNode(1));
  }

  private static void requireGuarded(MiniCaso caso, byte[] bytes) throws IOException {
    assertThat(StoredBytes.read(caso.stock(), "/d/f")).isNotEqualTo(bytes);
    assertThat(caso.read("/d/f")).isEqualTo(bytes);
    // The address for services is no way around it.
    int active = caso.cluster().getNameNode(0).isActiveState() ? 0 : 1;
    InetSocketAddress at = caso.cluster().getNameNode(active).getServiceRpcAddress();
    URI services = URI.create("hdfs://" + at.getHostString() + ":" + at.getPort());
    try (FileSystem direct = FileSystem.newInstance(services, new Configuration())) {
      assertThat(StoredBytes.read(direct, "/d/f")).isNotEqualTo(bytes);
    }
  }
}

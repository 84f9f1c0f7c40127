/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.bridge.wire.NameNodeServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class NameNodeServersTest {
  private final Configuration conf = new Configuration(false);

  @BeforeEach
  void twoNameNodes() {
    conf.set("fs.defaultFS", "hdfs://ns1");
    conf.set("dfs.nameservices", "ns1");
    conf.set("dfs.ha.namenodes.ns1", "a,b");
    conf.set("dfs.namenode.rpc-address.ns1.a", "127.0.0.1:8020");
    conf.set("dfs.namenode.rpc-address.ns1.b", "127.0.0.2:8020");
  }

  @Test
  void aWildcardIsReachedAtTheNameNodesHost() throws IOException {
    Configuration one = new Configuration(false);
    one.set("fs.defaultFS", "hdfs://127.0.0.1:8020");
    assertThat(NameNodeServers.addresses(one))
        .singleElement()
        .satisfies(a -> assertThat(a).isEqualTo(new InetSocketAddress("127.0.0.1", 9876)));
    assertThat(NameNodeServers.bind(one, null, null).getPort()).isEqualTo(9876);
    assertThat(NameNodeServers.byNameservice(one)).containsOnlyKeys("");
  }

  @Test
  void everyNameNodeOfANameserviceHasItsOwn() throws IOException {
    String plain = SuiteKey.NAMENODE_RPC_ADDRESS.key();
    conf.set(plain + ".ns1.b", "127.0.0.3:7000");
    assertThat(NameNodeServers.addresses(conf))
        .extracting(InetSocketAddress::getHostString)
        .containsExactly("127.0.0.1", "127.0.0.3");
    assertThat(NameNodeServers.byNameservice(conf).get("ns1")).hasSize(2);
    assertThat(NameNodeServers.bind(conf, "ns1", "b").getPort()).isEqualTo(7000);
    conf.set(plain, "127.0.0.1:1");
    conf.set(plain + ".ns1", "127.0.0.1:2");
    assertThat(NameNodeServers.bind(conf, "", "").getPort()).isEqualTo(1);
    assertThat(NameNodeServers.bind(conf, "ns1", "a").getPort()).isEqualTo(2);
    assertThat(SuiteKey.reader(conf)).as("a key for one NameNode is known").isNotNull();
  }

  @Test
  void aFileSystemIsKnownByItsNameOrByANameNode() throws IOException {
    conf.set("dfs.nameservices", "ns1,ns2");
    conf.set("dfs.namenode.rpc-address.ns2", "127.0.0.9:8020");
    for (String uri : new String[] {"hdfs://ns1/", "hdfs://127.0.0.2:8020/d"}) {
      assertThat(NameNodeServers.of(conf, URI.create(uri)))
          .extracting(NameNodeServer::nameservice)
          .containsExactly("ns1", "ns1");
    }
    assertThat(NameNodeServers.of(conf, URI.create("hdfs://127.0.0.9/"))).hasSize(1);
    assertThatThrownBy(() -> NameNodeServers.of(conf, URI.create("hdfs://elsewhere:1/")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("fileSystem=hdfs://elsewhere:1/, expected one");
    assertThat(NameNodeServers.ofOrOnly(conf, URI.create("hdfs://elsewhere:1/"))).isEmpty();
    conf.set("dfs.nameservices", "ns1");
    assertThat(NameNodeServers.ofOrOnly(conf, URI.create("hdfs://elsewhere:1/"))).hasSize(2);
  }

  @Test
  void theOthersOfThisNameNodeAreThoseOfItsNameservice() {
    conf.set("dfs.nameservice.id", "ns1");
    conf.set("dfs.ha.namenode.id", "a");
    assertThat(NameNodeServers.ofThis(conf).getPort()).isEqualTo(9876);
    assertThat(NameNodeServers.ofOthers(conf))
        .containsExactly(new InetSocketAddress("127.0.0.2", 9876));
  }

  @Test
  void aBadAddressIsNamed() {
    conf.set(SuiteKey.NAMENODE_RPC_ADDRESS.key(), "nowhere");
    assertThatThrownBy(() -> NameNodeServers.bind(conf, null, null))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("namenode.rpc-address=nowhere, expected host:port");
  }
}

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetSocketAddress;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

class ManagerAddressesTest {
  @Test
  void aWildcardIsReachedAtTheNameNodesHost() throws IOException {
    Configuration conf = new Configuration(false);
    conf.set("fs.defaultFS", "hdfs://127.0.0.1:8020");
    assertThat(ManagerAddresses.forClients(conf))
        .singleElement()
        .satisfies(a -> assertThat(a).isEqualTo(new InetSocketAddress("127.0.0.1", 9877)));
    assertThat(ManagerAddresses.bindAddress(conf, null, null).getPort()).isEqualTo(9877);
  }

  @Test
  void everyNameNodeOfANameserviceHasItsOwn() throws IOException {
    Configuration conf = new Configuration(false);
    conf.set("fs.defaultFS", "hdfs://ns1");
    conf.set("dfs.nameservices", "ns1");
    conf.set("dfs.ha.namenodes.ns1", "a,b");
    conf.set("dfs.namenode.rpc-address.ns1.a", "127.0.0.1:8020");
    conf.set("dfs.namenode.rpc-address.ns1.b", "127.0.0.2:8020");
    conf.set(RaidpKey.MANAGER_RPC_ADDRESS.key() + ".ns1.b", "127.0.0.3:7000");
    assertThat(ManagerAddresses.forClients(conf))
        .extracting(InetSocketAddress::getHostString)
        .containsExactly("127.0.0.1", "127.0.0.3");
    assertThat(ManagerAddresses.bindAddress(conf, "ns1", "b").getPort()).isEqualTo(7000);
    assertThat(RaidpOptions.manager(conf)).as("a key for one NameNode is known").isNotNull();
  }

  @Test
  void aBadAddressIsNamed() {
    Configuration conf = new Configuration(false);
    conf.set(RaidpKey.MANAGER_RPC_ADDRESS.key(), "nowhere");
    assertThatThrownBy(() -> ManagerAddresses.bindAddress(conf, null, null))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("manager.rpc-address=nowhere, expected host:port");
  }
}

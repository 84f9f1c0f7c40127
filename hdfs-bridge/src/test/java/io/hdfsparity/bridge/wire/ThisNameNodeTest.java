/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.wire;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

class ThisNameNodeTest {
  private final Configuration conf = new Configuration(false);

  @Test
  void withoutNameservicesThereIsNoName() {
    conf.set("dfs.namenode.rpc-address", "127.0.0.1:8020");

    assertThat(ThisNameNode.of(conf)).isEqualTo(new ThisNameNode("", ""));
  }

  @Test
  void theNameNodeOfThisHostIsFoundByItsAddress() {
    conf.set("dfs.nameservices", "ns");
    conf.set("dfs.ha.namenodes.ns", "nn1,nn2");
    conf.set("dfs.namenode.rpc-address.ns.nn1", "192.0.2.1:8020");
    conf.set("dfs.namenode.rpc-address.ns.nn2", "127.0.0.1:8020");

    assertThat(ThisNameNode.of(conf)).isEqualTo(new ThisNameNode("ns", "nn2"));
  }

  @Test
  void idsThatAreSetCount() {
    conf.set("dfs.nameservices", "other,ns");
    conf.set("dfs.nameservice.id", "ns");
    conf.set("dfs.ha.namenode.id", "nn1");

    assertThat(ThisNameNode.of(conf)).isEqualTo(new ThisNameNode("ns", "nn1"));
  }
}

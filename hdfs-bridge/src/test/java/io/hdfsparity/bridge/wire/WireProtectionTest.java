/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetSocketAddress;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WireProtectionTest {
  private final Configuration conf = new Configuration(false);

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        // secure; dfs.encrypt.data.transfer; dfs.data.transfer.protection; hadoop.rpc.protection
        "true; true; authentication; authentication",
        "true; true; ; integrity",
        "true; true; ; privacy,authentication",
        "true; false; privacy; authentication",
        "true; false; privacy; integrity",
        "true; false; integrity; authentication",
        "true; false; integrity,privacy; privacy,authentication",
        "false; true; ; privacy"
      })
  void whatDataTransferProtectsRpcHasToProtect(
      boolean isSecure, boolean isEncrypted, String transfer, String rpc) {
    set(isEncrypted, transfer, rpc);
    assertThatThrownBy(() -> WireProtection.require(conf, isSecure, "parity"))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("Cannot send parity by RPC: hadoop.rpc.protection=" + rpc)
        .hasMessageContaining("dfs.encrypt.data.transfer=" + isEncrypted)
        .hasMessageContaining("dfs.data.transfer.protection=")
        .hasMessageContaining("; set hadoop.rpc.protection=");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "true; true; ; privacy",
        "true; false; privacy; privacy",
        "true; false; integrity; integrity,privacy",
        "true; false; authentication,privacy; authentication",
        "true; false; authentication; authentication",
        "true; false; ; authentication",
        "false; false; privacy; authentication",
        "false; false; ; authentication"
      })
  void equalProtectionIsFine(boolean isSecure, boolean isEncrypted, String transfer, String rpc) {
    set(isEncrypted, transfer, rpc);
    assertThatCode(() -> WireProtection.require(conf, isSecure, "parity"))
        .doesNotThrowAnyException();
  }

  private void set(boolean isEncrypted, String transfer, String rpc) {
    conf.setBoolean("dfs.encrypt.data.transfer", isEncrypted);
    if (transfer != null) {
      conf.set("dfs.data.transfer.protection", transfer);
    }
    conf.set("hadoop.rpc.protection", rpc);
  }

  @Test
  void serversListenWhereTheDaemonsOwnDo() {
    InetSocketAddress any = new InetSocketAddress("0.0.0.0", 9877);
    InetSocketAddress own = new InetSocketAddress("192.0.2.9", 9877);
    conf.set("fs.defaultFS", "hdfs://127.0.0.1:8020");
    assertThat(BindHosts.ofNameNode(conf, own)).isEqualTo(own);
    assertThat(BindHosts.ofNameNode(conf, any)).isEqualTo(new InetSocketAddress("127.0.0.1", 9877));
    conf.set("dfs.namenode.servicerpc-address", "192.0.2.1:8021");
    assertThat(BindHosts.ofNameNode(conf, any)).as("two networks").isEqualTo(any);
    conf.set("dfs.namenode.servicerpc-address", "127.0.0.1:8021");
    assertThat(BindHosts.ofNameNode(conf, any).getHostString()).isEqualTo("127.0.0.1");
    conf.unset("dfs.namenode.servicerpc-address");
    conf.set("dfs.namenode.rpc-bind-host", "0.0.0.0");
    assertThat(BindHosts.ofNameNode(conf, any)).isEqualTo(any);

    assertThat(BindHosts.ofDataNode(conf, any)).isEqualTo(any);
    assertThat(BindHosts.ofDataNode(conf, own)).isEqualTo(own);
    conf.set("dfs.datanode.ipc.address", "127.0.0.1:9867");
    assertThat(BindHosts.ofDataNode(conf, any).getHostString()).isEqualTo("127.0.0.1");
    assertThat(BindHosts.ofDataNode(conf, any).getPort()).isEqualTo(9877);
  }
}

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

class LoopbackSocketFactoryTest {
  private static LoopbackSocketFactory factory(String address) {
    Configuration conf = new Configuration(false);
    conf.set(ClusterKey.BIND_ADDRESS.key(), address);
    LoopbackSocketFactory factory = new LoopbackSocketFactory();
    factory.setConf(conf);
    return factory;
  }

  @Test
  void connectionsComeFromTheAddress() throws IOException {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"));
        Socket client = factory("127.0.0.9").createSocket()) {
      client.connect(new InetSocketAddress("127.0.0.1", server.getLocalPort()), 120_000);
      try (Socket accepted = server.accept()) {
        assertThat(accepted.getInetAddress().getHostAddress()).isEqualTo("127.0.0.9");
      }
    }
  }

  @Test
  void anAddressOfAnotherMachineIsNamed() {
    assertThatThrownBy(() -> factory("192.0.2.1").createSocket())
        .isInstanceOf(IOException.class)
        .hasMessageContaining("192.0.2.1");
  }

  @Test
  void equalityIncludesTheAddress() {
    assertThat(factory("127.0.0.2"))
        .isEqualTo(factory("127.0.0.2"))
        .hasSameHashCodeAs(factory("127.0.0.2"))
        .isNotEqualTo(factory("127.0.0.3"));
  }
}

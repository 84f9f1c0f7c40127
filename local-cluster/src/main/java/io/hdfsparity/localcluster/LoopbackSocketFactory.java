/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import org.apache.hadoop.conf.Configurable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.net.StandardSocketFactory;

/**
 * Makes RPC connections leave from the daemon's own loopback address. The NameNode takes a
 * DataNode's IP address from the RPC connection (DatanodeManager#registerDatanode), and the kernel
 * would give all of them 127.0.0.1.
 *
 * <p>Thread-safe. Hadoop shares one RPC client among equal factories (ClientCache), so equality
 * includes the address.
 */
public final class LoopbackSocketFactory extends StandardSocketFactory implements Configurable {
  private volatile Configuration conf = new Configuration(false);

  @Override
  public void setConf(Configuration conf) {
    this.conf = conf;
  }

  @Override
  public Configuration getConf() {
    return conf;
  }

  private String bindAddress() {
    return conf.getTrimmed(ClusterKey.BIND_ADDRESS.key(), "");
  }

  @Override
  public Socket createSocket() throws IOException {
    Socket socket = super.createSocket();
    String address = bindAddress();
    if (!address.isEmpty()) {
      try {
        socket.bind(new InetSocketAddress(InetAddress.getByName(address), 0));
      } catch (IOException e) {
        socket.close();
        throw new IOException(
            "Cannot connect from "
                + ClusterKey.BIND_ADDRESS.key()
                + "="
                + address
                + ", expected an address of this machine",
            e);
      }
    }
    return socket;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof LoopbackSocketFactory that && that.bindAddress().equals(bindAddress());
  }

  @Override
  public int hashCode() {
    return bindAddress().hashCode();
  }
}

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.nbd;

import io.hdfsparity.core.check.ErrorMessage;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.util.Optional;
import javax.net.ssl.SSLSocket;

/** Clients that come by TCP, in clear from this machine only. Thread-safe. */
public final class TcpAcceptor implements Acceptor {
  private static final int BACKLOG = 64;

  private final ServerSocket socket;
  private final Optional<TlsIdentity> tls;

  private TcpAcceptor(ServerSocket socket, Optional<TlsIdentity> tls) {
    this.socket = socket;
    this.tls = tls;
  }

  /**
   * Listens.
   *
   * @param address port 0 for any that is free
   * @param tls empty: in clear
   * @throws IOException if the address cannot be had, or can be reached from elsewhere in clear
   */
  public static TcpAcceptor listen(InetSocketAddress address, Optional<TlsIdentity> tls)
      throws IOException {
    InetAddress host = address.getAddress();
    if (host == null || (tls.isEmpty() && !host.isLoopbackAddress())) {
      throw new IOException(
          ErrorMessage.to("serve block devices")
              .value("address", address)
              .expected("one of this machine; without TLS a loopback address")
              .message());
    }
    ServerSocket socket = new ServerSocket();
    try {
      socket.setOption(StandardSocketOptions.SO_REUSEADDR, true);
      socket.bind(address, BACKLOG);
      return new TcpAcceptor(socket, tls);
    } catch (IOException e) {
      socket.close();
      throw new IOException(
          ErrorMessage.to("serve block devices")
              .value("address", address)
              .expected("a port that is free: " + e.getMessage())
              .message(),
          e);
    }
  }

  /** Where it listens. */
  public int port() {
    return socket.getLocalPort();
  }

  @Override
  public Peer accept() throws IOException {
    Socket accepted = socket.accept();
    try {
      accepted.setTcpNoDelay(true);
      accepted.setKeepAlive(true);
      return new SocketPeer(accepted, tls);
    } catch (IOException e) {
      accepted.close();
      throw e;
    }
  }

  @Override
  public Handshake.Security security() {
    return tls.isPresent() ? Handshake.Security.TLS : Handshake.Security.CLEAR;
  }

  @Override
  public String uri(String export) {
    InetAddress host = socket.getInetAddress();
    String name = host.isAnyLocalAddress() ? "HOST" : host.getHostAddress();
    String shown = name.contains(":") ? "[" + name + "]" : name;
    return (tls.isPresent() ? "nbds://" : "nbd://") + shown + ":" + port() + "/" + export;
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }

  /** A connection by TCP, with TLS over it or not. */
  private record SocketPeer(Socket socket, Optional<TlsIdentity> tls) implements Peer {
    @Override
    public InputStream in() throws IOException {
      return socket.getInputStream();
    }

    @Override
    public OutputStream out() throws IOException {
      return socket.getOutputStream();
    }

    @Override
    public String address() {
      return String.valueOf(socket.getRemoteSocketAddress());
    }

    @Override
    public String host() {
      return socket.getInetAddress().getHostAddress();
    }

    @Override
    public Peer withTls() throws IOException {
      SSLSocket secured = tls.orElseThrow().secure(socket);
      secured.startHandshake();
      return new SocketPeer(secured, Optional.empty());
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }
}

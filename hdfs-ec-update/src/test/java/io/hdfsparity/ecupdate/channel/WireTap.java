/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.channel;

import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.function.UnaryOperator;

/** Stands between client and node: hears all, and can say something else to the client. */
final class WireTap implements Closeable {
  private final ServerSocket listening = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
  private final ByteArrayOutputStream heard = new ByteArrayOutputStream();
  private final InetSocketAddress node;
  private final UnaryOperator<byte[]> toClient;

  WireTap(InetSocketAddress node, UnaryOperator<byte[]> toClient) throws IOException {
    this.node = node;
    this.toClient = toClient;
    start(this::accept);
  }

  private static void start(Runnable task) {
    Thread thread = new Thread(task, "tap");
    thread.setDaemon(true);
    thread.start();
  }

  int port() {
    return listening.getLocalPort();
  }

  /** Of both directions. */
  boolean hasHeard(String text) {
    synchronized (heard) {
      return heard.toString(StandardCharsets.ISO_8859_1).contains(text);
    }
  }

  private void accept() {
    while (!listening.isClosed()) {
      try {
        Socket client = listening.accept();
        Socket server = new Socket(node.getAddress(), node.getPort());
        start(() -> pump(client, server, UnaryOperator.identity()));
        start(() -> pump(server, client, toClient));
      } catch (IOException e) {
        return; // closed
      }
    }
  }

  private void pump(Socket from, Socket to, UnaryOperator<byte[]> change) {
    byte[] buffer = new byte[65_536];
    try (from;
        to) {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        byte[] bytes = java.util.Arrays.copyOf(buffer, read);
        synchronized (heard) {
          heard.writeBytes(bytes);
        }
        out.write(change.apply(bytes));
      }
    } catch (IOException e) {
      return; // one of them has gone, and the other sees that
    }
  }

  @Override
  public void close() throws IOException {
    listening.close();
  }
}

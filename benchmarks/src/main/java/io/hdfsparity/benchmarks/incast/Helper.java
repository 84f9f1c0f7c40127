/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.incast;

import java.io.Closeable;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Random;

/** Answers a number with as many bytes, again and again. Thread-safe. */
final class Helper implements Closeable {
  static final int PORT = 7077;

  /** What every answer begins with. */
  private final byte[] content;

  private final ServerSocket server;

  /** Starts one that listens in a namespace. */
  Helper(NetworkNamespace where, int host, byte[] content)
      throws IOException, InterruptedException {
    this.content = content.clone();
    this.server =
        where.call(
            () -> {
              ServerSocket made = new ServerSocket();
              made.setReuseAddress(true);
              made.bind(new InetSocketAddress(SwitchedNetwork.address(host), PORT));
              return made;
            });
    begin(this::accept, "helper " + host);
  }

  /** Bytes of which every answer is the beginning. */
  static byte[] content(int lengthBytes, long seed) {
    byte[] content = new byte[lengthBytes];
    new Random(seed).nextBytes(content);
    return content;
  }

  private static void begin(Runnable what, String name) {
    Thread thread = new Thread(what, name);
    thread.setDaemon(true);
    thread.start();
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        Socket socket = server.accept();
        begin(() -> serve(socket), "answers");
      } catch (IOException e) {
        if (!server.isClosed()) {
          throw new IllegalStateException("Cannot answer", e);
        }
      }
    }
  }

  private void serve(Socket socket) {
    try (socket;
        DataInputStream in = new DataInputStream(socket.getInputStream())) {
      OutputStream out = socket.getOutputStream();
      while (true) {
        out.write(content, 0, in.readInt());
      }
    } catch (EOFException e) {
      // The client has read all it wanted.
      return;
    } catch (IOException e) {
      throw new IllegalStateException("Cannot answer", e);
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}

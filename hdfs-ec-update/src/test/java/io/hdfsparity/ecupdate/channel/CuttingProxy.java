/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.channel;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Stands between client and node: one port for as long as it lives, whatever becomes of the node
 * behind it, and connections that end after so many bytes, in the middle of a frame as likely as
 * not.
 */
public final class CuttingProxy implements Closeable {
  private final ServerSocket listening = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
  private final ExecutorService threads =
      Executors.newCachedThreadPool(
          task -> {
            Thread thread = new Thread(task, "proxy");
            thread.setDaemon(true);
            return thread;
          });
  private final List<Socket> sockets = new ArrayList<>();
  private final AtomicInteger cuts = new AtomicInteger();
  private final Random random;
  private volatile @Nullable InetSocketAddress node;
  private volatile int maxBytes = Integer.MAX_VALUE;

  public CuttingProxy(Random random) throws IOException {
    this.random = random;
    threads.execute(this::accept);
  }

  public int port() {
    return listening.getLocalPort();
  }

  /** Where connections go from now on; null: nowhere, and those there are end. */
  public void forwardTo(@Nullable InetSocketAddress address) {
    node = address;
    if (address == null) {
      cutAll();
    }
  }

  /** Connections from now on end after up to so many bytes in one direction. */
  public void cutWithin(int bytes) {
    maxBytes = bytes;
  }

  /** How many connections ended in the middle. */
  public int cuts() {
    return cuts.get();
  }

  /** Ends all connections. */
  public synchronized void cutAll() {
    sockets.forEach(CuttingProxy::closeQuietly);
    sockets.clear();
  }

  private void accept() {
    while (!listening.isClosed()) {
      try {
        Socket client = listening.accept();
        InetSocketAddress to = node;
        if (to == null) {
          client.close();
          continue;
        }
        connect(client, to);
      } catch (IOException e) {
        // The node is down, or the proxy is closed: the client sees its connection end.
        continue;
      }
    }
  }

  private void connect(Socket client, InetSocketAddress to) throws IOException {
    Socket server;
    try {
      server = new Socket(to.getAddress(), to.getPort());
    } catch (IOException e) {
      client.close();
      throw e;
    }
    long there;
    long back;
    synchronized (this) {
      sockets.add(client);
      sockets.add(server);
      there = bound();
      back = bound();
    }
    threads.execute(() -> pump(client, server, there));
    threads.execute(() -> pump(server, client, back));
  }

  private long bound() {
    return maxBytes == Integer.MAX_VALUE ? Long.MAX_VALUE : random.nextInt(maxBytes);
  }

  private void pump(Socket from, Socket to, long bound) {
    byte[] buffer = new byte[8192];
    long left = bound;
    try {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      int read = in.read(buffer);
      while (read >= 0) {
        int passed = (int) Math.min(read, left);
        out.write(buffer, 0, passed);
        left -= passed;
        if (left == 0) {
          cuts.incrementAndGet();
          break;
        }
        read = in.read(buffer);
      }
    } catch (IOException e) {
      // The other end is closed below, which is what its peer notices.
      left = 0;
    } finally {
      closeQuietly(from);
      closeQuietly(to);
    }
  }

  private static void closeQuietly(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() throws IOException {
    listening.close();
    cutAll();
    threads.shutdownNow();
  }
}

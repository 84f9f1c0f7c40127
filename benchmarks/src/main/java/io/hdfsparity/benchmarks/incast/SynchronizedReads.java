/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.incast;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;

/**
 * A client that asks all helpers at once and asks again when all of them have answered in full, as
 * one does that rebuilds a node. Used by one thread.
 */
final class SynchronizedReads implements Closeable {
  private final Selector selector;
  private final List<SocketChannel> channels = new ArrayList<>();
  private final ByteBuffer expected;

  /**
   * Connects.
   *
   * @param helpers the first so many
   * @param content what answers begin with
   */
  SynchronizedReads(int helpers, byte[] content) throws IOException {
    this.selector = Selector.open();
    this.expected = ByteBuffer.wrap(content).asReadOnlyBuffer();
    for (int host = 1; host <= helpers; host++) {
      SocketChannel channel =
          SocketChannel.open(new InetSocketAddress(SwitchedNetwork.address(host), Helper.PORT));
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      channel.configureBlocking(false);
      channels.add(channel);
    }
  }

  /**
   * Reads once.
   *
   * @param lengthsBytes what is read of each helper; 0 where it is not asked
   * @throws IOException when a byte is not what the helper has
   */
  void read(int[] lengthsBytes) throws IOException {
    int open = 0;
    for (int i = 0; i < lengthsBytes.length; i++) {
      if (lengthsBytes[i] > 0) {
        ByteBuffer answer = ByteBuffer.allocate(lengthsBytes[i]);
        channels.get(i).register(selector, SelectionKey.OP_READ, answer);
        ask(channels.get(i), lengthsBytes[i]);
        open++;
      }
    }
    while (open > 0) {
      selector.select();
      for (SelectionKey key : selector.selectedKeys()) {
        ByteBuffer answer = (ByteBuffer) key.attachment();
        if (((SocketChannel) key.channel()).read(answer) < 0) {
          throw new EOFException("Cannot measure: a helper has ended");
        }
        if (!answer.hasRemaining()) {
          check(answer.flip());
          key.interestOps(0);
          open--;
        }
      }
      selector.selectedKeys().clear();
    }
  }

  /** A question always fits into the socket's buffer: the answer before it has been read. */
  private static void ask(SocketChannel channel, int lengthBytes) throws IOException {
    ByteBuffer question = ByteBuffer.allocate(Integer.BYTES).putInt(lengthBytes).flip();
    channel.write(question);
    if (question.hasRemaining()) {
      throw new IOException("Cannot measure: expected room for 4 bytes");
    }
  }

  private void check(ByteBuffer answer) throws IOException {
    int wrong = answer.mismatch(expected.slice(0, answer.remaining()));
    if (wrong >= 0) {
      throw new IOException("Cannot trust the answer: byte " + wrong + " is not the helper's");
    }
  }

  @Override
  public void close() throws IOException {
    for (SocketChannel channel : channels) {
      channel.close();
    }
    selector.close();
  }
}

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.channel;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.ecupdate.ajx.Bytes;
import io.hdfsparity.ecupdate.ajx.Request;
import io.hdfsparity.ecupdate.ajx.SlotKey;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** A socket that sends what a test asks for, and receives whole frames. */
final class RawPeer implements Closeable {
  private static final int TIMEOUT_MS = 120_000;
  private static final FrameCodec CODEC = new FrameCodec(1 << 20);

  private final Socket socket;
  private final DataInputStream in;

  RawPeer(InetSocketAddress address) throws IOException {
    socket = new Socket(address.getAddress(), address.getPort());
    socket.setSoTimeout(TIMEOUT_MS);
    in = new DataInputStream(socket.getInputStream());
  }

  /** A connection that has been let in. */
  static RawPeer welcomed(InetSocketAddress address, String client, String token)
      throws IOException {
    RawPeer peer = new RawPeer(address);
    peer.hello(client, token);
    Object answer = peer.next();
    if (!(answer instanceof Control.Welcome)) {
      throw new AssertionError("Expected a welcome, got " + answer);
    }
    return peer;
  }

  void hello(String client, String token) throws IOException {
    send(ControlCodec.encode(new Control.Hello("BP-1", client, Bytes.copyOf(token.getBytes()))));
  }

  void send(ByteBuffer bytes) throws IOException {
    byte[] array = new byte[bytes.remaining()];
    bytes.get(array);
    socket.getOutputStream().write(array);
  }

  void ask(long call, SlotKey slot, Request request) throws IOException {
    send(CODEC.encode(new Message.Ask(call, slot, request)));
  }

  boolean hasInput() throws IOException {
    return in.available() > 0;
  }

  /** The next frame is the last one, and says why the node ends the connection. */
  void assertClosed(ChannelError error, String reason) throws IOException {
    Object last = next();
    assertThat(last).isInstanceOf(Control.ConnectionEnd.class);
    assertThat(((Control.ConnectionEnd) last).error()).isEqualTo(error);
    assertThat(((Control.ConnectionEnd) last).reason()).contains(reason);
    assertThat(next()).isNull();
  }

  /** The next frame; null at the end. */
  @Nullable Object next() throws IOException {
    byte[] magic = new byte[Integer.BYTES];
    int there = in.readNBytes(magic, 0, magic.length);
    if (there < magic.length) {
      return null;
    }
    boolean isControl = ByteBuffer.wrap(magic).getInt() == ControlCodec.MAGIC;
    int headerBytes = isControl ? ControlCodec.HEADER_BYTES : FrameCodec.HEADER_BYTES;
    byte[] rest = in.readNBytes(headerBytes - magic.length);
    int payloadBytes = ByteBuffer.wrap(rest).getInt(4);
    byte[] payload = in.readNBytes(payloadBytes);
    ByteBuffer frame = ByteBuffer.allocate(headerBytes + payloadBytes);
    frame.put(magic).put(rest).put(payload).flip();
    return isControl ? ControlCodec.decode(frame) : CODEC.decode(frame);
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.channel;

import io.hdfsparity.ecupdate.channel.secure.ClientHandshake;
import io.hdfsparity.ecupdate.channel.secure.Records;
import io.hdfsparity.ecupdate.channel.secure.Secret;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import org.jspecify.annotations.Nullable;

/** A socket that speaks to a node under protection, and can say what no client says. */
final class ProtectedPeer implements Closeable {
  private static final int TIMEOUT_MS = 120_000;
  private static final FrameCodec CODEC = new FrameCodec(1 << 20);

  private final Socket socket;
  private final DataInputStream in;
  private final ByteArrayOutputStream sent = new ByteArrayOutputStream();
  private @Nullable Records records;

  ProtectedPeer(InetSocketAddress address) throws IOException {
    socket = new Socket(address.getAddress(), address.getPort());
    socket.setSoTimeout(TIMEOUT_MS);
    in = new DataInputStream(socket.getInputStream());
  }

  /** A connection on which records may come. */
  static ProtectedPeer opened(InetSocketAddress address, Secret secret) throws IOException {
    ProtectedPeer peer = new ProtectedPeer(address);
    ClientHandshake handshake = ClientHandshake.begin(secret, new SecureRandom());
    peer.send(handshake.opening().toArray());
    byte[] acceptance = peer.in.readNBytes(58);
    peer.records = handshake.accepted(ByteBuffer.wrap(acceptance));
    if (peer.records == null) {
      throw new AssertionError("Expected an acceptance, got bytes=" + acceptance.length);
    }
    return peer;
  }

  void send(byte[] bytes) throws IOException {
    sent.writeBytes(bytes);
    socket.getOutputStream().write(bytes);
  }

  /** All that was sent so far. */
  byte[] sent() {
    return sent.toByteArray();
  }

  /** The next record, which is not sent. */
  byte[] seal(ByteBuffer frame) {
    byte[] record = new byte[Records.recordBytes(frame.remaining())];
    records.seal(frame, ByteBuffer.wrap(record));
    return record;
  }

  byte[] hello(String client, String token) {
    return seal(
        ControlCodec.encode(new Control.Hello("BP-1", client, ProtectedTestAccess.bytes(token))));
  }

  byte[] ask(long call, Message.Ask ask) {
    return seal(CODEC.encode(new Message.Ask(call, ask.slot(), ask.request())));
  }

  /** The next frame under protection; null at the end. */
  @Nullable Object next() throws IOException {
    int first = in.read();
    if (first < 0) {
      return null;
    }
    byte[] sealed = in.readNBytes(first << 8 | in.read());
    ByteBuffer plain = ByteBuffer.allocate(sealed.length - 16);
    records.open(ByteBuffer.wrap(sealed), plain);
    plain.flip();
    return plain.getInt(0) == ControlCodec.MAGIC ? ControlCodec.decode(plain) : CODEC.decode(plain);
  }

  /** Whether the node accepts, without a look at it. */
  boolean nextAcceptance() throws IOException {
    byte[] acceptance = in.readNBytes(58);
    return acceptance.length == 58 && ByteBuffer.wrap(acceptance).getInt() == 0x45435553;
  }

  /** Of the next record, which is skipped; 0 at the end. */
  int nextSealedBytes() throws IOException {
    int first = in.read();
    return first < 0 ? 0 : in.readNBytes(first << 8 | in.read()).length;
  }

  /** A frame in clear; null at the end. */
  @Nullable Control nextInClear() throws IOException {
    byte[] header = in.readNBytes(ControlCodec.HEADER_BYTES);
    if (header.length < ControlCodec.HEADER_BYTES) {
      return null;
    }
    byte[] payload = in.readNBytes(ByteBuffer.wrap(header).getInt(8));
    ByteBuffer frame = ByteBuffer.allocate(header.length + payload.length);
    return ControlCodec.decode(frame.put(header).put(payload).flip());
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}

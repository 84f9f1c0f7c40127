/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** A client of network block devices with one request at a time, and simple replies. */
final class NbdClient implements Closeable {
  private static final long OPTION_MAGIC = 0x49484156454F5054L;
  private static final int REQUEST_MAGIC = 0x25609513;
  private static final int GREETING_BYTES = 18;
  private static final int EXPORT_BYTES = 10;

  private final Socket socket;
  private final DataInputStream in;
  private final DataOutputStream out;
  private long cookie;

  NbdClient(int port, String export) throws IOException {
    socket = new Socket("127.0.0.1", port);
    socket.setTcpNoDelay(true);
    in = new DataInputStream(socket.getInputStream());
    out = new DataOutputStream(socket.getOutputStream());
    in.skipNBytes(GREETING_BYTES);
    byte[] name = export.getBytes(StandardCharsets.UTF_8);
    out.write(
        ByteBuffer.allocate(20 + name.length)
            .putInt(3)
            .putLong(OPTION_MAGIC)
            .putInt(1)
            .putInt(name.length)
            .put(name)
            .array());
    in.skipNBytes(EXPORT_BYTES);
  }

  /** Durable without a cache of the server. */
  void write(long offset, byte[] bytes) throws IOException {
    request(1, offset, bytes.length, bytes);
  }

  byte[] read(long offset, int lengthBytes) throws IOException {
    request(0, offset, lengthBytes, new byte[0]);
    byte[] bytes = new byte[lengthBytes];
    in.readFully(bytes);
    return bytes;
  }

  private void request(int type, long offset, int lengthBytes, byte[] payload) throws IOException {
    out.write(
        ByteBuffer.allocate(28 + payload.length)
            .putInt(REQUEST_MAGIC)
            .putShort((short) 0)
            .putShort((short) type)
            .putLong(++cookie)
            .putLong(offset)
            .putInt(lengthBytes)
            .put(payload)
            .array());
    in.readInt();
    int error = in.readInt();
    in.readLong();
    if (error != 0) {
      throw new IOException("Cannot use a block device: error=" + error);
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}

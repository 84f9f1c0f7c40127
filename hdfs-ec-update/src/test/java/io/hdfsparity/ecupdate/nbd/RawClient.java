/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.nbd;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/**
 * A client that speaks the protocol by bytes, written by hand from its specification. It knows none
 * of the server's classes. Not thread-safe.
 */
final class RawClient implements Closeable {
  static final String GREETING = "4e42444d41474943 49484156454f5054 0003";
  static final String OPTION = "49484156454f5054";
  static final String REPLY = "0003e889045565a9";
  static final String REQUEST = "25609513";
  static final String SIMPLE = "67446698";
  static final String CHUNK = "668e33ef";

  private final Socket plain;
  private Socket socket;
  private DataInputStream in;
  private DataOutputStream out;

  RawClient(int port) throws IOException {
    plain = new Socket("127.0.0.1", port);
    plain.setSoTimeout(60_000);
    plain.setTcpNoDelay(true);
    use(plain);
  }

  /** Goes on over another one, which lies on the first. */
  void use(Socket over) throws IOException {
    socket = over;
    in = new DataInputStream(over.getInputStream());
    out = new DataOutputStream(over.getOutputStream());
  }

  Socket plain() {
    return plain;
  }

  static byte[] bytes(String hex) {
    return HexFormat.of().parseHex(hex.replaceAll("\\s", ""));
  }

  static String hex(long value, int bytes) {
    return HexFormat.of().toHexDigits(value, 2 * bytes);
  }

  static String text(String text) {
    return HexFormat.of().formatHex(text.getBytes(StandardCharsets.UTF_8));
  }

  /** Numbers in hexadecimal, with white space between them where it helps. */
  void send(String hex) throws IOException {
    out.write(bytes(hex));
    out.flush();
  }

  void send(byte[] bytes) throws IOException {
    out.write(bytes);
    out.flush();
  }

  void expect(String hex) throws IOException {
    byte[] wanted = bytes(hex);
    assertThat(HexFormat.of().formatHex(in.readNBytes(wanted.length)))
        .isEqualTo(HexFormat.of().formatHex(wanted));
  }

  byte[] read(int lengthBytes) throws IOException {
    byte[] bytes = new byte[lengthBytes];
    in.readFully(bytes);
    return bytes;
  }

  int readInt() throws IOException {
    return in.readInt();
  }

  long readLong() throws IOException {
    return in.readLong();
  }

  /** The server has closed the connection, and sent nothing before. */
  void expectEnd() throws IOException {
    try {
      assertThat(in.read()).isEqualTo(-1);
    } catch (java.net.SocketException e) {
      assertThat(e).hasMessageContaining("reset");
    }
  }

  void greet() throws IOException {
    expect(GREETING);
    send("00000003");
  }

  void option(int number, String hexData) throws IOException {
    byte[] data = bytes(hexData);
    send(OPTION + hex(number, 4) + hex(data.length, 4) + hexData);
  }

  /** A reply's type; its data is read past. */
  int reply(int option) throws IOException {
    expect(REPLY + hex(option, 4));
    int type = in.readInt();
    read(in.readInt());
    return type;
  }

  /** From the greeting to transmission, by NBD_OPT_GO, with structured replies or without. */
  void go(String name, boolean structured) throws IOException {
    greet();
    if (structured) {
      option(8, "");
      assertThat(reply(8)).isEqualTo(1);
    }
    option(7, hex(name.getBytes(StandardCharsets.UTF_8).length, 4) + text(name) + "0000");
    assertThat(reply(7)).isEqualTo(3);
    assertThat(reply(7)).isEqualTo(1);
  }

  void request(int flags, int type, long cookie, long offset, long length) throws IOException {
    send(REQUEST + hex(flags, 2) + hex(type, 2) + hex(cookie, 8) + hex(offset, 8) + hex(length, 4));
  }

  void write(int flags, long cookie, long offset, byte[] data) throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    all.write(
        bytes(
            REQUEST
                + hex(flags, 2)
                + hex(1, 2)
                + hex(cookie, 8)
                + hex(offset, 8)
                + hex(data.length, 4)));
    all.write(data);
    send(all.toByteArray());
  }

  /** A simple reply without data. */
  void expectSimple(int error, long cookie) throws IOException {
    expect(SIMPLE + hex(error, 4) + hex(cookie, 8));
  }

  @Override
  public void close() throws IOException {
    socket.close();
    plain.close();
  }
}

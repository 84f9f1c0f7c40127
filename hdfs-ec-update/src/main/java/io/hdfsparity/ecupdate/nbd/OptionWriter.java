/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.nbd;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Writes replies to options (specification, section "Option reply types"). Used by one thread. */
final class OptionWriter {
  private static final int HEADER_BYTES = 20;
  private static final int MINIMUM_BLOCK_BYTES = 1;
  private static final int PREFERRED_BLOCK_BYTES = 4096;

  private final OutputStream out;
  private final int maxPayloadBytes;

  OptionWriter(OutputStream out, int maxPayloadBytes) {
    this.out = out;
    this.maxPayloadBytes = maxPayloadBytes;
  }

  /** Bytes without a header: of the greeting, and the answer to NBD_OPT_EXPORT_NAME. */
  void raw(ByteBuffer bytes) throws IOException {
    out.write(bytes.array(), 0, bytes.position());
    out.flush();
  }

  void ack(int option) throws IOException {
    reply(option, NbdConstants.REP_ACK, new byte[0]);
  }

  /** An error reply, with a text for people. */
  void error(int option, int type, String message) throws IOException {
    reply(option, type, message.getBytes(StandardCharsets.UTF_8));
  }

  /** One export of a list. */
  void server(int option, ServedExport export) throws IOException {
    byte[] name = export.name().getBytes(StandardCharsets.UTF_8);
    byte[] description = export.description().getBytes(StandardCharsets.UTF_8);
    reply(
        option,
        NbdConstants.REP_SERVER,
        ByteBuffer.allocate(Integer.BYTES + name.length + description.length)
            .putInt(name.length)
            .put(name)
            .put(description)
            .array());
  }

  /** Size and transmission flags. */
  void export(int option, ServedExport export, ReplyForm form) throws IOException {
    reply(
        option,
        NbdConstants.REP_INFO,
        ByteBuffer.allocate(12)
            .putShort((short) NbdConstants.INFO_EXPORT)
            .putLong(export.device().sizeBytes())
            .putShort((short) export.transmissionFlags(form))
            .array());
  }

  /** Sizes that requests should have. */
  void blockSizes(int option) throws IOException {
    reply(
        option,
        NbdConstants.REP_INFO,
        ByteBuffer.allocate(14)
            .putShort((short) NbdConstants.INFO_BLOCK_SIZE)
            .putInt(MINIMUM_BLOCK_BYTES)
            .putInt(PREFERRED_BLOCK_BYTES)
            .putInt(maxPayloadBytes)
            .array());
  }

  /**
   * A text about an export.
   *
   * @param type NBD_INFO_NAME or NBD_INFO_DESCRIPTION
   */
  void text(int option, int type, String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    reply(
        option,
        NbdConstants.REP_INFO,
        ByteBuffer.allocate(Short.BYTES + bytes.length).putShort((short) type).put(bytes).array());
  }

  private void reply(int option, int type, byte[] data) throws IOException {
    ByteBuffer header =
        ByteBuffer.allocate(HEADER_BYTES)
            .putLong(NbdConstants.OPTION_REPLY_MAGIC)
            .putInt(option)
            .putInt(type)
            .putInt(data.length);
    out.write(header.array());
    out.write(data);
    out.flush();
  }
}

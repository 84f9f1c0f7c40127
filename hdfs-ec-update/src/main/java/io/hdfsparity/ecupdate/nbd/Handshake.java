/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.nbd;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/**
 * The fixed newstyle handshake with a client (specification, sections "Fixed newstyle negotiation",
 * "TLS support" and "Option types"). Used by one thread.
 *
 * <pre>
 *   greeting ---- option* ----+---- EXPORT_NAME, or GO that is accepted ---&gt; transmission
 *                   |         +---- ABORT -----------------------------&gt; closed
 *                   +-- STARTTLS: once, and then all again over TLS
 * </pre>
 *
 * With TLS offered it is required: before it, only STARTTLS and ABORT are accepted (mode
 * FORCEDTLS).
 */
final class Handshake {
  /** Of an option's data; the longest that is known has a name and a list of numbers. */
  private static final int MAX_OPTION_BYTES = 1 << 14;

  /** What is read past; more is an attack. */
  private static final int MAX_SKIPPED_BYTES = 1 << 20;

  private static final int MAX_OPTIONS = 1000;
  private static final int ZEROES = 124;
  private static final int CLIENT_FLAGS =
      NbdConstants.FLAG_FIXED_NEWSTYLE | NbdConstants.FLAG_NO_ZEROES;
  private static final int STREAM_BYTES = 1 << 16;

  /** Whether a server offers TLS, which it then requires. */
  enum Security {
    CLEAR,
    TLS
  }

  /** Decides whether a client may use an export. */
  @FunctionalInterface
  interface Permission {
    /**
     * Asked once, before the client learns that it may.
     *
     * @throws IOException if not; the connection is closed
     */
    void require() throws IOException;
  }

  private final ExportCatalog exports;
  private final Security security;
  private final int maxPayloadBytes;
  private final Permission permission;
  private Peer peer;
  private DataInputStream in;
  private OptionWriter out;
  private ReplyForm form = ReplyForm.SIMPLE;
  private boolean isSecured;
  private boolean isFixed;
  private boolean isPadded;

  /**
   * What was agreed on.
   *
   * @param peer the connection, now over TLS if that was asked for
   * @param in what was read ahead is in it
   */
  record Agreed(ServedExport export, ReplyForm form, Peer peer, DataInputStream in) {}

  Handshake(
      ExportCatalog exports,
      Security security,
      int maxPayloadBytes,
      Permission permission,
      Peer peer)
      throws IOException {
    this.exports = exports;
    this.security = security;
    this.maxPayloadBytes = maxPayloadBytes;
    this.permission = permission;
    this.peer = peer;
    in = input(peer);
    out = output();
  }

  private static DataInputStream input(Peer peer) throws IOException {
    return new DataInputStream(new BufferedInputStream(peer.in(), STREAM_BYTES));
  }

  private OptionWriter output() throws IOException {
    return new OptionWriter(new BufferedOutputStream(peer.out()), maxPayloadBytes);
  }

  /** An option: its number and its data. */
  private record Option(int number, byte[] data) {
    String text() {
      return new String(data, StandardCharsets.UTF_8);
    }
  }

  /**
   * Serves options until the client has chosen an export.
   *
   * @return empty: the client has ended the connection
   * @throws NbdProtocolException if it has to be closed
   */
  Optional<Agreed> run() throws IOException {
    greet();
    for (int i = 0; i < MAX_OPTIONS; i++) {
      Optional<Option> option = next();
      if (option.isEmpty()) {
        continue; // it was too big, and has been refused
      }
      if (option.get().number() == NbdConstants.OPT_ABORT) {
        out.ack(NbdConstants.OPT_ABORT);
        return Optional.empty();
      }
      Optional<ServedExport> chosen = serve(option.get());
      if (chosen.isPresent()) {
        return Optional.of(new Agreed(chosen.get(), form, peer, in));
      }
    }
    throw new NbdProtocolException("options of a connection", MAX_OPTIONS, "fewer");
  }

  private void greet() throws IOException {
    out.raw(
        ByteBuffer.allocate(18)
            .putLong(NbdConstants.INIT_PASSWD)
            .putLong(NbdConstants.OPTION_MAGIC)
            .putShort((short) (NbdConstants.FLAG_FIXED_NEWSTYLE | NbdConstants.FLAG_NO_ZEROES)));
    int flags = in.readInt();
    if ((flags & ~CLIENT_FLAGS) != 0) {
      throw new NbdProtocolException(
          "client flags", Integer.toHexString(flags), "fixed newstyle and no zeroes only");
    }
    isFixed = (flags & NbdConstants.FLAG_FIXED_NEWSTYLE) != 0;
    isPadded = (flags & NbdConstants.FLAG_NO_ZEROES) == 0;
  }

  /** Empty: it was too big, and has been refused. */
  private Optional<Option> next() throws IOException {
    long magic = in.readLong();
    if (magic != NbdConstants.OPTION_MAGIC) {
      throw new NbdProtocolException("magic of an option", Long.toHexString(magic), "IHAVEOPT");
    }
    int number = in.readInt();
    long lengthBytes = Integer.toUnsignedLong(in.readInt());
    if (!isFixed && number != NbdConstants.OPT_EXPORT_NAME) {
      throw new NbdProtocolException(
          "option of a client without fixed newstyle", number, "NBD_OPT_EXPORT_NAME");
    }
    if (lengthBytes > MAX_OPTION_BYTES) {
      if (lengthBytes > MAX_SKIPPED_BYTES || number == NbdConstants.OPT_EXPORT_NAME) {
        throw new NbdProtocolException(
            "length of option " + number, lengthBytes, "at most " + MAX_OPTION_BYTES);
      }
      in.skipNBytes(lengthBytes);
      out.error(number, NbdConstants.REP_ERR_TOO_BIG, "at most " + MAX_OPTION_BYTES + " bytes");
      return Optional.empty();
    }
    byte[] data = in.readNBytes((int) lengthBytes);
    if (data.length < lengthBytes) {
      throw new EOFException("Cannot read an option: the connection ended in its data");
    }
    return Optional.of(new Option(number, data));
  }

  /** The export, if the option has chosen one. */
  private Optional<ServedExport> serve(Option option) throws IOException {
    if (security == Security.TLS && !isSecured && option.number() != NbdConstants.OPT_STARTTLS) {
      if (option.number() == NbdConstants.OPT_EXPORT_NAME) {
        throw new NbdProtocolException("connection", "in clear", "TLS before an export is chosen");
      }
      out.error(option.number(), NbdConstants.REP_ERR_TLS_REQD, "this server requires TLS");
      return Optional.empty();
    }
    switch (option.number()) {
      case NbdConstants.OPT_EXPORT_NAME:
        return Optional.of(begin(option.text()));
      case NbdConstants.OPT_INFO, NbdConstants.OPT_GO:
        return inform(option);
      case NbdConstants.OPT_LIST:
        list(option);
        break;
      case NbdConstants.OPT_STRUCTURED_REPLY:
        if (isEmpty(option)) {
          form = ReplyForm.STRUCTURED;
          out.ack(option.number());
        }
        break;
      case NbdConstants.OPT_STARTTLS:
        startTls(option);
        break;
      default:
        out.error(option.number(), NbdConstants.REP_ERR_UNSUP, "this server does not have it");
        break;
    }
    return Optional.empty();
  }

  /** Answers an option that has data, and must not. */
  private boolean isEmpty(Option option) throws IOException {
    if (option.data().length == 0) {
      return true;
    }
    out.error(option.number(), NbdConstants.REP_ERR_INVALID, "this option has no data");
    return false;
  }

  private ServedExport begin(String name) throws IOException {
    ServedExport export =
        exports
            .find(name)
            .orElseThrow(
                () -> new NbdProtocolException("export", name, "one that this server has"));
    permission.require();
    ByteBuffer answer =
        ByteBuffer.allocate(Long.BYTES + Short.BYTES + ZEROES)
            .putLong(export.device().sizeBytes())
            .putShort((short) export.transmissionFlags(form));
    if (isPadded) {
      answer.put(new byte[ZEROES]);
    }
    out.raw(answer);
    return export;
  }

  private void list(Option option) throws IOException {
    if (isEmpty(option)) {
      for (ServedExport export : exports.all()) {
        out.server(option.number(), export);
      }
      out.ack(option.number());
    }
  }

  private void startTls(Option option) throws IOException {
    if (security == Security.CLEAR) {
      out.error(option.number(), NbdConstants.REP_ERR_POLICY, "this server has no certificate");
    } else if (isSecured) {
      out.error(option.number(), NbdConstants.REP_ERR_INVALID, "TLS has begun already");
    } else if (isEmpty(option)) {
      if (in.available() > 0) {
        // Whoever injects options before TLS must not have them taken for the client's.
        throw new NbdProtocolException("bytes behind STARTTLS", in.available(), "none");
      }
      out.ack(option.number());
      peer = peer.withTls();
      in = input(peer);
      out = output();
      isSecured = true;
      form = ReplyForm.SIMPLE; // nothing that was said in clear counts
    }
  }

  /**
   * What a client asks for.
   *
   * @param name of an export
   * @param items NBD_INFO numbers
   */
  private record InfoRequest(String name, Set<Integer> items) {}

  /** NBD_OPT_INFO, and NBD_OPT_GO, which chooses the export too. */
  private Optional<ServedExport> inform(Option option) throws IOException {
    Optional<InfoRequest> wanted = parse(option.data());
    if (wanted.isEmpty()) {
      out.error(option.number(), NbdConstants.REP_ERR_INVALID, "lengths do not fit");
      return Optional.empty();
    }
    Optional<ServedExport> found = exports.find(wanted.get().name());
    if (found.isEmpty()) {
      out.error(option.number(), NbdConstants.REP_ERR_UNKNOWN, "there is no such export");
      return Optional.empty();
    }
    if (option.number() == NbdConstants.OPT_GO) {
      permission.require();
    }
    ServedExport export = found.get();
    out.export(option.number(), export, form);
    for (int item : wanted.get().items()) {
      if (item == NbdConstants.INFO_BLOCK_SIZE) {
        out.blockSizes(option.number());
      } else if (item == NbdConstants.INFO_NAME) {
        out.text(option.number(), item, export.name());
      } else if (item == NbdConstants.INFO_DESCRIPTION) {
        out.text(option.number(), item, export.description());
      }
    }
    out.ack(option.number());
    return option.number() == NbdConstants.OPT_GO ? found : Optional.empty();
  }

  /** 32 bits length of the name, name, 16 bits count, 16 bits each; nothing behind them. */
  private static Optional<InfoRequest> parse(byte[] data) {
    ByteBuffer box = ByteBuffer.wrap(data);
    if (box.remaining() < Integer.BYTES) {
      return Optional.empty();
    }
    long nameBytes = Integer.toUnsignedLong(box.getInt());
    if (nameBytes > box.remaining() - Short.BYTES) {
      return Optional.empty();
    }
    byte[] name = new byte[(int) nameBytes];
    box.get(name);
    int count = Short.toUnsignedInt(box.getShort());
    if (box.remaining() != count * Short.BYTES) {
      return Optional.empty();
    }
    Set<Integer> items = new LinkedHashSet<>();
    for (int i = 0; i < count; i++) {
      items.add(Short.toUnsignedInt(box.getShort()));
    }
    return Optional.of(new InfoRequest(new String(name, StandardCharsets.UTF_8), items));
  }
}

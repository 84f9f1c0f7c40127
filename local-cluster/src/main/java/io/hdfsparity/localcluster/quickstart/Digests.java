/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.quickstart;

import java.io.IOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** SHA-256 of contents. */
final class Digests {
  static final int BUFFER_BYTES = 1 << 20;

  private Digests() {}

  static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every Java platform has SHA-256", e);
    }
  }

  static String hex(MessageDigest digest) {
    return HexFormat.of().formatHex(digest.digest());
  }

  /** Takes pieces of a content, in order. */
  interface Sink {
    void take(byte[] piece) throws IOException;
  }

  /** Where bytes come from cannot be read; nothing is wrong with where they go to. */
  static final class SourceException extends IOException {
    private static final long serialVersionUID = 1L;

    SourceException(IOException cause) {
      super(cause.getMessage(), cause);
    }
  }

  /** The digest of a content. */
  static String of(Content content) throws IOException {
    return copy(content, piece -> {});
  }

  /**
   * Hands all of a content to a sink and gives its digest.
   *
   * @throws SourceException when the content cannot be read
   * @throws IOException of the sink
   */
  static String copy(Content content, Sink sink) throws IOException {
    MessageDigest digest = sha256();
    for (long position = 0; position < content.lengthBytes(); position += BUFFER_BYTES) {
      byte[] piece;
      try {
        int length = (int) Math.min(BUFFER_BYTES, content.lengthBytes() - position);
        piece = content.read(position, length);
      } catch (IOException e) {
        throw new SourceException(e);
      }
      digest.update(piece);
      sink.take(piece);
    }
    return hex(digest);
  }
}

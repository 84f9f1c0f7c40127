/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.protocol;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * Whose a session is, as DataNodes remember it for a NameNode that does not know the session: a
 * number made of its file, its user, and whether it is exclusive. It is compared only; nothing is
 * read from it. Immutable.
 *
 * @param number 64 bits of a SHA-256 digest; 0: not known, which is nobody's
 * @param exclusiveInode of the file, if the session is exclusive: others wait for it after a
 *     failover; 0: it is shared, or that is not known
 */
public record SessionOwner(long number, long exclusiveInode) {
  /** Of a session of which a NameNode with older software has said nothing else. */
  public static final SessionOwner UNKNOWN = new SessionOwner(0, 0);

  /**
   * The owner of a session.
   *
   * @param inodeId of its file
   * @param user who opened it
   * @param sharing as it was granted, so that a shared one does not come back as exclusive
   */
  public static SessionOwner of(long inodeId, String user, Sharing sharing) {
    byte[] name = user.getBytes(StandardCharsets.UTF_8);
    byte[] bytes =
        ByteBuffer.allocate(Long.BYTES + 1 + name.length)
            .putLong(inodeId)
            .put((byte) (sharing == Sharing.EXCLUSIVE ? 1 : 0))
            .put(name)
            .array();
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(bytes);
      return new SessionOwner(
          ByteBuffer.wrap(digest).getLong(), sharing == Sharing.EXCLUSIVE ? inodeId : 0);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(
          "Cannot say whose a session is: digest=SHA-256, expected in the JDK", e);
    }
  }

  /** Whether it is known, and the same. */
  public boolean isSame(SessionOwner other) {
    return number != 0 && number == other.number;
  }
}

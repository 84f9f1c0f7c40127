/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.protocol;

import io.hdfsparity.core.check.ErrorMessage;
import java.util.Optional;

/**
 * Asks for a session. Immutable.
 *
 * @param path absolute
 * @param client name of the program, for people; at most {@link #MAX_CLIENT} characters
 * @param missingUnits how many units of a group may be missing; 0 unless the client works with
 *     fewer
 * @param sharing whether others may have the file open too
 * @param program that opens it; empty: one that does not continue in another session
 * @param purpose of the session
 */
public record OpenRequest(
    String path,
    String client,
    int missingUnits,
    Sharing sharing,
    Optional<OpeningProgram> program,
    Purpose purpose) {
  /** Characters of a client's name, which the NameNode keeps for each session. */
  public static final int MAX_CLIENT = 255;

  /**
   * A reader leaves the mark of the program that has written last: it can be no program of its own,
   * nor continue as one.
   *
   * @throws IllegalArgumentException if it contradicts itself
   */
  public OpenRequest {
    requireShort(client);
    if (purpose == Purpose.READ && (sharing == Sharing.EXCLUSIVE || program.isPresent())) {
      throw new IllegalArgumentException(
          ErrorMessage.to("open an update session")
              .value("purpose", purpose)
              .value("sharing", sharing)
              .value("program", program.isPresent())
              .expected("a reader that is shared and has no program, or a writer")
              .where("path", path)
              .message());
    }
  }

  static void requireShort(String client) {
    if (client.length() > MAX_CLIENT) {
      throw new IllegalArgumentException(
          ErrorMessage.to("use an update session")
              .value("characters of the client's name", client.length())
              .expected("at most " + MAX_CLIENT)
              .message());
    }
  }

  /** Of a program that does not continue in another session. */
  public OpenRequest(String path, String client, int missingUnits, Sharing sharing) {
    this(path, client, missingUnits, sharing, Optional.empty(), Purpose.WRITE);
  }

  /** One that is shared. */
  public OpenRequest(String path, String client, int missingUnits) {
    this(path, client, missingUnits, Sharing.SHARED);
  }
}

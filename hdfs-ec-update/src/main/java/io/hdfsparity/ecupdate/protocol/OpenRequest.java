/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.protocol;

import java.util.Optional;

/**
 * Asks for a session. Immutable.
 *
 * @param path absolute
 * @param client name of the program, for people
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
  /** Of a program that does not continue in another session. */
  public OpenRequest(String path, String client, int missingUnits, Sharing sharing) {
    this(path, client, missingUnits, sharing, Optional.empty(), Purpose.WRITE);
  }

  /** One that is shared. */
  public OpenRequest(String path, String client, int missingUnits) {
    this(path, client, missingUnits, Sharing.SHARED);
  }
}

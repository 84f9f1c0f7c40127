/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.protocol;

/**
 * A session, for people. Immutable.
 *
 * @param id of the session
 * @param path as it was opened
 * @param user who opened it
 * @param client name of the program
 * @param ageMs since it was opened or attached
 * @param leftMs until it expires; 0 when it is over
 * @param ended why it is over, while DataNodes may still take it for live; empty: open
 * @param grant how it was granted
 */
public record SessionStatus(
    SessionId id,
    String path,
    String user,
    String client,
    long ageMs,
    long leftMs,
    String ended,
    Grant grant) {
  /**
   * How a session was granted. Immutable.
   *
   * @param sharing whether others may have the file open; shared too where a NameNode that does not
   *     know of exclusive sessions lists it
   * @param attached an earlier NameNode, or an earlier start of this one, has granted it
   */
  public record Grant(Sharing sharing, boolean attached) {}

  /** Whether nobody else may open the file. */
  public boolean isExclusive() {
    return grant.sharing() == Sharing.EXCLUSIVE;
  }
}

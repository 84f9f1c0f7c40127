/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.protocol;

import java.util.List;
import java.util.OptionalLong;

/**
 * What a client needs to update a file. Immutable.
 *
 * @param id of the session
 * @param file that it updates
 * @param groups in order
 * @param scheme how replicas that are admitted take updates: FO, FL, PL or PLR
 * @param tokenValidMs how long its tokens can be used to begin something; 0: there are none
 * @param lease of the session
 * @param sharing whether others may have the file open too
 * @param program number of the program that has opened the file by this answer; empty: none that
 *     continues in another session
 */
public record UpdateSession(
    SessionId id,
    SessionFile file,
    List<UpdateGroup> groups,
    String scheme,
    long tokenValidMs,
    LeaseTimes lease,
    Sharing sharing,
    OptionalLong program) {
  public UpdateSession {
    groups = List.copyOf(groups);
  }

  /** Of a program that does not continue in another session. */
  public UpdateSession(
      SessionId id,
      SessionFile file,
      List<UpdateGroup> groups,
      String scheme,
      long tokenValidMs,
      LeaseTimes lease,
      Sharing sharing) {
    this(id, file, groups, scheme, tokenValidMs, lease, sharing, OptionalLong.empty());
  }

  /** The same, opened by a program. */
  public UpdateSession openedBy(OpeningProgram by) {
    return new UpdateSession(
        id, file, groups, scheme, tokenValidMs, lease, sharing, OptionalLong.of(by.number()));
  }

  /** One that is shared. */
  public UpdateSession(
      SessionId id,
      SessionFile file,
      List<UpdateGroup> groups,
      String scheme,
      long tokenValidMs,
      LeaseTimes lease) {
    this(id, file, groups, scheme, tokenValidMs, lease, Sharing.SHARED);
  }
}

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.protocol;

import java.util.List;

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
 */
public record UpdateSession(
    SessionId id,
    SessionFile file,
    List<UpdateGroup> groups,
    String scheme,
    long tokenValidMs,
    LeaseTimes lease,
    Sharing sharing) {
  public UpdateSession {
    groups = List.copyOf(groups);
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

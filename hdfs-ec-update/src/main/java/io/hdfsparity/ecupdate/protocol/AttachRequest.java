/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.protocol;

import java.util.Set;

/**
 * Asks a NameNode that has become active to take over a session that an earlier one has granted.
 * Immutable.
 *
 * @param id of the session
 * @param inodeId of its file
 * @param client name of the program, for people; at most {@link OpenRequest#MAX_CLIENT} characters
 * @param sharing as it was granted
 * @param form what the client goes by
 */
public record AttachRequest(SessionId id, long inodeId, String client, Sharing sharing, Form form) {
  /**
   * As above.
   *
   * @throws IllegalArgumentException if the name is too long
   */
  public AttachRequest {
    OpenRequest.requireShort(client);
  }

  /**
   * How the file was when the client heard of it last.
   *
   * @param code of the file
   * @param groups ids of all block groups that anything of the client may still use
   * @param missingUnits how many units of a group may be missing, as when it was opened: 0 for
   *     whoever writes
   */
  public record Form(UpdateCode code, Set<Long> groups, int missingUnits) {
    public Form {
      groups = Set.copyOf(groups);
    }
  }
}

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.protocol;

import io.hdfsparity.bridge.refusal.Refusal;
import io.hdfsparity.core.check.Printable;
import java.util.Optional;

/**
 * A session as the NameNode holds it. Immutable.
 *
 * @param id of the session
 * @param inodeId of the file
 * @param path as it was opened
 * @param user who opened it
 * @param client name of the program
 * @param sharing whether others may have the file open too
 * @param ended empty while it is open
 */
public record Lease(
    SessionId id,
    long inodeId,
    String path,
    String user,
    String client,
    Sharing sharing,
    Optional<End> ended) {

  /**
   * How a session ended.
   *
   * @param refusal what whoever asks for it learns
   * @param untouched the file's modification time is still to be set
   */
  public record End(Refusal refusal, boolean untouched) {}

  /** Whose it is, as DataNodes remember it. */
  SessionOwner owner() {
    return SessionOwner.of(inodeId, user, sharing);
  }

  /** Whether no further session of a file may be opened beside this one. */
  boolean excludes(long inode, Sharing wanted) {
    boolean isAlone = sharing == Sharing.EXCLUSIVE && ended.isEmpty();
    return inodeId == inode && (isAlone || wanted == Sharing.EXCLUSIVE);
  }

  /**
   * For messages to whom may write the file; not the id, which opens doors without block tokens.
   */
  String describe() {
    return (ended.isPresent() ? "ending" : "open") + ", of user " + Printable.of(user);
  }

  /** The same, when it has ended. */
  Lease over(End end) {
    return new Lease(id, inodeId, path, user, client, sharing, Optional.of(end));
  }
}

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.namenode;

import io.hdfsparity.bridge.hold.FileHold;
import io.hdfsparity.bridge.hold.FileHolder;
import io.hdfsparity.ecupdate.protocol.SessionTable;
import java.util.Optional;

/** Says to other features which files have to stay as they are. Thread-safe. */
final class SessionHolds {
  /** What holds every file while this plugin is configured and does not run. */
  static final FileHold DOWN =
      new FileHold(
          "update-sessions-down",
          "sessionManager",
          "not running",
          "see the NameNode's log; start it, or list dfs.parity.features without ecupdate on all NameNodes");

  private static final FileHold NOT_ACTIVE =
      new FileHold("update-grace", "updateSessions", "unknown", "ask the active NameNode");

  private final ActiveTable sessions;

  SessionHolds(ActiveTable sessions) {
    this.sessions = sessions;
  }

  Optional<FileHold> holdOn(long inodeId, FileHolder.Namespace namespace) {
    Optional<SessionTable> table = sessions.find();
    return table.isEmpty()
        ? Optional.of(NOT_ACTIVE)
        : table.get().holdOn(inodeId, new Names(namespace)).map(SessionHolds::describe);
  }

  /** The NameNode's, for the table, which knows nothing of it. */
  private record Names(FileHolder.Namespace namespace) implements SessionTable.Namespace {
    @Override
    public boolean exists(long inodeId) {
      return namespace.exists(inodeId);
    }

    @Override
    public boolean has(long groupId) {
      return namespace.has(groupId);
    }
  }

  private static FileHold describe(SessionTable.Hold hold) {
    return switch (hold) {
      case GRACE ->
          new FileHold(
              "update-grace",
              "updateSessions",
              "unknown since this NameNode became active",
              "wait for half of dfs.parity.ecupdate.session.lease, then run it again");
      case OPEN ->
          new FileHold(
              "updating",
              "updateSession",
              "open",
              "close its update sessions, or wait until they expire; then run it again");
      case ENDING ->
          new FileHold(
              "updating",
              "updateSession",
              "over, not on all DataNodes yet",
              "run it again in a few seconds");
      case JOINED ->
          new FileHold(
              "updating",
              "updateSession",
              "of a file that was joined to this one",
              "run it again in a few seconds");
    };
  }
}

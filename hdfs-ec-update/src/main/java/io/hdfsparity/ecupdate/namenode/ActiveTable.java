/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.namenode;

import io.hdfsparity.ecupdate.protocol.SessionTable;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.hadoop.hdfs.server.namenode.UpdateFiles;
import org.apache.hadoop.ipc.StandbyException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The table of sessions, for those who have made sure that it is of the present term of being
 * active: HDFS tells plugins nothing of a failover. Thread-safe.
 */
final class ActiveTable {
  private static final Logger LOG = LoggerFactory.getLogger(ActiveTable.class);

  private final UpdateFiles files;
  private final SessionTable table;

  ActiveTable(UpdateFiles files, SessionTable table) {
    this.files = files;
    this.table = table;
  }

  /** Empty when this NameNode is not active. */
  Optional<SessionTable> find() {
    OptionalLong term = files.term();
    if (term.isEmpty()) {
      table.leave();
      return Optional.empty();
    }
    if (table.in(term.getAsLong())) {
      LOG.info("This NameNode is active: files are held until no DataNode goes by another's word");
    }
    if (!files.isWritable()) {
      table.stillStarting();
    }
    return Optional.of(table);
  }

  /**
   * @throws StandbyException when this NameNode is not active
   */
  SessionTable get() throws StandbyException {
    return find()
        .orElseThrow(
            () ->
                new StandbyException(
                    "Cannot serve update sessions: active=false, expected the active NameNode"));
  }
}

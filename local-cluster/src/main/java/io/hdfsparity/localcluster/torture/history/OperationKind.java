/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.torture.history;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/** What a client did. */
public enum OperationKind {
  /** Wrote a cell in place; the value is the tag of what was written. */
  UPDATE(true),
  /** Read a cell by an updater; the value is the tag that was found, or one for each slice. */
  UPDATER_READ(false),
  /**
   * Read a cell by Hadoop's client or one that opens no session; the value as for {@link
   * #UPDATER_READ}.
   */
  STOCK_READ(false),
  /** Created a file, or appended to one, and closed it; the value is its length then. */
  FILE_WRITE(true),
  /** Read a whole file; the value is its length, and where its bytes are wrong. */
  FILE_READ(false),
  /** Changed the level of files; the value is the level. Nothing is checked of it. */
  LEVEL(true),
  /** Deleted a file; without a value. It is not read at the end. Nothing is checked of it. */
  FILE_DELETE(true),
  /** Put a file in another order; the value is how. Nothing is checked of it. */
  REORDER(true);

  private static final Set<OperationKind> UNCHECKED =
      Collections.unmodifiableSet(EnumSet.of(LEVEL, FILE_DELETE, REORDER));

  private final boolean isWrite;

  OperationKind(boolean isWrite) {
    this.isWrite = isWrite;
  }

  /** Whether values are compared with those of others. */
  public boolean isChecked() {
    return !UNCHECKED.contains(this);
  }

  /** Whether it may have changed something although it did not end. */
  public boolean isWrite() {
    return isWrite;
  }
}

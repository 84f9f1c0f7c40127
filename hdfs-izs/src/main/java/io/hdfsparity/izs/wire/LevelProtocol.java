/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.wire;

import io.hdfsparity.izs.level.FileOutcome;
import io.hdfsparity.izs.level.LevelStatus;
import java.io.IOException;
import java.util.List;

/** What an administrator asks the level manager in a NameNode. Thread-safe. */
public interface LevelProtocol {
  /**
   * Changes the level of files that the caller owns, or of any as superuser. Safe to repeat: a file
   * that has the level is left alone.
   *
   * @param level wanted number of parity units
   * @param paths absolute; a limited number a call
   * @return outcomes of the first of the paths, durable; ask again for the others
   * @throws IOException when this NameNode changes nothing: a standby answers StandbyException
   */
  List<FileOutcome> setLevel(int level, List<String> paths) throws IOException;

  /** Answered by a standby too. */
  LevelStatus status() throws IOException;
}

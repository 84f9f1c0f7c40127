/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.swap;

import java.io.IOException;

/** Puts verified copies in the place of files; for superusers. Thread-safe. */
public interface SwapProtocol {
  /**
   * What a file is now.
   *
   * @throws java.io.FileNotFoundException when the path leads to no file
   * @throws IOException when this NameNode swaps nothing: a standby answers StandbyException
   */
  Inspection inspect(String path) throws IOException;

  /**
   * Puts a copy into the place of its source if both are still what they were. Safe to repeat: a
   * swap that is done is answered as done. What it answers is durable.
   *
   * @throws IOException when this NameNode swaps nothing: a standby answers StandbyException
   */
  SwapAnswer swap(FileIdentity source, FileIdentity copy) throws IOException;

  /**
   * Marks a directory that copies are made in, so that RAIDP protects them as it protects the files
   * whose places they take. Safe to repeat.
   *
   * @throws java.io.FileNotFoundException when the path leads nowhere
   * @throws IOException when it leads to no directory, the NameNode does not run RAIDP or is in
   *     safe mode; a standby answers StandbyException
   */
  void protectFolder(String path) throws IOException;
}

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.apply;

import io.hdfsparity.bridge.swap.FileIdentity;
import io.hdfsparity.bridge.swap.Inspection;
import io.hdfsparity.bridge.swap.SwapAnswer;
import java.io.IOException;

/** What a move does to the world. One object for one file; called by one thread. */
public interface MoveSteps {
  /**
   * Asks the NameNode for the file.
   *
   * @throws java.io.FileNotFoundException when there is none
   * @throws IOException when nothing can be asked; no other file need be tried
   */
  Inspection inspectSource() throws IOException;

  /**
   * Writes a copy of exactly this inode in the wanted form, into the work folder, and closes it.
   *
   * @return of the bytes as they were read
   * @throws io.hdfsparity.bridge.swap.DecodedException when bytes can only be decoded
   */
  ByteDigest copy(Inspection source) throws IOException;

  /** Asks the NameNode for the copy. */
  Inspection inspectCopy() throws IOException;

  /** Reads exactly this inode back through the file system. */
  ByteDigest readBack(FileIdentity copy) throws IOException;

  /** Gives the copy all attributes of the source. */
  void dress(Inspection source) throws IOException;

  /** Asks the NameNode to put the copy into the place of the source. Safe to repeat. */
  SwapAnswer swap(FileIdentity source, FileIdentity copy) throws IOException;

  /** Waits a little for what makes a swap possible; false: long enough. */
  boolean pause() throws IOException;

  /** Deletes the copy where it was written. Does nothing when it is not there any more. */
  void discard() throws IOException;
}

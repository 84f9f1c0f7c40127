/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.datanode;

import io.hdfsparity.core.store.SystemErrors;
import java.io.EOFException;
import java.io.IOException;
import org.apache.hadoop.fs.ChecksumException;

/**
 * What a failure of reading says about a file of a replica. Damage is what VolumeScanner would
 * report of an ordinary replica: bytes that do not fit their checksums, a sector that cannot be
 * read, an end that comes too early. All else, as a process without file descriptors or a file that
 * is gone, says nothing about the bytes. Stateless.
 *
 * <p>To be asked where a file of the replica itself is read, and no later: the causes of a failure
 * of the engine may be those of its log.
 */
final class ReadFailures {
  private ReadFailures() {}

  /** The failure, as a {@link ChecksumException} if it is damage. */
  static IOException of(IOException failure, long offset) {
    if (failure instanceof ChecksumException || !isDamage(failure)) {
      return failure;
    }
    return damage(failure, offset);
  }

  /** A failure that is known to be damage. */
  static ChecksumException damage(IOException failure, long offset) {
    ChecksumException damage = new ChecksumException(String.valueOf(failure.getMessage()), offset);
    damage.initCause(failure);
    return damage;
  }

  private static boolean isDamage(IOException failure) {
    return failure instanceof EOFException || isDiskError(failure);
  }

  /**
   * Whether the disk could not read what it was asked for, EIO: the sector may be lost, or the disk
   * as a whole.
   */
  static boolean isDiskError(IOException failure) {
    return !(failure instanceof ChecksumException) && SystemErrors.isInputOutput(failure);
  }

  /** Whether a read that is repeated has failed because of its bytes. */
  static boolean isDamageOrDiskError(IOException failure) {
    return failure instanceof ChecksumException || isDamage(failure);
  }

  /**
   * Whether the disk, a quota or the process has nothing left of what is needed, and works
   * otherwise.
   */
  static boolean isShortage(IOException failure) {
    return SystemErrors.isShortage(failure);
  }
}

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.core.store;

import java.io.IOException;

/** What a failure of I/O is by the system's own words: neither NIO nor JNA has types for most. */
public final class SystemErrors {
  private SystemErrors() {}

  /** EIO: the disk could not do what it was asked for. */
  public static boolean isInputOutput(IOException failure) {
    return says(failure, "Input/output error");
  }

  /**
   * EIO or EROFS: the disk does not work, or the system has given it up. Other failures say nothing
   * of the disk, as where the system speaks another language.
   */
  public static boolean isDiskError(IOException failure) {
    return isInputOutput(failure) || says(failure, "Read-only file system");
  }

  /**
   * ENOSPC, EDQUOT, EMFILE or ENFILE: the disk, a quota, the process or the system has nothing left
   * of what is needed, and works otherwise.
   */
  public static boolean isShortage(IOException failure) {
    return says(failure, "No space left on device")
        || says(failure, "Disk quota exceeded")
        || says(failure, "Too many open files");
  }

  private static boolean says(IOException failure, String words) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (String.valueOf(cause.getMessage()).contains(words)) {
        return true;
      }
    }
    return false;
  }
}

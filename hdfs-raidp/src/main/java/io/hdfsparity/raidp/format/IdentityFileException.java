/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.format;

import java.io.IOException;

/** What is wrong with a disk file or frame table, by name. */
public class IdentityFileException extends IOException {
  private static final long serialVersionUID = 1L;

  public IdentityFileException(String message) {
    super(message);
  }

  /** The file does not begin with the magic, is cut short, or fails its CRC. */
  public static final class Corrupt extends IdentityFileException {
    private static final long serialVersionUID = 1L;

    public Corrupt(String message) {
      super(message);
    }
  }

  /** Written by a version older than this one reads. */
  public static final class TooOld extends IdentityFileException {
    private static final long serialVersionUID = 1L;

    public TooOld(String message) {
      super(message);
    }
  }

  /** Written by a version newer than this one reads. */
  public static final class TooNew extends IdentityFileException {
    private static final long serialVersionUID = 1L;

    public TooNew(String message) {
      super(message);
    }
  }

  /** The file is sound, but belongs to another cluster, disk or storage. */
  public static final class Foreign extends IdentityFileException {
    private static final long serialVersionUID = 1L;

    public Foreign(String message) {
      super(message);
    }
  }
}

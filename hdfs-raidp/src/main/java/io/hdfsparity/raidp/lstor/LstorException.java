/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.lstor;

import java.io.IOException;

/** What an Lstor refuses or finds wrong, by name. Messages say value, rule and place. */
public class LstorException extends IOException {
  private static final long serialVersionUID = 1L;

  public LstorException(String message) {
    super(message);
  }

  LstorException(String message, Throwable cause) {
    super(message, cause);
  }

  /** The store bears no Lstor header, or is shorter than its header says. */
  public static final class NotAnLstor extends LstorException {
    private static final long serialVersionUID = 1L;

    public NotAnLstor(String message) {
      super(message);
    }
  }

  /** Written by a version older than this one reads. */
  public static final class TooOld extends LstorException {
    private static final long serialVersionUID = 1L;

    public TooOld(String message) {
      super(message);
    }
  }

  /** Written by a version newer than this one reads. */
  public static final class TooNew extends LstorException {
    private static final long serialVersionUID = 1L;

    public TooNew(String message) {
      super(message);
    }
  }

  /** No superblock passes its CRC. */
  public static final class CorruptHeader extends LstorException {
    private static final long serialVersionUID = 1L;

    public CorruptHeader(String message) {
      super(message);
    }
  }

  /** The Lstor belongs to another cluster. */
  public static final class ForeignCluster extends LstorException {
    private static final long serialVersionUID = 1L;

    public ForeignCluster(String message) {
      super(message);
    }
  }

  /** The Lstor belongs to another disk. */
  public static final class ForeignDisk extends LstorException {
    private static final long serialVersionUID = 1L;

    public ForeignDisk(String message) {
      super(message);
    }
  }

  /** A row of the frame or slot table fails its CRC or breaks a rule of the table. */
  public static final class CorruptTable extends LstorException {
    private static final long serialVersionUID = 1L;

    public CorruptTable(String message) {
      super(message);
    }
  }

  /** A committed journal record is unreadable though a later one is there. */
  public static final class CorruptJournal extends LstorException {
    private static final long serialVersionUID = 1L;

    public CorruptJournal(String message) {
      super(message);
    }
  }

  /** A parity cell fails its CRC. */
  public static final class CorruptParity extends LstorException {
    private static final long serialVersionUID = 1L;

    public CorruptParity(String message) {
      super(message);
    }
  }

  /** The device does not give a parity cell back: a scrub cannot repair that. */
  public static final class UnreadableParity extends LstorException {
    private static final long serialVersionUID = 1L;

    public UnreadableParity(String message, IOException cause) {
      super(message, cause);
    }
  }

  /** Too few free units, in too many pieces, or a block larger than its extents. */
  public static final class NoSpace extends LstorException {
    private static final long serialVersionUID = 1L;

    public NoSpace(String message) {
      super(message);
    }
  }

  /** Two rows of a frame would share units. */
  public static final class Overlap extends LstorException {
    private static final long serialVersionUID = 1L;

    public Overlap(String message) {
      super(message);
    }
  }

  /** The slot table has no free row. */
  public static final class Full extends LstorException {
    private static final long serialVersionUID = 1L;

    public Full(String message) {
      super(message);
    }
  }

  /** There is no row for the block. */
  public static final class NoSuchEntry extends LstorException {
    private static final long serialVersionUID = 1L;

    public NoSuchEntry(String message) {
      super(message);
    }
  }

  /** The row is in a state that does not allow the change, or the Lstor is closed. */
  public static final class Refused extends LstorException {
    private static final long serialVersionUID = 1L;

    public Refused(String message) {
      super(message);
    }
  }
}

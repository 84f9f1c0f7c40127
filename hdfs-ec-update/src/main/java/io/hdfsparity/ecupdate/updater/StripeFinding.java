/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.updater;

import java.util.List;

/**
 * What is wrong with a stripe. Immutable.
 *
 * @param group index of its block group in the file
 * @param stripe index in the group
 * @param offsetBytes of its first byte in the file
 * @param units of the stripe that it is about, by index
 * @param detail for the administrator
 */
public record StripeFinding(
    int group, int stripe, long offsetBytes, Kind kind, List<Integer> units, String detail) {
  /** Kinds of findings. */
  public enum Kind {
    /**
     * Parity is not the code of the data, and nobody was writing. The units: parity that differs.
     */
    MISMATCH,
    /** The same, but a write has come to the data and not to all parity. */
    UNFINISHED,
    /** Units that could not be read: nobody has them, or a recovery has to come first. */
    UNREADABLE,
    /** Written all the while: it could not be determined. */
    BUSY
  }

  public StripeFinding {
    units = List.copyOf(units);
  }
}

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.storage;

import io.hdfsparity.core.check.Checks;
import java.util.Arrays;
import java.util.List;

/** Where updates go: the four delta-based schemes of the paper (sections 4.1.2 and 4.2). */
public enum UpdateScheme {
  /** Full overwrite. */
  FO(Destination.IN_PLACE, Destination.IN_PLACE),
  /** Full logging. */
  FL(Destination.LOG, Destination.LOG),
  /** Parity logging. */
  PL(Destination.IN_PLACE, Destination.LOG),
  /** Parity logging with reserved space. */
  PLR(Destination.IN_PLACE, Destination.RESERVED_SPACE);

  /** All names that {@link #of} knows. */
  public static final List<String> NAMES = Arrays.stream(values()).map(Enum::name).toList();

  /** Where nobody says otherwise. */
  public static final String DEFAULT = "PLR";

  private final Destination data;
  private final Destination parity;

  /** How a kind of block takes an update. */
  enum Destination {
    /** Over the old bytes. */
    IN_PLACE,
    /** Behind all others in a log, in the order in which updates come. */
    LOG,
    /** Behind the block's own earlier ones, in space that was reserved next to it. */
    RESERVED_SPACE
  }

  UpdateScheme(Destination data, Destination parity) {
    this.data = data;
    this.parity = parity;
  }

  /** Of the new bytes of a data block. */
  Destination data() {
    return data;
  }

  /** Of the delta of a parity block. */
  Destination parity() {
    return parity;
  }

  /**
   * The scheme of a name.
   *
   * @throws IllegalArgumentException for any other than FO, FL, PL and PLR
   */
  public static UpdateScheme of(String name) {
    Checks.argument(
        NAMES.contains(name), "choose an update scheme", "scheme", name, "FO, FL, PL or PLR");
    return valueOf(name);
  }
}

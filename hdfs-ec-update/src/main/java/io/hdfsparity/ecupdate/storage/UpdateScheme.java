/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.storage;

import java.util.List;

/**
 * Where updates go: the four delta-based schemes of the paper (sections 4.1.2 and 4.2), as rules
 * and counts of accesses. Stateless, thread-safe.
 *
 * <p>The counts are those of the paper's Figure 2 and its text; every log lies elsewhere on the
 * disk and grows with others' records in between, so each of its records is found by a seek of its
 * own.
 */
public sealed interface UpdateScheme {
  /** All names that {@link #of} knows. */
  List<String> NAMES = List.of("FO", "FL", "PL", "PLR");

  /** Where nobody says otherwise. */
  String DEFAULT = "PLR";

  /** How a kind of block takes an update. */
  enum Destination {
    /** Over the old bytes. */
    IN_PLACE,
    /** Behind all others in a log, in the order in which updates come. */
    LOG,
    /** Behind the block's own earlier ones, in space that was reserved next to it. */
    RESERVED_SPACE
  }

  /** Of the new bytes of a data block. */
  Destination data();

  /** Of the delta of a parity block. */
  Destination parity();

  /**
   * Accesses when a data block's bytes are replaced; reading the old ones for the delta included.
   */
  default IoCost updateData(long bytes) {
    return IoCost.read(bytes).plus(IoCost.write(bytes));
  }

  /** Accesses when a parity block takes a delta. */
  default IoCost updateParity(long bytes) {
    return parity() == Destination.IN_PLACE
        ? IoCost.read(bytes).plus(IoCost.write(bytes))
        : IoCost.write(bytes);
  }

  /**
   * Accesses to read a whole block whose updates have not been merged.
   *
   * @param destination of the block's kind
   * @param pendingUpdates that lie in the log or the reserved space
   */
  static IoCost readBlock(
      Destination destination, long blockBytes, long pendingUpdates, long pendingBytes) {
    IoCost block = IoCost.read(blockBytes);
    if (pendingUpdates == 0) {
      return block;
    }
    return switch (destination) {
      case IN_PLACE -> block;
      case LOG -> block.plus(new IoCost(pendingUpdates, 0, pendingUpdates, pendingBytes, 0));
      case RESERVED_SPACE -> block.plus(IoCost.read(pendingBytes).continued());
    };
  }

  /** Full overwrite. */
  record FullOverwrite() implements UpdateScheme {
    @Override
    public Destination data() {
      return Destination.IN_PLACE;
    }

    @Override
    public Destination parity() {
      return Destination.IN_PLACE;
    }
  }

  /** Full logging. */
  record FullLogging() implements UpdateScheme {
    @Override
    public Destination data() {
      return Destination.LOG;
    }

    @Override
    public Destination parity() {
      return Destination.LOG;
    }
  }

  /** Parity logging. */
  record ParityLogging() implements UpdateScheme {
    @Override
    public Destination data() {
      return Destination.IN_PLACE;
    }

    @Override
    public Destination parity() {
      return Destination.LOG;
    }
  }

  /** Parity logging with reserved space. */
  record ReservedParityLogging() implements UpdateScheme {
    @Override
    public Destination data() {
      return Destination.IN_PLACE;
    }

    @Override
    public Destination parity() {
      return Destination.RESERVED_SPACE;
    }
  }

  /**
   * The scheme of a name.
   *
   * @throws IllegalArgumentException for any other than FO, FL, PL and PLR
   */
  static UpdateScheme of(String name) {
    return switch (name) {
      case "FO" -> new FullOverwrite();
      case "FL" -> new FullLogging();
      case "PL" -> new ParityLogging();
      case "PLR" -> new ReservedParityLogging();
      default ->
          throw new IllegalArgumentException(
              "Cannot choose an update scheme: scheme=" + name + ", expected FO, FL, PL or PLR");
    };
  }
}

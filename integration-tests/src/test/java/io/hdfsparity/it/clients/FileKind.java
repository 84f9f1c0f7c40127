/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it.clients;

/** The kinds of files that the suite makes, beside those of HDFS itself. */
enum FileKind {
  REPLICATED("replicated", true, false),
  RS("RS(3,2)", true, true),
  IZS_LEVEL_1("IZS(4,1), level 1", true, true),
  IZS_LEVEL_2("IZS(4,2), level 2", true, true),
  IZS_LEVEL_3("IZS(4,3), level 3", true, true),
  UPDATING("RS(3,2), an updater has it open", false, true),
  UPDATED("RS(3,2), updated and closed", false, true),
  REBUILT("RS(3,2), updated, then rebuilt", false, true),
  REORDERED("RS(3,2), in another order", false, true),
  RAIDP("RAIDP", true, false);

  private final String label;
  private final boolean isWritten;
  private final boolean isStriped;

  FileKind(String label, boolean isWritten, boolean isStriped) {
    this.label = label;
    this.isWritten = isWritten;
    this.isStriped = isStriped;
  }

  String label() {
    return label;
  }

  /** Whether a client that creates a file makes one of this kind. */
  boolean isWritten() {
    return isWritten;
  }

  /** Whether it has parity that its client computes. */
  boolean isStriped() {
    return isStriped;
  }

  String directory() {
    return "/" + name().toLowerCase(java.util.Locale.ROOT).replace('_', '-');
  }
}

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it.clients;

/** The kinds of files that the suite makes, beside those of HDFS itself. */
enum FileKind {
  REPLICATED("replicated", true, ""),
  RS("RS(3,2)", true, "RS-3-2-64k"),
  IZS_LEVEL_1("IZS(4,1), level 1", true, "IZS-4-1-64k"),
  IZS_LEVEL_2("IZS(4,2), level 2", true, "IZS-4-2-64k"),
  IZS_LEVEL_3("IZS(4,3), level 3", true, "IZS-4-3-64k"),
  IZS_CHANGED("IZS(4,1), raised to level 3, lowered to 2", false, "IZS-4-1-64k"),
  RS_CHANGED("RS(3,1), raised to level 3, lowered to 2", false, "RS-3-1-64k"),
  UPDATING("RS(3,2), an updater has it open", false, "RS-3-2-64k"),
  UPDATED("RS(3,2), updated and closed", false, "RS-3-2-64k"),
  REBUILT("RS(3,2), updated, then rebuilt", false, "RS-3-2-64k"),
  REORDERED("RS(3,2), in another order", false, "RS-3-2-64k"),
  RAIDP("RAIDP", true, "");

  private final String label;
  private final boolean isWritten;
  private final String policy;

  FileKind(String label, boolean isWritten, String policy) {
    this.label = label;
    this.isWritten = isWritten;
    this.policy = policy;
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
    return !policy.isEmpty();
  }

  /** The policy of its directory; empty: none. */
  String policy() {
    return policy;
  }

  /** Whether its level was changed in place. */
  boolean isLevelChanged() {
    return this == IZS_CHANGED || this == RS_CHANGED;
  }

  /** Whether its parity is what its codec makes of the data units, cell by cell. */
  boolean hasPlainParity() {
    return isStriped() && (isWritten || isLevelChanged());
  }

  String directory() {
    return "/" + name().toLowerCase(java.util.Locale.ROOT).replace('_', '-');
  }
}

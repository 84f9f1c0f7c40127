/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.izscodec;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What is measured.
 *
 * @param kind of work
 * @param losses lost data units, from unit 0 on; 0 where none is lost
 */
record Work(Kind kind, int losses) {
  /** Kinds of work. */
  enum Kind {
    /** All parity of a stripe. */
    ENCODE,

    /** Lost data units from any k others, all of which are there whole. */
    DECODE,

    /** Data unit 0 alone from the fewest bytes that the code can do with. */
    REPAIR,

    /** All parity after a part of data unit 0 changed. */
    UPDATE
  }

  /** All work that a code with r parity units can be given. */
  static List<Work> all(int parityUnits) {
    List<Work> all = new ArrayList<>();
    all.add(new Work(Kind.ENCODE, 0));
    for (int losses = 1; losses <= parityUnits; losses++) {
      all.add(new Work(Kind.DECODE, losses));
    }
    all.add(new Work(Kind.REPAIR, 1));
    all.add(new Work(Kind.UPDATE, 0));
    return all;
  }

  /** As shown in tables. */
  String label() {
    String name = kind.name().toLowerCase(Locale.ROOT);
    return kind == Kind.DECODE ? name + " " + losses : name;
  }
}

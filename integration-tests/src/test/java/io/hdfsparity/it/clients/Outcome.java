/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it.clients;

import java.util.Optional;

/**
 * What came of an operation.
 *
 * @param word of the table
 * @param reason of a refusal, if it is known
 * @param told what the client has said, or what is wrong; for messages of the test
 */
record Outcome(Word word, Optional<Reason> reason, String told) {
  enum Word {
    WORKS("works"),
    WORKS_WITH_OUR_JAR("works with our jar"),
    REFUSED("refused"),
    WORKS_OR_REFUSED("works or is refused"),
    WRONG("wrong");

    private final String label;

    Word(String label) {
      this.label = label;
    }

    String label() {
      return label;
    }
  }

  static Outcome works() {
    return new Outcome(Word.WORKS, Optional.empty(), "");
  }

  static Outcome wrong(String what) {
    return new Outcome(Word.WRONG, Optional.empty(), what);
  }

  static Outcome refused(Observation cell, String message) {
    return new Outcome(Word.REFUSED, Reason.of(cell, message), message);
  }

  /** What depends on circumstances that a client does not choose. */
  Outcome orRefused(Reason why) {
    return new Outcome(Word.WORKS_OR_REFUSED, Optional.of(why), told);
  }

  boolean isRefused() {
    return word == Word.REFUSED;
  }

  /** Whether it is a refusal for no known reason. */
  boolean isUnexplained() {
    return reason.isEmpty() && (word == Word.REFUSED || word == Word.WORKS_WITH_OUR_JAR);
  }

  /** The same refusal, of an operation that the suite's file system can do. */
  Outcome withOurJar() {
    return new Outcome(Word.WORKS_WITH_OUR_JAR, reason, told);
  }
}

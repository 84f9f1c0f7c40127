/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.refusal;

import io.hdfsparity.core.check.ErrorMessage;
import java.util.Locale;

/** A cause of refusals that a feature knows; implemented by an enum for each request. */
public interface RefusalCause {
  /** The enum constant's name. */
  String name();

  /** What was asked for, as in "Cannot change the level". */
  String request();

  /** What an administrator can do. */
  String remedy();

  /** One word, for programs. */
  default String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** A refusal that names the value, the rule that it breaks, and the file. */
  default Refusal because(String name, Object value, String rule, String path) {
    return new Refusal(
        word(),
        ErrorMessage.to(request()).value(name, value).expected(rule).where("file", path).message(),
        remedy());
  }
}

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.page;

import java.util.Locale;

/** How something is, for its colour. */
public enum Tone {
  /** It works. */
  GOOD,
  /** Work is under way. */
  BUSY,
  /** It works, and is less safe than it should be. */
  WARN,
  /** It does not work. */
  BAD,
  /** It takes nothing new. */
  HELD,
  /** Not in use, or neither good nor bad. */
  PLAIN;

  /** Of the style sheet, and in JSON. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.doctor;

/** What a check can find. Implemented by enums; a code is never reused. */
public interface FindingKind {
  /** All that is known of it. */
  FindingSpec spec();

  /** Stable: {@code PARITY-} and three digits. */
  default String code() {
    return spec().code();
  }

  default Severity severity() {
    return spec().severity();
  }

  /** What it means, for the reference. */
  default String meaning() {
    return spec().meaning();
  }

  /** What to do. */
  default String remedy() {
    return spec().remedy();
  }
}

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.swap;

import io.hdfsparity.bridge.refusal.Refusal;
import java.util.Optional;

/** What a feature asks of a copy beside what {@link SwapRules} asks of any. Thread-safe. */
public interface SwapCondition {
  /** Any copy with the same bytes will do. */
  SwapCondition NONE = (source, copy) -> Optional.empty();

  /**
   * Why no copy may take the place of a file, whatever the copy; empty: one may. Asked before
   * anything is copied as well, so that nothing is copied in vain.
   */
  default Optional<Refusal> refuses(StoredFile source) {
    return Optional.empty();
  }

  /** Why the copy may never take the place of the source; empty: it may. */
  Optional<Refusal> refuses(StoredFile source, StoredFile copy);

  /** Of the attributes of source and copy, those that must be equal. */
  default FileAttributes compared(FileAttributes attributes) {
    return attributes;
  }
}

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.swap;

/**
 * Decides whether a copy takes the place of a file. Called under the NameNode's read lock, again
 * when one of the two has changed before the write lock was had: it must not block. Thread-safe.
 */
@FunctionalInterface
public interface SwapRule {
  /** True: the copy takes the place of the source, if both are still so under the write lock. */
  boolean allows(StoredFile source, StoredFile copy);
}

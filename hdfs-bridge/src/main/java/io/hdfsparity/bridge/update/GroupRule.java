/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.update;

import java.util.Optional;

/**
 * Decides whether a block group is replaced. Called under the NameNode's lock: it must not block,
 * and must not keep what it is given. Thread-safe.
 *
 * @param <T> why not
 */
@FunctionalInterface
public interface GroupRule<T> {
  /** Empty: it may be. */
  Optional<T> veto(GroupChange change);
}

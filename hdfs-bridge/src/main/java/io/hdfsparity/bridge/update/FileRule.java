/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.update;

/**
 * Decides about one file. Called under the NameNode's lock: it must not block, and must not keep
 * what it is given. Thread-safe.
 *
 * @param <T> the decision
 */
public interface FileRule<T> {
  /** The path leads to a directory or to a symbolic link. */
  T notAFile(String path);

  /** The path leads to a file that the caller may write, where that was asked. */
  T decide(FileView view);
}

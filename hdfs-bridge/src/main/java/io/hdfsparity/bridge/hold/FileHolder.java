/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.hold;

import java.util.Optional;

/**
 * A plugin of the NameNode that can hold files: whoever changes where a file's bytes lie, or puts
 * another file into its place, asks all of them first and leaves a held file alone.
 *
 * <p>An implementation that is configured and could not start holds every file: what it would know
 * is not known. Thread-safe.
 */
@FunctionalInterface
public interface FileHolder {
  /**
   * Asked under the NameNode's lock, for writing where the change is made: it must not block, and
   * takes no lock under which the NameNode's is asked for.
   *
   * @param inodeId of the file
   * @param namespace as it is under the lock
   * @return empty: not held
   */
  Optional<FileHold> holdOn(long inodeId, Namespace namespace);

  /** The namespace, for who asks about a file. Each question is one look-up. */
  interface Namespace {
    /** Whether an inode is there. */
    boolean exists(long inodeId);

    /**
     * Whether the file that is asked about has a block group, perhaps of a file that was joined to
     * it.
     */
    boolean has(long groupId);
  }
}

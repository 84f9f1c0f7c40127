/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.adoption;

import java.util.List;
import java.util.Optional;

/** Where files to adopt come from. Not thread-safe. */
public interface FileSource {
  /** Files and bytes of all that the source will give. */
  record Totals(long files, long bytes, boolean complete) {
    /** Of a source that does not know. */
    public static final Totals UNKNOWN = new Totals(0, 0, false);
  }

  /**
   * The files that follow; may be none before the source is over.
   *
   * @param maxBlocks after which no further file is given
   */
  List<AdoptableFile> next(int maxBlocks);

  /** Whether nothing will follow. */
  boolean isOver();

  /** Goes on counting for a bounded time. */
  Totals count();

  /** A file that the source has given is not looked at again, unless the source gives it again. */
  default void ended(long inodeId, FileOutcome outcome) {}

  /** A file as it is now; empty: it is gone. */
  Optional<AdoptableFile> look(long inodeId);
}

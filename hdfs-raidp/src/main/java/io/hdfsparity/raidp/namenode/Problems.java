/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Problems by where they come from, so that what is looked at again replaces its own ones.
 * Immutable.
 */
final class Problems {
  static final Problems NONE = new Problems(PersistentMap.empty(Found::source));

  private final PersistentMap<Source, Found> found;

  /** What kind of thing has problems. */
  private enum Kind {
    NODE,
    LSTOR,
    VOLUME,
    SUPERCHUNK,
    COMPLETIONS
  }

  /** What has problems. */
  record Source(Kind kind, String id) {
    static final Source COMPLETIONS = new Source(Kind.COMPLETIONS, "");

    static Source node(String nodeUuid) {
      return new Source(Kind.NODE, nodeUuid);
    }

    static Source lstor(String diskId) {
      return new Source(Kind.LSTOR, diskId);
    }

    static Source volume(String storageId) {
      return new Source(Kind.VOLUME, storageId);
    }

    static Source superchunk(long id) {
      return new Source(Kind.SUPERCHUNK, String.valueOf(id));
    }
  }

  private record Found(Source source, List<Problem> problems) {}

  private Problems(PersistentMap<Source, Found> found) {
    this.found = found;
  }

  /** These, but of one source others. */
  Problems with(Source source, List<Problem> problems) {
    if (problems.isEmpty()) {
      PersistentMap<Source, Found> less = found.without(source);
      return less.isSame(found) ? this : new Problems(less);
    }
    return new Problems(found.with(new Found(source, problems)));
  }

  /** Each once. */
  List<Problem> all() {
    Set<Problem> once =
        found.values().stream().flatMap(f -> f.problems().stream()).collect(Collectors.toSet());
    return once.stream().sorted(Problem.ORDER).toList();
  }
}

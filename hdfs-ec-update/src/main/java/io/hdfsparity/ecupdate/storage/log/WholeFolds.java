/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.storage.log;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Lets records through, but for a fold whose last part has not come, with all behind it. The parts
 * of a fold lie one behind the other, with nothing but a padding between them. Not thread-safe.
 */
final class WholeFolds implements LogReader.Visitor {
  private record Held(RecordHeader header, @Nullable LogEntry entry) {}

  private final LogReader.Visitor next;
  private final List<Held> held = new ArrayList<>();

  WholeFolds(LogReader.Visitor next) {
    this.next = next;
  }

  @Override
  public void record(RecordHeader header, @Nullable LogEntry entry) throws IOException {
    if (entry instanceof LogEntry.Fold fold) {
      if (fold.part() == 0) {
        release();
      }
      if (fold.part() < fold.parts() - 1 && (fold.part() == 0 || !held.isEmpty())) {
        held.add(new Held(header, entry));
        return;
      }
    } else if (entry == null && !held.isEmpty()) {
      held.add(new Held(header, entry));
      return;
    }
    release();
    next.record(header, entry);
  }

  private void release() throws IOException {
    for (Held record : held) {
      next.record(record.header(), record.entry());
    }
    held.clear();
  }

  /** First part of the fold whose last one has not come; null if there is none. */
  @Nullable RecordHeader torn() {
    return held.isEmpty() ? null : held.get(0).header();
  }
}

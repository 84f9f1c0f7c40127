/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.namenode.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.core.check.Clock;
import io.hdfsparity.izs.history.HistoryFormat;
import io.hdfsparity.izs.history.HistoryShape;
import io.hdfsparity.izs.history.HistoryView;
import io.hdfsparity.izs.namenode.access.AccessEvent.Kind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AccessCollectorTest {
  private static final HistoryShape SHAPE = new HistoryShape(24L * 3600 * 1000, 4, 1000);

  @TempDir Path directory;

  private HistoryHome open() throws IOException {
    return HistoryHome.open(directory, "cluster", SHAPE, 1);
  }

  /** It had thrown at each flush from then on, and no count came to the disk any more. */
  @Test
  void aPathThatRenamesMadeTooLongLosesOnlyItsOwnCounts() throws IOException {
    AccessQueue queue = new AccessQueue(2000);
    queue.offer(new AccessEvent(Kind.ACCESS, "/d/long", ""));
    queue.offer(
        new AccessEvent(Kind.RENAME, "/d", "/" + "x".repeat(HistoryFormat.MAX_TEXT_BYTES - 3)));
    // More than is kept, so the file is replaced by a snapshot.
    for (int i = 0; i < SHAPE.maxEntries(); i++) {
      queue.offer(new AccessEvent(Kind.ACCESS, "/once" + i, ""));
    }
    queue.offer(new AccessEvent(Kind.ACCESS, "/kept", ""));
    queue.offer(new AccessEvent(Kind.ACCESS, "/kept", ""));
    try (HistoryHome home = open()) {
      AccessCollector collector =
          new AccessCollector(
              queue, home.history(), home.file(), () -> true, Clock.system(), /* flushMs= */ 10);
      collector.stop();
      collector.run();
      assertThat(collector.failedFlushes()).isZero();
      assertThat(collector.room().evictions()).isPositive();
      assertThat(collector.room().tooLong()).isPositive();
      assertThat(collector.room().bytes()).isPositive().isLessThanOrEqualTo(SHAPE.maxBytes());
    }
    try (HistoryHome home = open()) {
      HistoryView view =
          home.history().view(List.of("/kept"), SHAPE.periodOf(Clock.system().millis()) + 1);
      assertThat(view.counts().get("/kept")).contains(2);
    }
  }
}

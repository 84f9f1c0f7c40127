/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** The walk for files that a NameNode before has left plain. */
class RecentFilesTest implements RecentFiles.Pages {
  private static final int PAGES = 50;

  /** Pages after which the queue is half full. */
  private static final int ROOM = 30;

  private static final int FILES = FilesToLower.MAX_FILES / 2 / ROOM + 1;

  private final FilesToLower queue = new FilesToLower();
  private long page;

  @Override
  public boolean isOver() {
    return page == PAGES;
  }

  @Override
  public List<Long> next() {
    long first = page++ * FILES;
    return LongStream.range(first, first + FILES).boxed().toList();
  }

  @Test
  void aRoundIsShortAndWaitsForRoomAndTheWalkEnds() {
    RecentFiles recent = new RecentFiles(this, queue);
    recent.round();
    assertThat(queue.size()).isEqualTo(RecentFiles.PAGES * FILES);
    recent.round();
    recent.round();
    assertThat(queue.size()).isEqualTo(ROOM * FILES);
    List<Long> adopted = new ArrayList<>(queue.take(FilesToLower.MAX_FILES));
    recent.round();
    recent.round();
    adopted.addAll(queue.take(FilesToLower.MAX_FILES));
    assertThat(adopted)
        .containsExactlyElementsOf(LongStream.range(0, (long) PAGES * FILES).boxed().toList());
  }
}

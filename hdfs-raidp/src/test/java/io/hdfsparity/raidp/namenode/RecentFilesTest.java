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
class RecentFilesTest implements RecentFiles.Pages, RecentFiles.Queue {
  private static final int FILES = 50;
  private static final int ROOM = 30;

  private final List<Long> queue = new ArrayList<>();
  private long page;

  @Override
  public boolean isOver() {
    return page == FILES;
  }

  @Override
  public List<Long> next() {
    return List.of(page++);
  }

  @Override
  public boolean isHalfFull() {
    return queue.size() >= ROOM;
  }

  @Override
  public void add(long inodeId) {
    queue.add(inodeId);
  }

  @Test
  void aRoundIsShortAndWaitsForRoomAndTheWalkEnds() {
    RecentFiles recent = new RecentFiles(this, this);
    recent.round();
    assertThat(queue).hasSize(RecentFiles.PAGES);
    recent.round();
    recent.round();
    assertThat(queue).hasSize(ROOM);
    List<Long> adopted = new ArrayList<>(queue);
    queue.clear();
    recent.round();
    recent.round();
    adopted.addAll(queue);
    assertThat(adopted).containsExactlyElementsOf(LongStream.range(0, FILES).boxed().toList());
  }
}

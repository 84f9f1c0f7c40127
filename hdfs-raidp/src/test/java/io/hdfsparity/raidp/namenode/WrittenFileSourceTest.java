/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.raidp.adoption.AdoptableFile;
import io.hdfsparity.raidp.adoption.AdoptableFile.Trait;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class WrittenFileSourceTest {
  private final FilesToLower queue = new FilesToLower();
  private Set<Trait> traits = EnumSet.of(Trait.PROTECTED, Trait.OPEN);

  /** It is named when its first block is placed, and may be written for hours. */
  @Test
  void aFileThatIsWrittenWaitsUntilItIsClosed() {
    WrittenFileSource source =
        new WrittenFileSource(queue::take, queue::add, inodeId -> look(inodeId));
    queue.add(1);
    queue.add(2);
    for (int i = 0; i < 10; i++) {
      assertThat(source.next(100)).isEmpty();
    }
    assertThat(queue.size()).isEqualTo(1);
    traits = EnumSet.of(Trait.PROTECTED);
    assertThat(source.next(100)).extracting(AdoptableFile::inodeId).containsExactly(1L);
    assertThat(queue.size()).isZero();
  }

  private Optional<AdoptableFile> look(long inodeId) {
    return inodeId == 1
        ? Optional.of(new AdoptableFile(1, "/f", 3, 10, traits, List.of()))
        : Optional.empty();
  }
}

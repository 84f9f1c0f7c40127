/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.core.check.ManualClock;
import io.hdfsparity.raidp.adoption.AdoptableFile;
import io.hdfsparity.raidp.adoption.AdoptableFile.Trait;
import io.hdfsparity.raidp.adoption.FileOutcome;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class WrittenFileSourceTest {
  private final FilesToLower queue = new FilesToLower();
  private int looks;
  private Set<Trait> traits = EnumSet.of(Trait.PROTECTED, Trait.OPEN);

  private final ManualClock clock = new ManualClock();

  private WrittenFileSource source() {
    return new WrittenFileSource(
        queue, inodeId -> look(inodeId), () -> clock.nanoTime() / 1_000_000);
  }

  /** It is named when its first block is placed, and may be written for hours. */
  @Test
  void aFileThatIsWrittenWaitsUntilItIsClosed() {
    WrittenFileSource source = source();
    queue.add(1);
    queue.add(2);
    for (int i = 0; i < 10; i++) {
      assertThat(source.next(100)).isEmpty();
    }
    assertThat(looks).as("it is not looked at again and again").isEqualTo(1);
    clock.advance(WrittenFileSource.OPEN_PAUSE_MS);
    assertThat(source.next(100)).isEmpty();
    assertThat(looks).isEqualTo(2);
    traits = EnumSet.of(Trait.PROTECTED);
    clock.advance(WrittenFileSource.OPEN_PAUSE_MS);
    assertThat(source.next(100)).extracting(AdoptableFile::inodeId).containsExactly(1L);
    assertThat(queue.size()).isZero();
  }

  /** One that wants two replicas has no parity until then. */
  @Test
  void aFileThatNoSuperchunkHadRoomForIsTriedAgain() {
    traits = EnumSet.of(Trait.PROTECTED);
    WrittenFileSource source = source();
    queue.add(1);
    assertThat(source.next(100)).hasSize(1);
    source.ended(1, FileOutcome.NO_ROOM);
    assertThat(source.next(100)).isEmpty();
    clock.advance(WrittenFileSource.FAILED_PAUSE_MS);
    assertThat(source.next(100)).hasSize(1);
    source.ended(1, FileOutcome.COVERED);
    clock.advance(WrittenFileSource.FAILED_PAUSE_MS);
    assertThat(source.next(100)).isEmpty();
  }

  private Optional<AdoptableFile> look(long inodeId) {
    looks += inodeId == 1 ? 1 : 0;
    return inodeId == 1
        ? Optional.of(new AdoptableFile(1, "/f", 3, 10, traits, List.of()))
        : Optional.empty();
  }
}

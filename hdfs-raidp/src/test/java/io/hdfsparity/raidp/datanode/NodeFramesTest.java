/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.datanode;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.raidp.wire.message.Pairing;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class NodeFramesTest {
  private static final Optional<Pairing> FAILED = Optional.of(new Pairing(7, 1, "DS-2", "b", 1));
  private static final Optional<Pairing> REBUILT = Optional.of(new Pairing(7, 3, "DS-3", "c", 1));
  private static final Optional<Pairing> OTHER = Optional.of(new Pairing(8, 9, "DS-4", "d", 1));

  /**
   * Asked for the frame on the failed disk, a leader refused its new partner, which then took the
   * leader for dead and gave blocks other units than it has.
   */
  @Test
  void aSuperchunkThatWasRebuiltOnTheSameNodeIsFoundWhereItIsNow() {
    for (List<Optional<Pairing>> frames :
        List.of(
            List.of(FAILED, REBUILT, OTHER, Optional.<Pairing>empty()),
            List.of(Optional.<Pairing>empty(), OTHER, REBUILT, FAILED))) {
      assertThat(NodeFrames.latest(frames, Function.identity(), 7)).contains(REBUILT);
      assertThat(NodeFrames.latest(frames, Function.identity(), 8)).contains(OTHER);
      assertThat(NodeFrames.latest(frames, Function.identity(), 9)).isEmpty();
    }
    assertThat(NodeFrames.latest(List.of(FAILED), Function.identity(), 7)).contains(FAILED);
  }
}

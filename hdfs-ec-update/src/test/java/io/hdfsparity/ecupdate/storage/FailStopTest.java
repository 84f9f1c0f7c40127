/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class FailStopTest {
  private final FailStop failStop = new FailStop();

  @Test
  void untilAFailureNothingIsRefused() throws Exception {
    failStop.check();
    assertThat(failStop.isStopped()).isFalse();
    assertThat(failStop.why()).isEmpty();
  }

  @Test
  void afterwardsEverybodyIsToldTheFirstCause() {
    IOException first = new IOException("the disk is gone");
    assertThat(failStop.stop(first)).hasMessageContaining("the disk is gone").hasCause(first);
    assertThat(failStop.stop(new IOException("and the next"))).hasMessageContaining("the next");
    assertThat(failStop.isStopped()).isTrue();
    assertThat(failStop.why()).contains("the disk is gone", "reopen the engine");
    assertThatThrownBy(failStop::check)
        .isInstanceOf(EngineFailedException.class)
        .hasMessage(failStop.why())
        .hasRootCause(first);
  }

  /** As when there is no memory for the message. */
  @Test
  void itHasStoppedThoughNoCauseCouldBeNoted() {
    Throwable cause =
        new Throwable() {
          private static final long serialVersionUID = 1L;

          @Override
          public String toString() {
            throw new OutOfMemoryError("injected");
          }
        };
    assertThatThrownBy(() -> failStop.stop(cause)).isInstanceOf(OutOfMemoryError.class);
    assertThat(failStop.isStopped()).isTrue();
    assertThat(failStop.why()).isEqualTo("the engine was stopped");
    assertThatThrownBy(failStop::check).hasMessageContaining("the engine was stopped");
  }
}

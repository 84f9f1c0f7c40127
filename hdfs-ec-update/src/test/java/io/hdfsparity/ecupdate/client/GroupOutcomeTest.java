/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.bridge.refusal.Refusal;
import io.hdfsparity.ecupdate.protocol.RefusalKind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Locks of a group that was replaced must not be let go, whatever a NameNode says. */
class GroupOutcomeTest {
  /** A kind that is added has to be thought of here, too. */
  @ParameterizedTest
  @EnumSource
  void locksAreLetGoOnlyAfterWhatIsSaidOfTheGroup(RefusalKind kind) {
    GroupOutcome expected =
        switch (kind) {
          case REPLACED -> GroupOutcome.REPLACED;
          case NODE_BACK,
              TOO_FEW_NODES,
              COPY,
              SUPERFLUOUS,
              CORRUPT,
              MISSING_UNIT,
              GROUP_OPEN,
              REBUILDING,
              NO_CAPABILITY,
              CONTRADICTION,
              UNLISTED_CONTRADICTION,
              DOUBTS_UNKNOWN ->
              GroupOutcome.AS_IT_WAS;
          default -> GroupOutcome.IN_DOUBT;
        };
    assertThat(GroupOutcome.after(kind.because("name", "value", "rule", "where")))
        .isEqualTo(expected);
  }

  @Test
  void aWordOfALaterVersionMayMeanAnything() {
    assertThat(GroupOutcome.after(new Refusal("brand-new", "no", "wait")))
        .isEqualTo(GroupOutcome.IN_DOUBT);
  }
}

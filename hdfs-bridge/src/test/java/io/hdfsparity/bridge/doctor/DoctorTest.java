/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.bridge.config.ValueForm;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class DoctorTest {
  private static final ClusterFacts NOTHING =
      new ClusterFacts(
          new LocalFacts("1", "3.5.0", Map.of(), ""), List.of(), List.of(), "no answer");

  /** A check of a feature that is broken itself. */
  private static final class BrokenCheck implements DoctorCheck {
    @Override
    public List<? extends FindingKind> kinds() {
      return List.of();
    }

    @Override
    public void check(ClusterFacts facts, FindingList found) {
      throw new IllegalStateException("broken");
    }
  }

  @Test
  void aCheckThatFailsIsAFindingAndHidesNoOther() {
    assertThat(Doctor.of(List.of(new BrokenCheck())).examine(NOTHING))
        .extracting(each -> each.kind().code() + " " + each.detail())
        .containsExactly(
            "PARITY-109 no answer",
            "PARITY-100 BrokenCheck: java.lang.IllegalStateException: broken");
  }

  @Test
  void aFindingSaysWhatToDo() {
    assertThatThrownBy(() -> new FindingSpec("PARITY-1", Severity.INFO, "It is so.", "Wait."))
        .hasMessageContaining("three digits");
    assertThatThrownBy(() -> new FindingSpec("PARITY-100", Severity.INFO, "It is so.", ""))
        .hasMessageContaining("full stop");
  }

  @Test
  void anAnswerIsAStatusOrAFailure() {
    assertThatThrownBy(
            () ->
                new DaemonAnswer(
                    DaemonKind.DATANODE, "dn:1", Optional.empty(), Optional.empty(), 0, 0))
        .hasMessageContaining("expected one");
  }

  @Test
  void valuesThatMeanTheSameAreEqual() {
    assertThat(ValueComparison.canonical(ValueForm.DURATION, "1m"))
        .isEqualTo(ValueComparison.canonical(ValueForm.DURATION, " 60S "))
        .isEqualTo(ValueComparison.canonical(ValueForm.DURATION, "60000"))
        .isNotEqualTo(ValueComparison.canonical(ValueForm.DURATION, "61s"));
    assertThat(ValueComparison.canonical(ValueForm.SIZE, "1m"))
        .isEqualTo(ValueComparison.canonical(ValueForm.SIZE, "1048576"))
        .isNotEqualTo(ValueComparison.canonical(ValueForm.SIZE, "1MB"));
    assertThat(ValueComparison.canonical(ValueForm.DURATION, "soon")).isEqualTo("soon");
    assertThat(ValueComparison.canonical(ValueForm.SIZE, "0")).isEqualTo("0");
  }
}

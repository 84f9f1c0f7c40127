/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.core.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UpdateTraceNameTest {
  @Test
  void aNameSaysWhatItWasMadeOf() {
    UpdateTraceName name = new UpdateTraceName(16390, "hnode-1.example-0123abcd", 12);
    assertThat(name.fileName()).isEqualTo("updates-16390-hnode-1.example-0123abcd-00000012.csv");
    assertThat(UpdateTraceName.parse(name.fileName())).contains(name);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "updates-1-a-1.csv",
        "updates-1-a-00000000.csv",
        "updates-x-a-00000001.csv",
        "updates-1--00000001.csv",
        "updates-1-A-00000001.csv",
        "updates-1-a-00000001.csv.tmp",
        "xupdates-1-a-00000001.csv",
        "updates-1-a/b-00000001.csv"
      })
  void othersAreNone(String name) {
    assertThat(UpdateTraceName.parse(name)).isEmpty();
  }

  @Test
  void whatHasNoNameIsRefused() {
    assertThatThrownBy(() -> new UpdateTraceName(1, "a/b", 1)).hasMessageContaining("writer=a/b");
    assertThatThrownBy(() -> new UpdateTraceName(-1, "a", 1)).hasMessageContaining("inodeId=-1");
    assertThatThrownBy(() -> new UpdateTraceName(1, "a", 0)).hasMessageContaining("part=0");
  }
}

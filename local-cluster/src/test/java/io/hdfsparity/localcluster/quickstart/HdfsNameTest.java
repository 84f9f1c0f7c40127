/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class HdfsNameTest {
  @Test
  void leavesOrdinaryNamesAlone() {
    assertThat(HdfsName.component("hadoop-common-3.5.0.jar")).isEqualTo("hadoop-common-3.5.0.jar");
    assertThat(HdfsName.component("fünf €")).isEqualTo("fünf €");
  }

  @Test
  void shortensToWhatHdfsTakesAndKeepsLongNamesApart() {
    String one = HdfsName.component("ü".repeat(200) + "1");
    String two = HdfsName.component("ü".repeat(200) + "2");
    assertThat(one.getBytes(StandardCharsets.UTF_8)).hasSizeLessThanOrEqualTo(HdfsName.MAX_BYTES);
    assertThat(one).isNotEqualTo(two);
  }
}

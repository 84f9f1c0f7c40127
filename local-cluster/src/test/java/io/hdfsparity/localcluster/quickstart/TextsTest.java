/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.quickstart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import org.junit.jupiter.api.Test;

class TextsTest {
  @Test
  void quantitiesAreInOrderWithOtherValues() {
    assertThat(
            Texts.format(
                "%s: {block group} of {bytes} in {ms}, %.1f %% of {file}",
                "dn1", 1, 2048, 1500L, 12.34, 1_200))
        .isEqualTo("dn1: 1 block group of 2.0 KB in 1.5 s, 12.3 % of 1,200 files");
  }

  @Test
  void aValueIsNeverTakenForAPlace() {
    assertThat(Texts.format("%s and {read}", "{write} %s %n $1", 2))
        .isEqualTo("{write} %s %n $1 and 2 reads");
    assertThat(Texts.format("100 %%")).isEqualTo("100 %");
  }

  @Test
  void aTemplateWithTooFewValuesIsNamed() {
    for (String template : List.of("%s took {ms}", "%s took %s", "{read} took {ms}")) {
      assertThatThrownBy(() -> Texts.format(template, 1))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage(
              "Cannot fill in a template: values=1, expected one for each place of: " + template);
    }
  }

  @Test
  void aFieldThatIsMissingIsADash() throws Exception {
    assertThat(
            Texts.ofFields(
                new ObjectMapper().readTree("{\"kind\":\"SLOT\",\"superchunk\":7,\"block\":null}"),
                "%s superchunk %s block %s: %s",
                "kind",
                "superchunk",
                "block",
                "detail"))
        .isEqualTo("SLOT superchunk 7 block -: -");
  }
}

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.torture;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LastingMismatchesTest {
  private static final String ONE = "parity-mismatch/1";
  private static final String OTHER = "parity-mismatch/2";

  private final LastingMismatches mismatches = new LastingMismatches(Duration.ofSeconds(30));

  @Test
  void parityThatIsWrongAllTheTimeStaysWrong() throws Exception {
    assertThat(mismatches.after(findings(ONE, OTHER), seconds(0))).isEmpty();
    assertThat(mismatches.after(findings(ONE), seconds(29))).isEmpty();
    assertThat(mismatches.after(findings(OTHER, ONE), seconds(30)))
        .hasValueSatisfying(
            text -> assertThat(text).contains("\"unit 1\"").doesNotContain("\"unit 2\""));
  }

  @Test
  void parityThatWasRightInBetweenMayBeRightAgain() throws Exception {
    assertThat(mismatches.after(findings(ONE), seconds(0))).isEmpty();
    assertThat(mismatches.after(findings(), seconds(20))).isEmpty();
    assertThat(mismatches.after(findings(ONE), seconds(31))).isEmpty();
    assertThat(mismatches.after(findings(OTHER), seconds(62))).isEmpty();
    assertThat(mismatches.after(findings(OTHER), seconds(92))).isPresent();
  }

  @Test
  void whatHealsByItselfIsWaitedFor() throws Exception {
    assertThat(mismatches.after(findings("NOT_COVERED/1"), seconds(0))).isEmpty();
    assertThat(mismatches.after(findings("NOT_COVERED/1"), seconds(299))).isEmpty();
  }

  @Test
  void whatWasRepairedIsNotWrong() throws Exception {
    JsonNode repaired =
        new ObjectMapper()
            .readTree("[{\"kind\":\"parity-mismatch\",\"detail\":\"unit 1\",\"repaired\":true}]");
    assertThat(mismatches.after(repaired, seconds(0))).isEmpty();
    assertThat(mismatches.after(repaired, seconds(60))).isEmpty();
  }

  private static JsonNode findings(String... names) throws Exception {
    StringBuilder text = new StringBuilder("[");
    for (String name : names) {
      String[] parts = name.split("/", 2);
      text.append(text.length() > 1 ? "," : "")
          .append(
              "{\"kind\":\"%s\",\"detail\":\"unit %s\",\"repaired\":false}"
                  .formatted(parts[0], parts[1]));
    }
    return new ObjectMapper().readTree(text.append("]").toString());
  }

  private static long seconds(int count) {
    return TimeUnit.SECONDS.toNanos(count);
  }
}

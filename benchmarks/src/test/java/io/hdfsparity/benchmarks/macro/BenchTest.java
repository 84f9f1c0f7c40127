/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.macro;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class BenchTest {
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  private int run(Bench.Body body) {
    return Bench.run(body, new PrintStream(err, true, StandardCharsets.UTF_8));
  }

  private String told() {
    return err.toString(StandardCharsets.UTF_8);
  }

  private static void refuse(Exception e) throws Exception {
    throw e;
  }

  @Test
  void aBadOptionIsToldWithoutAStackTrace() {
    assertThat(run(() -> BadOption.number("rounds", "abc", 1))).isEqualTo(2);
    assertThat(told())
        .startsWith("hdfs-parity-bench: Cannot run: rounds=abc, expected a whole number")
        .doesNotContain("\tat ");
  }

  @Test
  void aPathThatIsNoneIsABadOption() {
    assertThat(run(() -> Files.readString(Path.of("a\0b")))).isEqualTo(2);
    assertThat(told()).contains("path=a\0b").doesNotContain("\tat ");
  }

  @Test
  void aFileThatIsMissingIsNamedWithoutAStackTrace() {
    assertThat(run(() -> Files.readString(Path.of("/no/such/file")))).isEqualTo(1);
    assertThat(told()).contains("no such file, file=/no/such/file").doesNotContain("\tat ");
  }

  @Test
  void whatIsRefusedSaysItAll() {
    assertThat(run(() -> refuse(new IOException("Cannot resume: a=1, file=x")))).isEqualTo(1);
    assertThat(told()).isEqualToIgnoringNewLines("hdfs-parity-bench: Cannot resume: a=1, file=x");
  }

  @Test
  void anyOtherFailureHasItsStackTrace() {
    assertThat(run(() -> refuse(new IOException("broken pipe")))).isEqualTo(1);
    assertThat(told()).contains("IOException: broken pipe", "\tat ");
    assertThat(run(() -> {})).isZero();
  }
}

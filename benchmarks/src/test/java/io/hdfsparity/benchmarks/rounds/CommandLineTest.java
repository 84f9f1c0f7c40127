/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.rounds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.benchmarks.macro.BadOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CommandLineTest {
  private static final Map<String, String> OWN =
      Map.of("clients", "2", "outstanding", "1,16", "msr", "", "volumes", "usr0");
  @TempDir Path dir;

  private static CommandLine parse(String... options) {
    List<String> args = new ArrayList<>(List.of("out"));
    args.addAll(List.of(options));
    return CommandLine.parse(args.toArray(String[]::new), OWN);
  }

  private static void refuses(String message, String... options) {
    assertThatThrownBy(() -> parse(options))
        .isInstanceOf(BadOption.class)
        .hasMessageContaining(message);
  }

  @Test
  void numbersAreNumbers() {
    CommandLine options = parse("--rounds", "5", "--outstanding", "4,8", "--seed", "-7");
    assertThat(options.number("rounds")).isEqualTo(5);
    assertThat(options.numbers("outstanding")).containsExactly(4, 8);
    assertThat(options.seed()).isEqualTo(-7);
  }

  @Test
  void whatIsNoNumberIsRefusedAtOnce() {
    refuses("rounds=abc, expected a whole number", "--rounds", "abc");
    refuses("rounds=0, expected at least 1", "--rounds", "0");
    refuses("rounds=99999999999, expected at least 1 and at most", "--rounds", "99999999999");
    refuses("clients=, expected a whole number", "--clients", "");
    refuses("clients=1,2, expected a whole number", "--clients", "1,2");
    refuses("outstanding=, expected whole numbers, such as 1,16", "--outstanding", "");
    refuses("outstanding=x, expected a whole number", "--outstanding", "4,x");
    refuses("seed=x, expected a whole number", "--seed", "x");
  }

  @Test
  void whatIsUnknownIsNamed() {
    refuses("option=--rouns, expected one of [clients, dir,", "--rouns", "3");
    refuses("an option lacks its value", "--rounds");
    refuses("resume=perhaps, expected yes or no", "--resume", "perhaps");
  }

  @Test
  void aTraceThatCannotBeReadIsNamed() {
    refuses("msr=" + dir.resolve("missing.csv"), "--msr", dir.resolve("missing.csv").toString());
    refuses("msr=" + dir, "--msr", dir.toString());
  }

  @Test
  void resultsTellWhichTracesWereMeasured() throws Exception {
    Path file = Files.writeString(dir.resolve("vol.csv.gz"), "12345");
    CommandLine options = parse("--msr", file.toString());
    assertThat(options.traces()).containsExactly(new TraceFile("vol.csv.gz", 5));
    assertThat(options.traces().get(0).label()).isEqualTo("vol");
    assertThat(options.describe("b", "p")).containsEntry("traces", options.traces());
    assertThat(parse().describe("b", "p")).doesNotContainKey("traces");
  }

  @Test
  void tracesOfOneNameAreRefused() {
    TraceFile.requireDistinct(List.of("usr0", "vol"));
    assertThatThrownBy(() -> TraceFile.requireDistinct(List.of("usr0", "vol", "usr0")))
        .isInstanceOf(BadOption.class)
        .hasMessageContaining("trace=usr0, expected traces of different names");
  }
}

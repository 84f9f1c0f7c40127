/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

/** The frame of {@code hdfs izs}; its commands have tests of their own. */
class IzsAdminTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  private int run(String... args) {
    return new IzsAdmin(
            new Configuration(false), new PrintStream(out, true), new PrintStream(err, true))
        .run(args);
  }

  @Test
  void withoutACommandItShowsItsUsage() {
    assertThat(run()).isEqualTo(-1);
    assertThat(err.toString(StandardCharsets.UTF_8))
        .startsWith("Usage: hdfs izs")
        .contains("[-help [COMMAND]]")
        .contains("-conf <configuration file>");
    assertThat(out.size()).isZero();
  }

  @Test
  void unknownCommandsAreRefused() {
    assertThat(run("-dance")).isEqualTo(-1);
    assertThat(err.toString(StandardCharsets.UTF_8)).startsWith("dance: Unknown command");
  }

  @Test
  void helpIsNoError() {
    assertThat(run("-help")).isZero();
    assertThat(out.toString(StandardCharsets.UTF_8)).contains("Explains all commands, or one.");
    assertThat(run("-help", "dance")).isEqualTo(-1);
  }
}

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.torture;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.localcluster.AdminCommand;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CasoTraceTest {
  private static final CasoTrace TRACE = new CasoTrace(100, 64 << 10, 3);

  @TempDir Path dir;

  @Test
  void linesFollowFromTheSeed() {
    assertThat(TRACE.lines(1)).isEqualTo(TRACE.lines(1)).isNotEqualTo(TRACE.lines(2));
    assertThat(TRACE.lines(1))
        .hasSize(33 * 3 * 12)
        .allMatch(line -> line.matches("\\d+,torture,0,Write,\\d+,65536,0"));
  }

  @Test
  void anotherOrderPays() throws Exception {
    for (long seed = 1; seed <= 3; seed++) {
      Path file = dir.resolve("trace-" + seed);
      Files.write(file, TRACE.lines(seed));
      AdminCommand.Answer answer =
          new AdminCommand(new Configuration(false))
              .run(line -> {}, "caso -analyze %s -k 3 -m 2 -cell 64k -json", file);
      assertThat(answer.requireSuccess().requireJson().at("/default/method").asText())
          .as(answer.out())
          .isNotEqualTo("sequential")
          .isIn(List.of("greedy", "greedy-exchanged", "sequential-exchanged"));
    }
  }
}

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.macro;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hdfsparity.benchmarks.rounds.Sample;
import io.hdfsparity.benchmarks.rounds.TraceFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EarlierRoundsTest {
  private static final Path RESULTS = Path.of("results");
  @TempDir Path dir;

  private static Map<String, Object> describe(TraceFile... traces) {
    Map<String, Object> now = new LinkedHashMap<>(Map.of("writes", "10"));
    if (traces.length > 0) {
      now.put(EarlierRounds.TRACES, List.of(traces));
    }
    return now;
  }

  private Path write(Map<String, Object> description) throws IOException {
    Map<String, Object> json = new LinkedHashMap<>(description);
    json.put("samples", List.of(new Sample("vol", "FO", 0, Map.of("writes/s", 1.0))));
    Path file = dir.resolve("results.json");
    new ObjectMapper().writeValue(file.toFile(), json);
    return file;
  }

  @Test
  void figuresOfOtherTracesAreNotTakenForThose() throws Exception {
    TraceFile trace = new TraceFile("vol.csv", 100);
    Path file = write(describe(trace));
    assertThat(EarlierRounds.read(file, describe(trace), Sample.class)).hasSize(1);
    for (Map<String, Object> other :
        List.of(
            describe(new TraceFile("vol.csv", 101)),
            describe(new TraceFile("other.csv", 100)),
            describe(trace, trace),
            describe())) {
      assertThatThrownBy(() -> EarlierRounds.read(file, other, Sample.class))
          .hasMessageContaining("Cannot resume: traces=")
          .hasMessageContaining("vol.csv")
          .hasMessageContaining("file=" + file);
    }
  }

  @Test
  void resultsThatTellNoTracesAreThoseOfNone() throws Exception {
    Path file = write(describe());
    assertThat(EarlierRounds.read(file, describe(), Sample.class)).hasSize(1);
    assertThatThrownBy(
            () -> EarlierRounds.read(file, describe(new TraceFile("vol.csv", 100)), Sample.class))
        .hasMessageContaining("Cannot resume: traces=");
  }

  @Test
  void resultsOfBeforeCanBeRead() throws Exception {
    Path file = RESULTS.resolve("ecupdate-replay/ecupdate-replay.json");
    assertThat(file).isRegularFile();
    JsonNode earlier = new ObjectMapper().readTree(Files.readString(file));
    Map<String, Object> now = new LinkedHashMap<>();
    earlier.fields().forEachRemaining(entry -> now.put(entry.getKey(), entry.getValue()));
    assertThat(EarlierRounds.read(file, now, Sample.class)).hasSize(earlier.path("samples").size());
  }
}

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.dfsio;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Test;

class SampleTest {
  @Test
  void isOneFlatObjectInAResultFile() throws Exception {
    Sample sample =
        new Sample(
            "RAIDP",
            2,
            new DfsioJob.Speed(1, 2),
            3.5,
            new DfsioJob.Speed(4, 5),
            new DfsioJob.Speed(6, 7),
            new Sample.Cost(2.25, 2.5, 12.5),
            0.125);
    ObjectMapper json = new ObjectMapper();

    String written = json.writeValueAsString(sample);

    assertThat(written)
        .startsWith("{\"contender\":\"RAIDP\",\"round\":2,\"write\":{")
        .endsWith(
            ",\"receivedBytesPerByte\":2.25,\"networkBytesPerByte\":2.5,"
                + "\"processorSecondsPerGiB\":12.5,"
                + "\"compilingShare\":0.125}");
    assertThat(json.treeToValue(json.readTree(written), Sample.class)).isEqualTo(sample);
  }
}

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.quickstart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hdfsparity.localcluster.UpdateCounters;
import java.util.List;
import org.junit.jupiter.api.Test;

class CasoTablesTest {
  private static JsonNode compared() throws Exception {
    return new ObjectMapper()
        .readTree(
            """
            {"analysed":{"windows":10},"replayed":{"windows":11,"writes":1200,"reads":3},
             "organizations":[
              {"name":"bso","parityUpdates":2000,"parityUpdatesOfBso":1.0,"additionalDegradedReads":40},
              {"name":"authors-code","parityUpdates":1,"parityUpdatesOfBso":0.1,"additionalDegradedReads":1},
              {"name":"default","parityUpdates":1500,"parityUpdatesOfBso":0.75,"additionalDegradedReads":39}]}
            """);
  }

  @Test
  void theTableHasWhatCompareSays() throws Exception {
    List<String> lines = CasoTables.compared(compared());
    assertThat(lines).hasSize(4);
    assertThat(lines.get(0)).contains("10 windows", "next 11", "1,200 writes", "3 reads");
    assertThat(lines.get(2)).startsWith("in order of addresses").contains("2,000", "100.0 %", "40");
    assertThat(lines.get(3)).startsWith("hdfs caso, by default").contains("1,500", "75.0 %", "39");
    assertThat(CasoTables.predicted(compared(), "default")).isEqualTo(1500);
    assertThatThrownBy(() -> CasoTables.predicted(compared(), "none"))
        .isInstanceOf(QuickstartException.class);
  }

  @Test
  void sharesAreOfWhatWasCounted() {
    List<String> lines =
        CasoTables.costs(
            List.of(
                new CasoTables.Row("one", 2000, new UpdateCounters(5, 2100, 7), 1500),
                new CasoTables.Row("two", 1500, new UpdateCounters(6, 1050, 8), 900)));
    assertThat(lines.get(1)).startsWith("one").contains("2,000", "2,100", "100.0 %", "1.5 s");
    assertThat(lines.get(2)).startsWith("two").contains("1,500", "1,050", "50.0 %", "0.9 s");
  }
}

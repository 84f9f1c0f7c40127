/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import static io.hdfsparity.raidp.namenode.Reports.node;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.raidp.wire.message.SuperchunkAnswer;
import io.hdfsparity.raidp.wire.message.SuperchunkAnswer.Pair;
import io.hdfsparity.raidp.wire.message.SuperchunkRequest;
import java.io.IOException;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.ipc.StandbyException;
import org.junit.jupiter.api.Test;

class PlacementQuestionsTest {
  private static final long BLOCK = 100;
  private static final long STAMP = 5;

  private static SuperchunkRequest request(String node, long blockId, long stamp, String named) {
    return new SuperchunkRequest("CID", node, "BP", blockId, stamp, Optional.ofNullable(named));
  }

  @Test
  void onlyTheActiveNameNodeAnswersAndOnlyRegisteredNodesAboutThemselves() throws IOException {
    AtomicBoolean active = new AtomicBoolean();
    PlacementQuestions questions =
        new PlacementQuestions(
            id ->
                id.startsWith("n")
                    ? Optional.of(
                        new Registrations.Registered("10.0.0.1", Set.of(), Set.of("a", "c", "s")))
                    : Optional.empty(),
            id -> id.equals("n-of-hdfs"),
            active::get,
            () -> "CID",
            () -> "BP",
            request -> new Pair("a", 7, 3));
    SuperchunkRequest good = request("n1", BLOCK, STAMP, null);
    assertThatThrownBy(() -> questions.answer(good)).isInstanceOf(StandbyException.class);
    active.set(true);
    assertThat(questions.answer(good)).isEqualTo(new Pair("a", 7, 3));
    assertThat(questions.answer(request("n-of-hdfs", BLOCK, STAMP, null)))
        .isEqualTo(new SuperchunkAnswer.Plain());
    for (Map.Entry<SuperchunkRequest, String> wrong :
        Map.of(
                request("invented", BLOCK, STAMP, null),
                "node=invented",
                request("n1", BLOCK, STAMP, "b"),
                "storage=b, expected one that the node has registered",
                new SuperchunkRequest("CID-2", "n1", "BP", BLOCK, STAMP, Optional.empty()),
                "clusterId=CID-2",
                new SuperchunkRequest("CID", "n1", "BP-2", BLOCK, STAMP, Optional.empty()),
                "blockPoolId=BP-2")
            .entrySet()) {
      assertThatThrownBy(() -> questions.answer(wrong.getKey()))
          .isInstanceOf(IOException.class)
          .hasMessageContaining(wrong.getValue());
    }
    String big = "x".repeat(PlacementQuestions.MAX_ID_CHARS + 1);
    for (SuperchunkRequest huge :
        Arrays.asList(
            new SuperchunkRequest(big, "n1", "BP", BLOCK, STAMP, Optional.empty()),
            new SuperchunkRequest("CID", big, "BP", BLOCK, STAMP, Optional.empty()),
            new SuperchunkRequest("CID", "n1", big, BLOCK, STAMP, Optional.empty()),
            new SuperchunkRequest("CID", "n1", "BP", BLOCK, STAMP, Optional.of(big)))) {
      assertThatThrownBy(() -> questions.answer(huge))
          .hasMessageContaining("length=257, expected at most 256");
    }
  }
}

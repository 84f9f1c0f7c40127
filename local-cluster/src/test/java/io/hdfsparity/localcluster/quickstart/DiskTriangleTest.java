/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Test;

class DiskTriangleTest {
  private static JsonNode json(String text) throws Exception {
    return new ObjectMapper().readTree(text.replace('\'', '"'));
  }

  private static String superchunk(int id, String state, String a, String b, int blocks, int free) {
    return "{'id':"
        + id
        + ",'state':'"
        + state
        + "','replicas':[{'disk':'"
        + a
        + "','blocks':"
        + blocks
        + ",'freeUnits':"
        + free
        + "},{'disk':'"
        + b
        + "','blocks':"
        + blocks
        + ",'freeUnits':"
        + free
        + "}]}";
  }

  private static final String STATUS =
      "{'nodes':[{'host':'h1','xferPort':1,'disks':[{'id':'A','path':'/a','health':"
          + "'USABLE'}]},{'host':'h2','xferPort':2,'disks':[{'id':'B','path':'/b','health':'DEAD'},{'id':'C','path':'/c',"
          + "'health':'HELD'}]},{'host':'h3','xferPort':3,'disks':[{'id':'D','path':'/d','health':'USABLE'}]}]}";

  private static JsonNode layout(String... superchunks) throws Exception {
    return json("{'superchunks':[" + String.join(",", superchunks) + "]}");
  }

  @Test
  void takesTheFullestThatAreWhole() throws Exception {
    DiskTriangle found =
        DiskTriangle.fullest(
                layout(
                    superchunk(1, "ACTIVE", "A", "C", 9, 50),
                    superchunk(2, "ACTIVE", "B", "A", 3, 20),
                    superchunk(3, "ACTIVE", "D", "A", 2, 20),
                    superchunk(4, "DEGRADED", "C", "D", 9, 1),
                    superchunk(5, "ACTIVE", "B", "D", 5, 30),
                    superchunk(6, "ACTIVE", "C", "B", 4, 60),
                    superchunk(7, "ACTIVE", "A", "Z", 9, 2)),
                json(STATUS),
                3)
            .orElseThrow();
    assertThat(found.superchunks()).containsExactly(2L, 3L, 5L);
    assertThat(found.blocks()).isEqualTo(10);
    assertThat(found.freeUnits()).isEqualTo(70);
    assertThat(found.disks())
        .containsExactlyInAnyOrder(
            new DiskTriangle.Disk("A", "h1:1", "/a"),
            new DiskTriangle.Disk("B", "h2:2", "/b"),
            new DiskTriangle.Disk("D", "h3:3", "/d"));
  }

  @Test
  void aDiskThatSharesWithThreeIsNone() throws Exception {
    assertThat(
            DiskTriangle.fullest(
                layout(
                    superchunk(1, "ACTIVE", "A", "B", 1, 5),
                    superchunk(2, "ACTIVE", "A", "C", 1, 5),
                    superchunk(3, "ACTIVE", "D", "A", 1, 5)),
                json(STATUS),
                3))
        .isEmpty();
  }

  @Test
  void findsNoneWhereOneHoldsNoBlocks() throws Exception {
    assertThat(
            DiskTriangle.fullest(
                layout(
                    superchunk(1, "ACTIVE", "A", "B", 1, 5),
                    superchunk(2, "ACTIVE", "A", "D", 1, 5),
                    superchunk(3, "ACTIVE", "D", "B", 0, 5)),
                json(STATUS),
                3))
        .isEmpty();
  }

  @Test
  void takesOneWithoutBlocksWhereThereIsNoOther() throws Exception {
    DiskTriangle found =
        DiskTriangle.fullest(
                layout(
                    superchunk(1, "ACTIVE", "A", "B", 1, 5),
                    superchunk(2, "ACTIVE", "A", "D", 1, 5),
                    superchunk(3, "ACTIVE", "D", "B", 0, 1),
                    superchunk(4, "ACTIVE", "A", "C", 0, 1),
                    superchunk(5, "ACTIVE", "B", "C", 0, 1)),
                json(STATUS),
                1)
            .orElseThrow();
    assertThat(found.superchunks()).containsExactly(1L, 2L, 3L);
    assertThat(found.filled()).isEqualTo(2);
    assertThat(found.blocks()).isEqualTo(2);
  }

  @Test
  void tellsHealth() throws Exception {
    assertThat(DiskTriangle.health(json(STATUS), new DiskTriangle.Disk("B", "", "")))
        .isEqualTo("DEAD");
    assertThat(DiskTriangle.health(json(STATUS), new DiskTriangle.Disk("X", "", "")))
        .isEqualTo("UNKNOWN");
  }
}

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

class DiskPairTest {
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
          + "'health':'HELD'}]}]}";

  @Test
  void takesTheFullestSuperchunkThatIsWhole() throws Exception {
    JsonNode layout =
        json(
            "{'superchunks':["
                + String.join(
                    ",",
                    superchunk(1, "ACTIVE", "A", "C", 9, 50),
                    superchunk(2, "ACTIVE", "A", "B", 3, 20),
                    superchunk(3, "DEGRADED", "A", "B", 9, 1),
                    superchunk(4, "ACTIVE", "A", "B", 0, 0),
                    superchunk(5, "ACTIVE", "A", "Z", 9, 2))
                + "]}");
    DiskPair pair = DiskPair.fullest(layout, json(STATUS)).orElseThrow();
    assertThat(pair.superchunk()).isEqualTo(2);
    assertThat(pair.blocks()).isEqualTo(3);
    assertThat(pair.first()).isEqualTo(new DiskPair.Disk("A", "h1:1", "/a"));
    assertThat(pair.second()).isEqualTo(new DiskPair.Disk("B", "h2:2", "/b"));
  }

  @Test
  void findsNoneWhereNoneHoldsBlocks() throws Exception {
    assertThat(
            DiskPair.fullest(
                json("{'superchunks':[" + superchunk(1, "ACTIVE", "A", "B", 0, 5) + "]}"),
                json(STATUS)))
        .isEmpty();
  }

  @Test
  void tellsHealth() throws Exception {
    assertThat(DiskPair.health(json(STATUS), new DiskPair.Disk("B", "", ""))).isEqualTo("DEAD");
    assertThat(DiskPair.health(json(STATUS), new DiskPair.Disk("X", "", ""))).isEqualTo("UNKNOWN");
  }
}

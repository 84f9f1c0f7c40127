/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.torture.fault;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hdfsparity.localcluster.torture.fault.DiskPair.NodeDisk;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class DiskPairTest {
  private static final NodeDisk A = new NodeDisk(0, 0);
  private static final NodeDisk B = new NodeDisk(1, 1);
  private static final NodeDisk C = new NodeDisk(2, 0);
  private static final NodeDisk D = new NodeDisk(3, 0);

  private static JsonNode json(String text) throws IOException {
    return new ObjectMapper().readTree(text.replace('\'', '"'));
  }

  private static Optional<DiskPair> pairOf(NodeDisk disk) throws IOException {
    return DiskPair.find(
        json(
            "{'nodes': [{'disks': [{'id': 'a', 'path': '/a'}]},"
                + " {'disks': [{'id': 'b', 'path': '/b'}, {'id': 'x', 'path': '/x'}]},"
                + " {'disks': [{'id': 'c', 'path': '/c'}]}]}"),
        json(
            "{'superchunks': ["
                + "{'replicas': [{'disk': 'a', 'blocks': 3}, {'disk': 'b', 'blocks': 3}]},"
                + "{'replicas': [{'disk': 'c', 'blocks': 7}, {'disk': 'a', 'blocks': 7}]},"
                + "{'replicas': [{'disk': 'a', 'blocks': 9}]},"
                + "{'replicas': [{'disk': 'x', 'blocks': 9}, {'disk': 'a', 'blocks': 9}]},"
                + "{'replicas': [{'disk': 'b', 'blocks': 8}, {'disk': 'c', 'blocks': 8}]}]}"),
        Map.of("/a", A, "/b", B, "/c", C, "/d", D),
        disk);
  }

  @Test
  void theOtherDiskSharesTheSuperchunkWithTheMostBlocks() throws IOException {
    assertThat(pairOf(A)).contains(new DiskPair(A, C));
    assertThat(pairOf(B)).contains(new DiskPair(B, C));
    assertThat(pairOf(C)).contains(new DiskPair(C, B));
    assertThat(new DiskPair(A, C).both()).containsExactly(A, C);
  }

  @Test
  void aDiskWithoutSuperchunkHasNone() throws IOException {
    assertThat(pairOf(D)).isEmpty();
  }
}

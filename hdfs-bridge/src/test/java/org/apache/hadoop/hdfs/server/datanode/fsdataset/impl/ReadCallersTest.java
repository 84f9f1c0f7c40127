/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.bridge.datanode.ReadCaller;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which readers of a DataNode are taken for clients. */
class ReadCallersTest {
  @ParameterizedTest
  @CsvSource({
    "CLIENT, DataXceiver for client DFSClient_NONMAPREDUCE_-1_7 at /127.0.0.1:1 [Sending block b]",
    "RECONSTRUCTION, DataXceiver for client  at /127.0.0.1:1 [Sending block b]",
    "DATANODE, DataXceiver for client /127.0.0.1:1 [Sending block b]",
    "DATANODE, DataXceiver for client ",
    "DATANODE, something else at all"
  })
  void onlyOneWithANameIsAClient(String expected, String thread) {
    assertThat(ReadCallers.ofThread(thread)).isEqualTo(ReadCaller.valueOf(expected));
  }

  @Test
  void whoeverCallsOtherwiseIsUnknown() {
    assertThat(ReadCallers.current()).isEqualTo(ReadCaller.UNKNOWN);
    assertThat(ReadCallers.isShortCircuit()).isFalse();
    assertThat(ReadCallers.isOrderedCopy()).isFalse();
  }

  @Test
  void aCopyThatNobodyWaitsForIsOrdered() {
    String sender = "org.apache.hadoop.hdfs.server.datanode.BlockSender";
    String transfer = "org.apache.hadoop.hdfs.server.datanode.DataNode$DataTransfer";
    String pool = "java.util.concurrent.ThreadPoolExecutor";
    String future = "java.util.concurrent.FutureTask";
    assertThat(ReadCallers.isOrderedCopy(List.of(sender, transfer, pool))).isTrue();
    // A client's pipeline gets another DataNode: the replica is being written, as it should be.
    assertThat(ReadCallers.isOrderedCopy(List.of(sender, transfer, future, pool))).isFalse();
    assertThat(ReadCallers.isOrderedCopy(List.of(future, sender, transfer, pool))).isTrue();
    assertThat(ReadCallers.isOrderedCopy(List.of(sender, pool))).isFalse();
  }
}

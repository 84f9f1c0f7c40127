/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.FinalizedReplica;
import org.apache.hadoop.hdfs.server.datanode.ReplicaBeingWritten;
import org.apache.hadoop.hdfs.server.datanode.ReplicaInfo;
import org.junit.jupiter.api.Test;

/** What a client takes a block for, against the replica that it would get. */
class UnitLengthsTest {
  private static final long UNIT = -32;
  private static final int UNIT_BYTES = 1000;

  private static ReplicaInfo finalized(long id) {
    return new FinalizedReplica(id, UNIT_BYTES, 7, /* vol= */ null, /* dir= */ null);
  }

  private static void ask(long id, long bytes, ReplicaInfo replica) throws IOException {
    ask(id, bytes, replica, "DataXceiver for client DFSClient_NONMAPREDUCE_7_1 at /127.0.0.1:7");
  }

  private static void ask(long id, long bytes, ReplicaInfo replica, String thread)
      throws IOException {
    UnitLengths.require(
        new ExtendedBlock("pool", id, bytes, 7), replica, new Thread(() -> {}, thread));
  }

  @Test
  void aClientThatAlwaysSaysTheLengthOfTheGroupIsServed() {
    // hdfs-native: its name is a UUID.
    String other =
        "DataXceiver for client 2f0a2b8c-4a39-4a3c-8a57-0d1b5a2f9c11 at /127.0.0.1:7 [Sending]";
    for (long id : new long[] {UNIT, UNIT + 3}) {
      assertThatCode(() -> ask(id, 4 * UNIT_BYTES, finalized(id), other))
          .doesNotThrowAnyException();
    }
  }

  @Test
  void whoIsNotKnownToBeAnotherClientIsRefused() {
    // A DataNode that reconstructs or copies says the length of the unit, too.
    for (String thread :
        new String[] {
          "DataXceiver for client  at /127.0.0.1:7",
          "DataXceiver for client /127.0.0.1:7",
          "org.apache.hadoop.hdfs.server.datanode.DataNode$DataTransfer@1",
          "DataXceiver for client DFSClient_parity_1_2 at /127.0.0.1:7"
        }) {
      assertThatThrownBy(() -> ask(UNIT, 4 * UNIT_BYTES, finalized(UNIT), thread))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("open it again");
    }
  }

  @Test
  void aGroupIsNotItsUnit() {
    assertThatThrownBy(() -> ask(UNIT, 4 * UNIT_BYTES, finalized(UNIT)))
        .isInstanceOf(IOException.class)
        .hasMessage(
            "Cannot read a unit of a block group: lengthBytes=4000, expected 1000; the file was"
                + " rewritten in another form since it was opened: open it again,"
                + " block=pool:blk_-32_7");
  }

  @Test
  void whoGoesByTheRightFormIsServed() {
    // Whoever opened the file while it was written knows less of it.
    for (int bytes : new int[] {0, UNIT_BYTES - 1, UNIT_BYTES}) {
      assertThatCode(() -> ask(UNIT, bytes, finalized(UNIT))).doesNotThrowAnyException();
    }
  }

  @Test
  void whatIsNoUnitOrIsBeingWrittenOrIsNotThereIsHadoopsMatter() {
    assertThatCode(() -> ask(32, 4 * UNIT_BYTES, finalized(32))).doesNotThrowAnyException();
    ReplicaInfo written =
        new ReplicaBeingWritten(UNIT, 7, /* vol= */ null, /* dir= */ null, UNIT_BYTES);
    assertThatCode(() -> ask(UNIT, 4 * UNIT_BYTES, written)).doesNotThrowAnyException();
    assertThatCode(() -> ask(UNIT, UNIT_BYTES, null)).doesNotThrowAnyException();
  }
}

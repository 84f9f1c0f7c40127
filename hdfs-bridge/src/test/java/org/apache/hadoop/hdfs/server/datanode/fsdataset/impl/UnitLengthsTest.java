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
    UnitLengths.require(new ExtendedBlock("pool", id, bytes, 7), replica);
  }

  @Test
  void aGroupIsNotItsUnit() {
    assertThatThrownBy(() -> ask(UNIT, 4 * UNIT_BYTES, finalized(UNIT)))
        .isInstanceOf(IOException.class)
        .hasMessage(
            "Cannot read a unit of a block group: lengthBytes=4000, expected 1000; the file was"
                + " written anew in another form since it was opened: open it again,"
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

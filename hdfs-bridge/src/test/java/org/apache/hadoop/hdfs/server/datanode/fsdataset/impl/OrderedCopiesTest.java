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

/** What is there when an ordered copy is made, against the order. */
class OrderedCopiesTest {
  private static final long ID = 32;
  private static final int BYTES = 1000;
  private static final long STAMP = 7;

  private static ReplicaInfo complete(long bytes, long stamp) {
    return new FinalizedReplica(ID, bytes, stamp, /* vol= */ null, /* dir= */ null);
  }

  private static ReplicaInfo written(long bytes, long stamp) {
    return new ReplicaBeingWritten(
        ID, bytes, stamp, /* vol= */ null, /* dir= */ null, Thread.currentThread(), BYTES);
  }

  private static void send(ReplicaInfo replica, boolean isOrdered) throws IOException {
    OrderedCopies.require(new ExtendedBlock("pool", ID, BYTES, STAMP), replica, () -> isOrdered);
  }

  @Test
  void onlyWhatIsWholeIsCopied() {
    assertThatCode(() -> send(complete(BYTES, STAMP), true)).doesNotThrowAnyException();
    for (ReplicaInfo replica :
        new ReplicaInfo[] {
          written(BYTES, STAMP),
          // An append that has ended. The order came before it.
          complete(BYTES + 1, STAMP),
          // The stamp of the block has been fixed before this one came.
          complete(BYTES, STAMP + 1),
          complete(BYTES - 1, STAMP)
        }) {
      assertThatThrownBy(() -> send(replica, true))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("a complete one of 1000 bytes");
    }
  }

  @Test
  void whatOthersReadIsHadoopsMatter() {
    for (ReplicaInfo replica :
        new ReplicaInfo[] {written(BYTES, STAMP), complete(BYTES + 1, STAMP)}) {
      assertThatCode(() -> send(replica, false)).doesNotThrowAnyException();
    }
    assertThatCode(() -> send(null, true)).doesNotThrowAnyException();
  }
}

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.storage.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.core.store.ByteStore;
import io.hdfsparity.core.store.CrashableByteStore;
import io.hdfsparity.core.store.StoreCrashedException;
import io.hdfsparity.ecupdate.ajx.Bytes;
import io.hdfsparity.ecupdate.ajx.LogRecord;
import io.hdfsparity.ecupdate.ajx.Patch;
import io.hdfsparity.ecupdate.ajx.ReplicaKey;
import io.hdfsparity.ecupdate.ajx.SlotKey;
import io.hdfsparity.ecupdate.ajx.Tid;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** A fold that takes several records counts when all are there, and only then. */
class MultiPartFoldTest {
  private static final ReplicaKey REPLICA = LogModel.replica(0);
  private static final ChangeBounds BOUNDS =
      new ChangeBounds(512 + LogModel.CELL_BYTES, LogModel.CELL_BYTES);
  private static final byte[] CONTENT = new byte[LogModel.STRIPES * LogModel.CELL_BYTES];

  static {
    new Random(5).nextBytes(CONTENT);
  }

  private static UpdateLog.Opened open(ByteStore store) throws IOException {
    return UpdateLog.open(store, LogModel.OWNER, LogModel.OPTIONS);
  }

  private static long appendAll(UpdateLog log) throws IOException, InterruptedException {
    long last = 0;
    for (int stripe = 0; stripe < LogModel.STRIPES; stripe++) {
      byte[] cell =
          Arrays.copyOfRange(
              CONTENT, stripe * LogModel.CELL_BYTES, (stripe + 1) * LogModel.CELL_BYTES);
      LogRecord record =
          new LogRecord.Added(new Patch(0, Bytes.wrap(cell)), List.of(new Tid(1, stripe, 0)));
      try (LogRoom room = log.reserve(BOUNDS)) {
        last = log.append(room, new SlotKey(REPLICA, stripe), record);
      }
    }
    log.commitGroup();
    return last;
  }

  private static byte[] written(List<Patch> patches) {
    byte[] file = new byte[CONTENT.length];
    for (Patch patch : patches) {
      System.arraycopy(patch.bytes().toArray(), 0, file, patch.offset(), patch.bytes().length());
    }
    return file;
  }

  private static void fold(UpdateLog log, long upTo) throws IOException {
    log.fold(REPLICA, upTo, List.of(new Patch(0, Bytes.copyOf(CONTENT))));
    log.commitGroup();
  }

  @Test
  void theWholeOfItIsGivenBack() throws Exception {
    CrashableByteStore store = CrashableByteStore.of(LogModel.formatted(), 8, new Random(1));
    UpdateLog log = open(store).log();
    long upTo = appendAll(log);
    fold(log, upTo);
    Recovered recovered = open(store).recovered();
    assertThat(recovered.records()).as("six changes, a fold of two").isEqualTo(8);
    Recovered.Fold fold = recovered.replicas().get(REPLICA).fold();
    assertThat(fold).isNotNull();
    assertThat(fold.upTo()).isEqualTo(upTo);
    assertThat(fold.patches()).hasSize(2);
    assertThat(written(fold.patches())).isEqualTo(CONTENT);
    assertThat(recovered.replicas().get(REPLICA).overlay(LogModel.CELL_BYTES)).isEmpty();
  }

  /** The file may be half written, whether the changes are in the log or in reserved space. */
  @Test
  void aFoldThatIsNotAppliedHoldsTheHead() throws Exception {
    CrashableByteStore store = CrashableByteStore.of(LogModel.formatted(), 8, new Random(1));
    UpdateLog log = open(store).log();
    long upTo = appendAll(log);
    log.moved(REPLICA, upTo);
    for (int stripe = 0; stripe < LogModel.STRIPES; stripe++) {
      log.homed(new SlotKey(REPLICA, stripe), upTo);
    }
    fold(log, upTo);
    log.truncate();
    Recovered.Replica replica = open(store).recovered().replicas().get(REPLICA);
    assertThat(replica).isNotNull();
    Recovered.Fold found = replica.fold();
    assertThat(found).isNotNull();
    assertThat(written(found.patches())).isEqualTo(CONTENT);
    log.applied(REPLICA, upTo);
    log.truncate();
    assertThat(log.usedBytes()).isZero();
  }

  @Test
  void aTornFoldTakesNoRoomHoweverOftenItIs() throws Exception {
    CrashableByteStore store = CrashableByteStore.of(LogModel.formatted(), 512, new Random(1));
    UpdateLog first = open(store).log();
    long upTo = appendAll(first);
    long usedBytes = first.usedBytes();
    for (int crash = 0; crash < 20; crash++) {
      KillableStore process = new KillableStore(store);
      UpdateLog log = open(process).log();
      assertThat(log.usedBytes()).as("before crash %d", crash).isEqualTo(usedBytes);
      log.fold(REPLICA, upTo, List.of(new Patch(0, Bytes.copyOf(CONTENT))));
      process.killAtChange(1);
      assertThatThrownBy(log::commitGroup).isInstanceOf(LogFailedException.class);
      ByteBuffer header = ByteBuffer.allocate(RecordHeader.HEADER_BYTES);
      store.read(LogHead.RING_OFFSET + usedBytes, header);
      int firstBytes = RecordHeader.decode(header, 0).recordBytes();
      store.write(LogHead.RING_OFFSET + usedBytes + firstBytes, header.clear().put(0, (byte) 0));
    }
    UpdateLog last = open(store).log();
    fold(last, upTo);
    last.applied(REPLICA, upTo);
  }

  @Test
  void aPartDoesNotCountAndTheNextFoldDoes() throws Exception {
    Set<Long> found = new TreeSet<>();
    for (int seed = 0; seed < 200; seed++) {
      Random random = new Random(seed);
      CrashableByteStore store = CrashableByteStore.of(LogModel.formatted(), 512, random);
      UpdateLog log = open(store).log();
      long upTo = appendAll(log);
      store.cutAtChange(1 + random.nextInt(2));
      try {
        fold(log, upTo);
      } catch (LogFailedException e) {
        assertThat(e).hasRootCauseInstanceOf(StoreCrashedException.class);
      }
      CrashableByteStore left = store.crash().reopen();
      UpdateLog.Opened opened = open(left);
      found.add(opened.recovered().records());
      Recovered.Replica replica = opened.recovered().replicas().get(REPLICA);
      boolean isWhole = opened.recovered().records() == 8;
      assertThat(replica.fold() != null).as("seed " + seed).isEqualTo(isWhole);
      assertThat(replica.overlay(LogModel.CELL_BYTES)).hasSize(isWhole ? 0 : LogModel.STRIPES);
      if (!isWhole) {
        fold(opened.log(), upTo);
        Recovered.Fold again = open(left).recovered().replicas().get(REPLICA).fold();
        assertThat(again).isNotNull();
        assertThat(written(again.patches())).as("seed " + seed).isEqualTo(CONTENT);
      }
    }
    assertThat(found)
        .as("records: with the fold or without, not with half of it")
        .containsOnly(6L, 8L);
  }
}

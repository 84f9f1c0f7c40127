/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.storage.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hdfsparity.core.framing.CorruptFormatException;
import io.hdfsparity.core.store.CrashableByteStore;
import io.hdfsparity.ecupdate.ajx.Bytes;
import io.hdfsparity.ecupdate.ajx.LogRecord;
import io.hdfsparity.ecupdate.ajx.Patch;
import io.hdfsparity.ecupdate.ajx.SlotKey;
import io.hdfsparity.ecupdate.ajx.Tid;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/** What of the very last group, which nothing in the log follows, can be told from a torn tail. */
class LastGroupDamageTest {
  private static final SlotKey SLOT = new SlotKey(LogModel.replica(0), 0);

  private final CrashableByteStore store =
      CrashableByteStore.of(LogModel.formatted(), 8, new Random(1));

  private UpdateLog.Opened open() throws IOException {
    return UpdateLog.open(store, LogModel.OWNER, LogModel.OPTIONS);
  }

  private static void append(UpdateLog log, int number) throws Exception {
    LogRecord record =
        new LogRecord.Added(new Patch(0, Bytes.zeros(64)), List.of(new Tid(1, number, 0)));
    try (LogRoom room = log.reserve(new ChangeBounds(600, 64))) {
      log.append(room, SLOT, record);
    }
  }

  /** Flips a bit in the payload of the record at the end. */
  private void damageLast(UpdateLog log) throws IOException {
    long at = LogHead.RING_OFFSET + log.usedBytes() - RecordHeader.ALIGNMENT;
    ByteBuffer bytes = ByteBuffer.allocate(1);
    store.read(at, bytes);
    bytes.put(0, (byte) (bytes.get(0) ^ 1));
    store.write(at, bytes.flip());
    store.sync(at, 1);
  }

  /** Documented in ec-update-log.md: not told apart, and cut off. */
  @Test
  void unsealedItIsTakenForATornTail() throws Exception {
    UpdateLog log = open().log();
    append(log, 1);
    log.commitGroup();
    append(log, 2);
    log.commitGroup();
    assertThat(log.isSealed()).isFalse();
    damageLast(log);
    UpdateLog.Opened next = open();
    assertThat(next.log().durableSequence()).isEqualTo(1);
    assertThat(next.recovered().isTorn()).as("the only sign").isTrue();
  }

  @Test
  void aGroupBehindItIsAWitness() throws Exception {
    UpdateLog log = open().log();
    append(log, 1);
    log.commitGroup();
    ByteBuffer before = ByteBuffer.wrap(store.content());
    append(log, 2);
    log.commitGroup();
    int first = LogHead.RING_OFFSET + RecordHeader.HEADER_BYTES;
    store.write(first, ByteBuffer.wrap(new byte[] {(byte) (before.get(first) ^ 1)}));
    assertThatThrownBy(this::open)
        .isInstanceOf(CorruptFormatException.class)
        .hasMessageContaining("missing sequence=1");
  }

  @Test
  void sealedItIsFound() throws Exception {
    UpdateLog log = open().log();
    append(log, 1);
    log.seal();
    assertThat(log.isSealed()).isTrue();
    damageLast(log);
    assertThatThrownBy(this::open)
        .isInstanceOf(CorruptFormatException.class)
        .hasMessageContaining("the head says that all up to 1 were durable");
  }

  @Test
  void anIdleLogSealsItself() throws Exception {
    UpdateLog log = open().log();
    Callable<Boolean> sealed = log::isSealed;
    try (GroupCommitter committer = GroupCommitter.start(log, "committer", 20, e -> {})) {
      append(log, 1);
      log.whenDurable(1).get();
      await().until(sealed);
      long writes = store.writes();
      append(log, 2);
      log.whenDurable(2).get();
      await().until(sealed);
      assertThat(store.writes()).as("a record and a head").isEqualTo(writes + 2);
      damageLast(log);
      assertThatThrownBy(this::open).isInstanceOf(CorruptFormatException.class);
      assertThat(committer).isNotNull();
    }
  }

  /** The committer finds nothing to commit then; twenty times, for now and then it is first. */
  @Test
  void aGroupThatAnotherThreadHasCommittedIsSealedToo() throws Exception {
    UpdateLog log = open().log();
    Callable<Boolean> sealed = log::isSealed;
    try (GroupCommitter committer = GroupCommitter.start(log, "committer", 20, e -> {})) {
      for (int number = 1; number <= 20; number++) {
        append(log, number);
        log.commitGroup();
        await().until(sealed);
      }
      assertThat(committer).isNotNull();
    }
  }

  /** Two torn headers of one sequence at one place, of which each has what the other lacks. */
  @Test
  void remainsOfATornRecordAreNotCompletedByTheNext() throws Exception {
    UpdateLog log = open().log();
    append(log, 1);
    log.commitGroup();
    long second = LogHead.RING_OFFSET + log.usedBytes();
    append(log, 2);
    log.commitGroup();
    ByteBuffer sequence = ByteBuffer.allocate(Long.BYTES);
    store.read(second + 24, sequence);
    store.write(second + 24, ByteBuffer.allocate(Long.BYTES));
    assertThat(open().log().durableSequence()).isEqualTo(1);
    store.write(second + 24, sequence.flip());
    assertThat(open().log().durableSequence()).isEqualTo(1);
  }

  /** Whole ones behind a torn one, when the record that was written in its stead is released. */
  @Test
  void remainsOfATornGroupDoNotComeBackWhenTheLogIsEmptied() throws Exception {
    UpdateLog log = open().log();
    append(log, 1);
    log.commitGroup();
    long second = LogHead.RING_OFFSET + log.usedBytes();
    append(log, 2);
    append(log, 3);
    append(log, 4);
    log.commitGroup();
    store.write(second, ByteBuffer.allocate(RecordHeader.HEADER_BYTES)); // did not reach the disk
    UpdateLog next = open().log();
    assertThat(next.durableSequence()).isEqualTo(1);
    append(next, 2);
    next.commitGroup();
    next.moved(SLOT.replica(), 2);
    next.homed(SLOT, 2);
    assertThat(next.truncate()).isPositive();
    assertThat(next.usedBytes()).isZero();
    UpdateLog.Opened last = open();
    assertThat(last.log().durableSequence()).isEqualTo(2);
    assertThat(last.recovered().replicas()).isEmpty();
    append(last.log(), 3);
    last.log().commitGroup();
    assertThat(open().log().durableSequence()).isEqualTo(3);
  }
}

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.storage;

import static io.hdfsparity.ecupdate.storage.TwoReplicas.DATA;
import static io.hdfsparity.ecupdate.storage.TwoReplicas.PARITY;
import static io.hdfsparity.ecupdate.storage.TwoReplicas.patch;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.core.framing.CorruptFormatException;
import io.hdfsparity.ecupdate.ajx.ReplicaKey;
import io.hdfsparity.ecupdate.ajx.Request;
import io.hdfsparity.ecupdate.ajx.SlotKey;
import io.hdfsparity.ecupdate.ajx.Tid;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The last group of the log is damaged before a crash. Where another file says that it has changes
 * of that group, it must not pass for a torn tail: the log would give their sequences to others.
 */
@Timeout(60)
class UnsealedGroupTest {
  /** Of the log: docs/formats/ec-update-log.md. */
  private static final int RING_OFFSET = 8192;

  private static final int RECORD_ALIGNMENT = 64;
  private static final SlotKey DATA_SLOT = new SlotKey(DATA, 0);
  private static final SlotKey PARITY_SLOT = new SlotKey(PARITY, 0);

  private TestDisk disk;
  private BlockEngine engine;
  private long tids;

  private void open(String scheme) throws Exception {
    disk = TwoReplicas.disk(scheme, new Random(1));
    engine = disk.openEngine();
  }

  private void add(int value) throws Exception {
    Request add =
        new Request.Add(patch(0, value), Request.Scaling.BY_CLIENT, new Tid(1, ++tids, 0), null, 0);
    TwoReplicas.ask(engine, PARITY_SLOT, add);
  }

  private void swap(int value) throws Exception {
    TwoReplicas.ask(engine, DATA_SLOT, new Request.Swap(patch(0, value), new Tid(1, ++tids, 0)));
  }

  /** Nothing is left of the process but what it has written, and a bit of its last group rots. */
  private void killAndDamageLastRecord() throws IOException {
    long last = RING_OFFSET + engine.log().usedBytes() - RECORD_ALIGNMENT;
    disk.kill();
    disk = disk.reopen();
    ByteBuffer bytes = ByteBuffer.allocate(1);
    disk.logStore().read(last, bytes);
    bytes.put(0, (byte) (bytes.get(0) ^ 1));
    disk.logStore().write(last, bytes.flip());
  }

  private void assertDamageIsFound(ReplicaKey key, int acknowledged) {
    assertThatThrownBy(
            () -> {
              engine = disk.openEngine();
              assertThat(TwoReplicas.read(engine, key, 0)).isEqualTo(acknowledged);
            })
        .isInstanceOf(CorruptFormatException.class)
        .hasMessageContaining("the head says that all up to");
  }

  @Test
  void deltasInReservedSpaceAreOfASealedGroup() throws Exception {
    open("PLR");
    add(3);
    engine.drainAll();
    add(5);
    engine.drainAll();
    killAndDamageLastRecord();
    assertDamageIsFound(PARITY, 3 ^ 5);
  }

  /** The state that names a new area comes before the first delta in it. */
  @Test
  void theStateBeforeTheFirstDeltaIsOfASealedGroup() throws Exception {
    open("PLR");
    add(3);
    disk.hook(
        call -> {
          if (call.equals("writeState")) {
            disk.stopAtChange(4, true); // behind its forces of names and bytes, and its write
          }
        });
    assertThatThrownBy(() -> engine.drainAll()).isInstanceOf(EngineFailedException.class);
    assertThat(disk.isDown()).isTrue();
    killAndDamageLastRecord();
    assertDamageIsFound(PARITY, 3);
  }

  @Test
  void aStateThatTheMoverHasWrittenIsOfASealedGroup() throws Exception {
    open("FL");
    swap(3);
    List<Tid> collected = List.of(new Tid(1, tids, 0));
    TwoReplicas.ask(engine, DATA_SLOT, new Request.GcRecent(collected));
    TwoReplicas.ask(engine, DATA_SLOT, new Request.GcOld(collected));
    engine.rest();
    engine.rest(); // the first call finds that there were changes
    assertThat(engine.log().usedBytes()).as("its bytes are in the log").isPositive();
    killAndDamageLastRecord();
    assertDamageIsFound(DATA, 3);
  }

  /** Stopped between the state that names the new scheme and the fold. */
  @Test
  void aStateThatAConversionHasWrittenIsOfASealedGroup() throws Exception {
    open("FL");
    swap(3);
    disk.hook(
        call -> {
          if (call.equals("prepareWrite")) {
            throw new IOException(TestDisk.NO_DESCRIPTOR);
          }
        });
    assertThatThrownBy(() -> engine.convert(DATA, "FO"))
        .hasMessageContaining(TestDisk.NO_DESCRIPTOR);
    killAndDamageLastRecord();
    assertDamageIsFound(DATA, 3);
  }

  /** A state as the versions before this rule may have left it. */
  @Test
  void aStateThatIsAheadOfTheLogIsRefused() throws Exception {
    open("FL");
    swap(3);
    long salt = engine.log().salt();
    engine.close();
    ReplicaState ahead =
        ReplicaState.untouched(salt).withSlots(1000, QuiescentSlots.NONE, new TreeMap<>());
    disk.files(DATA).writeState(ahead.encode(DATA));
    engine = disk.openEngine();
    assertThatThrownBy(() -> TwoReplicas.read(engine, DATA, 0))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("sequence of its changes=1000");
    assertThat(TwoReplicas.read(engine, PARITY, 0)).isZero();
  }
}

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.storage;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.core.store.StoreCrashedException;
import io.hdfsparity.ecupdate.ajx.Bytes;
import io.hdfsparity.ecupdate.ajx.DurableSlot;
import io.hdfsparity.ecupdate.ajx.LockId;
import io.hdfsparity.ecupdate.ajx.LockMode;
import io.hdfsparity.ecupdate.ajx.OpMode;
import io.hdfsparity.ecupdate.ajx.Patch;
import io.hdfsparity.ecupdate.ajx.ReplicaKey;
import io.hdfsparity.ecupdate.ajx.Reply;
import io.hdfsparity.ecupdate.ajx.Request;
import io.hdfsparity.ecupdate.ajx.SlotKey;
import io.hdfsparity.ecupdate.ajx.Tid;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * A copy arrives, and the machine dies at any write of that; it arrives again, as the glue has it
 * do, is recovered and written to, and the machine dies once more. Nothing of the earlier copy may
 * come back, and nothing of the later one be lost.
 */
class ArrivalCrashTest {
  private static final ReplicaKey KEY = new ReplicaKey("BP-1", 1);
  private static final SlotKey SLOT = new SlotKey(KEY, 1);
  private static final LockId LOCK = new LockId(5, 1);
  private static final Bytes RECOVERED = Bytes.wrap(filled(7));

  private long tids;

  private static byte[] filled(int value) {
    byte[] bytes = new byte[TestDisk.CELL_BYTES];
    java.util.Arrays.fill(bytes, (byte) value);
    return bytes;
  }

  @Test
  void anArrivalMayBeCutShort() throws Exception {
    int cut = 1;
    while (isCutShort(cut)) {
      cut++;
    }
    assertThat(cut).as("writes and forces of an arrival").isGreaterThan(4);
  }

  private boolean isCutShort(int cut) throws Exception {
    TestDisk disk =
        TestDisk.of(
            Map.of(KEY, TestDisk.layout(TwoReplicas.CODE, 0, TestDisk.FILE_BYTES)),
            Map.of(KEY, new byte[TestDisk.FILE_BYTES]),
            cut % 2 == 0 ? "FO" : "FL",
            new Random(cut));
    BlockEngine engine = disk.openEngine();
    for (int value = 1; value <= 3; value++) {
      swap(engine, value);
      engine.drainAll();
    }
    disk.store().cutAtChange(cut);
    boolean isCut = false;
    try {
      engine.arrived(KEY);
    } catch (IOException e) {
      assertThat(e).hasRootCauseInstanceOf(StoreCrashedException.class);
      isCut = true;
    }
    disk.store().crash();
    disk = disk.reopen();
    engine = disk.openEngine();
    if (isCut) {
      engine.arrived(KEY);
    }
    assertThat(engine.durable(SLOT)).isEqualTo(DurableSlot.remapped());
    recover(engine);
    Reply.SwapReply swapped = swap(engine, 9);
    assertThat(swapped.previous()).isEqualTo(RECOVERED.slice(0, 8));
    DurableSlot before = engine.durable(SLOT);
    for (int life = 0; life < 2; life++) {
      disk.store().crash();
      disk = disk.reopen();
      engine = disk.openEngine();
      assertThat(engine.durable(SLOT)).as("cut %d", cut).isEqualTo(before);
      assertThat(before.recentList()).containsExactly(new Tid(1, tids, 0));
      assertThat(before.opMode()).isEqualTo(OpMode.NORM);
      try (PinnedReader reader = engine.openReader(KEY)) {
        byte[] cell = reader.read(TestDisk.CELL_BYTES, TestDisk.CELL_BYTES);
        assertThat(cell).startsWith(9, 9, 9, 9, 9, 9, 9, 9).endsWith(7);
      }
      engine.merge(KEY);
      engine.makeRoom();
    }
    return isCut;
  }

  private Reply.SwapReply swap(BlockEngine engine, int value) throws Exception {
    Patch patch = new Patch(0, Bytes.wrap(filled(value)).slice(0, 8));
    return (Reply.SwapReply) ask(engine, new Request.Swap(patch, new Tid(1, ++tids, 0)));
  }

  private static void recover(BlockEngine engine) throws Exception {
    List<Request> requests =
        List.of(
            new Request.TryLock(LockMode.L1, LOCK),
            new Request.Reconstruct(Set.of(1, 2), RECOVERED, 1, LOCK),
            new Request.FinalizeRecovery(1, Request.LockAfter.RELEASED, LOCK));
    for (Request request : requests) {
      assertThat(ask(engine, request)).isNotInstanceOf(Reply.NotHolder.class);
    }
  }

  private static Reply ask(BlockEngine engine, Request request) throws Exception {
    var reply = engine.handle(SLOT, request);
    engine.log().commitGroup();
    return reply.get();
  }
}

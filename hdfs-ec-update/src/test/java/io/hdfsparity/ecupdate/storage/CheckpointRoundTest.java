/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.storage;

import static io.hdfsparity.ecupdate.storage.TwoReplicas.PARITY;
import static io.hdfsparity.ecupdate.storage.TwoReplicas.patch;
import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.ecupdate.ajx.ReplicaKey;
import io.hdfsparity.ecupdate.ajx.Request;
import io.hdfsparity.ecupdate.ajx.SlotKey;
import io.hdfsparity.ecupdate.ajx.Tid;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Changes keep coming while the deltas of two parity units are moved to reserved space. */
@Timeout(60)
class CheckpointRoundTest {
  private static final ReplicaKey OTHER = new ReplicaKey("BP-1", 3);

  private BlockEngine engine;
  private long tids;

  private void add(ReplicaKey key, int value) throws Exception {
    Tid tid = new Tid(1, ++tids, 0);
    TwoReplicas.ask(
        engine,
        new SlotKey(key, 0),
        new Request.Add(patch(0, value), Request.Scaling.BY_CLIENT, tid, null, 0));
  }

  private void addToBoth(int value) throws Exception {
    add(PARITY, value);
    add(OTHER, value);
  }

  @Test
  void theLogIsSealedOnceForAllReplicas() throws Exception {
    Map<ReplicaKey, ReplicaLayout> layouts = new LinkedHashMap<>();
    layouts.put(PARITY, TestDisk.layout(TwoReplicas.CODE, 2, TestDisk.FILE_BYTES));
    layouts.put(OTHER, TestDisk.layout(TwoReplicas.CODE, 3, TestDisk.FILE_BYTES));
    Map<ReplicaKey, byte[]> zeros = new LinkedHashMap<>();
    layouts.forEach((key, layout) -> zeros.put(key, new byte[layout.lengthBytes()]));
    TestDisk disk = TestDisk.of(layouts, zeros, "PLR", new Random(1));
    engine = disk.openEngine();
    addToBoth(1);
    engine.drainAll(); // makes reserved space

    addToBoth(2);
    int[] moves = new int[1];
    disk.hook(
        call -> {
          if (call.equals("prepareArea") && moves[0]++ == 0) {
            arrive(4);
          }
        });
    engine.drainAll();
    assertThat(moves[0]).as("replicas whose deltas were moved").isEqualTo(2);
    assertThat(engine.log().isSealed()).as("a second seal, for what came meanwhile").isFalse();

    disk.kill();
    engine = disk.reopen().openEngine();
    engine.drainAll();
    assertThat(engine.log().isSealed()).isTrue();
    // All adds have one bit each.
    assertThat(TwoReplicas.read(engine, PARITY, 0)).isEqualTo(7);
    assertThat(TwoReplicas.read(engine, OTHER, 0)).isEqualTo(7);
    engine.close();
  }

  private void arrive(int value) throws IOException {
    try {
      addToBoth(value);
    } catch (IOException e) {
      throw e;
    } catch (Exception e) {
      throw new AssertionError("changes that come meanwhile, value=" + value, e);
    }
  }
}

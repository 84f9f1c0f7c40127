/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.datanode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.bridge.datanode.ReadCaller;
import io.hdfsparity.bridge.datanode.ReplicaSnapshot;
import io.hdfsparity.ecupdate.ajx.ReplicaKey;
import io.hdfsparity.ecupdate.ajx.Request;
import io.hdfsparity.ecupdate.ajx.SlotKey;
import io.hdfsparity.ecupdate.ajx.Tid;
import io.hdfsparity.ecupdate.config.StorageKey;
import io.hdfsparity.ecupdate.protocol.SessionId;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Sessions enter and leave a replica, over restarts, and decoders wait for them. */
class UpdateVolumeSessionsTest extends UpdateVolumeFixture {
  private void assertRefused(ReadCaller caller) {
    assertThatThrownBy(() -> open(caller))
        .isInstanceOf(FileNotFoundException.class)
        .hasMessageContaining("updated in place");
  }

  @Test
  void atRestADecoderReadsWhatTheLastSessionHasLeft() throws Exception {
    enter(PARITY, ONE);
    enter(PARITY, TWO);
    volume.leave(BLOCK, ONE);
    clock.advance(SETTLE_MS);
    assertRefused(ReadCaller.CLIENT);
    volume.leave(BLOCK, TWO);
    clock.advance(SETTLE_MS - 1);
    assertRefused(ReadCaller.CLIENT);
    clock.advance(1);
    try (ReplicaSnapshot decoder = open(ReadCaller.CLIENT)) {
      assertThat(read(decoder)).isEqualTo(content);
    }
  }

  @Test
  void aWriteThatNobodyCollectedIsNoRest() throws Exception {
    enter(DATA, ONE);
    swap(100, new byte[] {1, 2, 3});
    volume.leave(BLOCK, ONE);
    clock.advance(SETTLE_MS);
    assertRefused(ReadCaller.RECONSTRUCTION);
    volume
        .engineOf(BLOCK)
        .handle(
            new SlotKey(new ReplicaKey(OneVolume.POOL, BLOCK), 0),
            new Request.GcRecent(List.of(new Tid(1, tids, 0))))
        .get();
    try (ReplicaSnapshot copy = open(ReadCaller.RECONSTRUCTION)) {
      assertThat(read(copy)).isEqualTo(content);
    }
  }

  @Test
  void aSessionThatHasNotLeftIsRememberedOverARestart() throws Exception {
    enter(PARITY, ONE);
    restart();
    clock.advance(10 * SETTLE_MS);
    assertRefused(ReadCaller.CLIENT);
    // The connection of the session is made anew, and then it leaves.
    enter(PARITY, ONE);
    volume.leave(BLOCK, ONE);
    clock.advance(SETTLE_MS);
    restart();
    assertRefused(ReadCaller.CLIENT);
    clock.advance(SETTLE_MS);
    open(ReadCaller.CLIENT).close();
  }

  @Test
  void aSessionThatEndedWithoutLeavingIsCrossedOutDurably() throws Exception {
    enter(PARITY, ONE);
    restart();
    enter(PARITY, TWO);
    assertThat(volume.noted(BLOCK)).containsExactlyInAnyOrder(ONE, TWO);
    volume.crossOut(BLOCK, Set.of(ONE, new SessionId(3)));
    assertThat(volume.noted(BLOCK)).containsExactly(TWO);
    clock.advance(SETTLE_MS);
    assertRefused(ReadCaller.CLIENT);
    volume.leave(BLOCK, TWO);
    assertRefused(ReadCaller.CLIENT);
    restart();
    assertThat(volume.noted(BLOCK)).isEmpty();
    clock.advance(SETTLE_MS);
    open(ReadCaller.CLIENT).close();
    assertThatThrownBy(() -> volume.crossOut(BLOCK + 1, Set.of(ONE)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("not admitted");
  }

  @Test
  void somebodyUnknownIsNotCrossedOut() throws Exception {
    admit(PARITY);
    enter(PARITY, ONE);
    volume.crossOut(BLOCK, Set.of(ONE, ReplicaUse.UNKNOWN));
    assertThat(volume.noted(BLOCK)).containsExactly(ReplicaUse.UNKNOWN);
    clock.advance(SETTLE_MS);
    assertRefused(ReadCaller.CLIENT);
  }

  @Test
  void whereNothingIsKnownOfSessionsThereIsNoRest() throws Exception {
    enter(PARITY, ONE);
    volume.leave(BLOCK, ONE);
    volume.close();
    Path file = root.resolve("ecupdate/BP-1/blk_" + BLOCK + ".sessions");
    byte[] kept = Files.readAllBytes(file);
    Files.delete(file);
    restart();
    clock.advance(10 * SETTLE_MS);
    assertRefused(ReadCaller.CLIENT);
    volume.close();
    kept[kept.length - 1] ^= 1;
    Files.write(file, kept);
    restart();
    clock.advance(10 * SETTLE_MS);
    assertRefused(ReadCaller.CLIENT);
  }

  /** Sessions may be inside the group, and change other units of it: it is no constant. */
  @Test
  void notesThatCannotBeReadRefuseSessionsButDoNotSayThatNobodyIsInside() throws Exception {
    enter(DATA, ONE);
    volume.close();
    Path file = root.resolve("ecupdate/BP-1/blk_" + BLOCK + ".sessions");
    byte[] kept = Files.readAllBytes(file);
    kept[kept.length - 1] ^= 1;
    Files.write(file, kept);
    for (int life = 0; life < 2; life++) {
      restart();
      clock.advance(SETTLE_MS);
      assertThatThrownBy(() -> enter(DATA, TWO))
          .isInstanceOf(IOException.class)
          .isNotInstanceOf(ReplicaRetiredException.class)
          .hasMessageContaining("notes that can be read");
      // Nothing of this makes notes that say otherwise.
      volume.leave(BLOCK, ONE);
      volume.crossOut(BLOCK, Set.of(ONE));
    }
    assertThat(Files.readAllBytes(file)).isEqualTo(kept);
  }

  /** What would be forgotten by a restart is not said. */
  @Test
  void aCopyThatIsNotNotedDurablyDoesNotSayThatNobodyEntersAnyMore() throws Exception {
    enter(DATA, ONE);
    volume.leave(BLOCK, ONE);
    clock.advance(SETTLE_MS);
    // A file cannot be made where a directory is.
    Path inTheWay = root.resolve("ecupdate/BP-1/blk_" + BLOCK + ".sessions.tmp");
    Files.createDirectory(inTheWay);
    assertThatThrownBy(() -> open(ReadCaller.RECONSTRUCTION)).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> enter(DATA, TWO))
        .isInstanceOf(IOException.class)
        .isNotInstanceOf(ReplicaRetiredException.class);
    Files.delete(inTheWay);
    // Who comes next makes up for it.
    for (int life = 0; life < 2; life++) {
      assertThatThrownBy(() -> enter(DATA, TWO)).isInstanceOf(ReplicaRetiredException.class);
      restart();
      clock.advance(SETTLE_MS);
    }
  }

  @Test
  void aSessionWaitsForDecodersOfARestingReplica() throws Exception {
    enter(PARITY, ONE);
    volume.leave(BLOCK, ONE);
    clock.advance(SETTLE_MS);
    try (ReplicaSnapshot decoder = open(ReadCaller.CLIENT)) {
      assertThatThrownBy(() -> enter(PARITY, TWO))
          .isInstanceOf(IOException.class)
          .hasMessageContaining(StorageKey.QUIET.key());
      assertThatThrownBy(() -> read(decoder)).isInstanceOf(FileNotFoundException.class);
    }
    // Between two tries of a session no decoder comes in.
    clock.advance(QUIET_MS - 1);
    assertRefused(ReadCaller.CLIENT);
    assertThatThrownBy(() -> volume.admit(BLOCK, descriptor(PARITY), TWO))
        .hasMessageContaining("leftMs=1");
    // One that does not come back keeps nobody out for good.
    clock.advance(2 * QUIET_MS);
    open(ReadCaller.CLIENT).close();
    enter(PARITY, TWO);
    assertRefused(ReadCaller.CLIENT);
    // Who is inside does not wait.
    volume.admit(BLOCK, descriptor(PARITY), TWO);
  }
}

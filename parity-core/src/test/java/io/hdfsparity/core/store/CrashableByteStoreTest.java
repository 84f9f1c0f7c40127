/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.core.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.core.check.SeededRuns;
import java.io.IOException;
import java.io.SyncFailedException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class CrashableByteStoreTest {
  /** A twin that remembers every value a byte has had since it was last durable. */
  @Test
  void everyByteSurvivesInAVersionSinceItsLastSyncAndSyncedOnesInTheirOwn() {
    SeededRuns.of(300)
        .check(
            random -> {
              int size = 1 + random.nextInt(200);
              CrashableByteStore store =
                  CrashableByteStore.of(new byte[size], 1 + random.nextInt(16), random);
              List<List<Byte>> versions = new ArrayList<>();
              for (int i = 0; i < size; i++) {
                versions.add(new ArrayList<>(List.of((byte) 0)));
              }
              for (int step = 0; step < 30; step++) {
                step(store, versions, random);
              }
              store.crash();
              for (int round = 0; round < 5; round++) {
                byte[] survived = store.reopen().content();
                for (int i = 0; i < size; i++) {
                  assertThat(versions.get(i)).as("byte %d", i).contains(survived[i]);
                }
              }
            });
  }

  private static void step(CrashableByteStore store, List<List<Byte>> versions, Random random)
      throws IOException {
    int offset = random.nextInt(versions.size());
    int length = random.nextInt(versions.size() - offset + 1);
    if (random.nextInt(3) > 0) {
      byte[] bytes = new byte[length];
      random.nextBytes(bytes);
      store.write(offset, ByteBuffer.wrap(bytes));
      for (int i = 0; i < length; i++) {
        versions.get(offset + i).add(bytes[i]);
      }
    } else {
      store.sync(offset, length);
      for (List<Byte> of : versions.subList(offset, offset + length)) {
        of.subList(0, of.size() - 1).clear();
      }
    }
  }

  @Test
  void atomsAreNotTorn() throws Exception {
    Random random = new Random(3);
    byte[] ones = new byte[64];
    java.util.Arrays.fill(ones, (byte) 1);
    boolean sawMixture = false;
    for (int round = 0; round < 50; round++) {
      CrashableByteStore store = CrashableByteStore.of(new byte[64], 8, random);
      store.write(0, ByteBuffer.wrap(ones));
      byte[] survived = store.crash().reopen().content();
      Set<Byte> kinds = new HashSet<>();
      for (int atom = 0; atom < 8; atom++) {
        for (int i = 0; i < 8; i++) {
          assertThat(survived[atom * 8 + i]).isEqualTo(survived[atom * 8]);
        }
        kinds.add(survived[atom * 8]);
      }
      sawMixture |= kinds.size() == 2;
    }
    assertThat(sawMixture).isTrue();
  }

  @Test
  void allAndNothingAreAmongTheOutcomes() throws Exception {
    CrashableByteStore store = CrashableByteStore.ofSize(1000, 5);
    byte[] bytes = new byte[1000];
    new Random(1).nextBytes(bytes);
    store.write(0, ByteBuffer.wrap(bytes));
    assertThat(store.unsyncedBytes()).isEqualTo(1000);
    store.crash();
    boolean sawAll = false;
    boolean sawNothing = false;
    for (int round = 0; round < 100; round++) {
      byte[] survived = store.reopen().content();
      sawAll |= java.util.Arrays.equals(survived, bytes);
      sawNothing |= java.util.Arrays.equals(survived, new byte[1000]);
    }
    assertThat(sawAll).isTrue();
    assertThat(sawNothing).isTrue();
  }

  @Test
  void cutsHitTheCallNamedAndStayUntilReopened() throws Exception {
    ByteBuffer one = ByteBuffer.allocate(1);
    CrashableByteStore writeCut = CrashableByteStore.ofSize(10, 1).cutAtWrite(2);
    writeCut.write(0, one.duplicate());
    writeCut.sync(0, 10);
    assertThatThrownBy(() -> writeCut.write(1, one.duplicate()))
        .isInstanceOf(StoreCrashedException.class);
    assertThatThrownBy(() -> writeCut.read(0, one.duplicate()))
        .isInstanceOf(StoreCrashedException.class);
    assertThat(writeCut.isCrashed()).isTrue();
    writeCut.reopen().read(0, one.duplicate());

    CrashableByteStore syncCut = CrashableByteStore.ofSize(10, 1).cutAtSync(1);
    syncCut.write(0, one.duplicate());
    assertThatThrownBy(() -> syncCut.sync(0, 10)).isInstanceOf(StoreCrashedException.class);
    assertThat(syncCut.unsyncedBytes()).isEqualTo(1);

    CrashableByteStore changeCut = CrashableByteStore.ofSize(10, 1).cutAtChange(3);
    changeCut.write(0, one.duplicate());
    changeCut.sync(0, 10);
    assertThatThrownBy(() -> changeCut.write(0, one.duplicate()))
        .isInstanceOf(StoreCrashedException.class);
    assertThat(changeCut.writes()).isEqualTo(2);
    assertThat(changeCut.syncs()).isEqualTo(1);
    assertThatThrownBy(() -> CrashableByteStore.ofSize(10, 1).reopen())
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void whatAFailedSyncHasLeftIsDurableOnlyWhenItIsWrittenAgain() throws Exception {
    byte[] ones = new byte[16];
    java.util.Arrays.fill(ones, (byte) 1);
    for (boolean isWrittenAgain : new boolean[] {false, true}) {
      CrashableByteStore store = CrashableByteStore.ofSize(32, 1).failSyncFrom(1);
      store.write(0, ByteBuffer.wrap(ones));
      assertThat(store.hasSyncFailed()).isFalse();
      assertThatThrownBy(() -> store.sync(0, 32)).isInstanceOf(SyncFailedException.class);
      assertThat(store.hasSyncFailed()).isTrue();
      assertThat(store.content()).startsWith(ones);
      if (isWrittenAgain) {
        store.write(0, ByteBuffer.wrap(ones));
      }
      store.write(16, ByteBuffer.wrap(ones));
      store.sync(0, 32);
      byte[] survived = store.crash().reopen().content();
      assertThat(survived[0]).isEqualTo((byte) (isWrittenAgain ? 1 : 0));
      assertThat(survived[16]).isEqualTo((byte) 1);
    }
  }

  @Test
  void sameSeedSameOutcome() throws Exception {
    byte[][] outcomes = new byte[2][];
    for (int i = 0; i < 2; i++) {
      CrashableByteStore store = CrashableByteStore.ofSize(4000, 99);
      byte[] bytes = new byte[4000];
      new Random(2).nextBytes(bytes);
      store.write(0, ByteBuffer.wrap(bytes));
      outcomes[i] = store.crash().reopen().content();
    }
    assertThat(outcomes[0]).isEqualTo(outcomes[1]);
  }
}

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.datanode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.hdfsparity.core.check.ManualClock;
import io.hdfsparity.raidp.config.Granularity;
import io.hdfsparity.raidp.config.Mode;
import io.hdfsparity.raidp.lstor.SlotEntry;
import io.hdfsparity.raidp.wire.RaidpPeerProtocol;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What is due stays due until it is done, whatever comes between. */
class SettlerTest {
  private static final long ID = 1_073_741_825L;
  private static final long STAMP = 1001;
  private static final int BLOCKS = 3;

  @TempDir Path base;
  private final ManualClock clock = new ManualClock();
  private final SimNet net = new SimNet(new Random(1), 0);
  private SimNode a;
  private SimNode b;

  @BeforeEach
  void start() throws IOException {
    a = new SimNode(base, "a", List.of("DS-a0"), Mode.IDLE, Granularity.BLOCK, clock, net);
    b = new SimNode(base, "b", List.of("DS-b0"), Mode.IDLE, Granularity.BLOCK, clock, net);
    a.start();
    b.start();
    SimNode.pairFirst(a, b);
    settle();
    for (long id = ID; id < ID + BLOCKS; id++) {
      for (SimNode node : List.of(a, b)) {
        node.sims.get(0).reserve(id, 1000);
        node.sims.get(0).write(id, STAMP, new byte[1000]);
        node.sims.get(0).finish(id, STAMP, 1000);
      }
    }
  }

  @AfterEach
  void stop() throws IOException {
    a.stop();
    b.stop();
  }

  private void settle() {
    SimNode.settleAll(clock, a, b);
  }

  private static boolean isPending(SimNode node) {
    return node.disk.lstor().entries(0).stream().anyMatch(SlotEntry::ackPending);
  }

  private static RaidpPeerProtocol broken(Throwable planted) {
    return (RaidpPeerProtocol)
        Proxy.newProxyInstance(
            RaidpPeerProtocol.class.getClassLoader(),
            new Class<?>[] {RaidpPeerProtocol.class},
            (proxy, method, arguments) -> {
              throw planted;
            });
  }

  static List<Throwable> planted() {
    return List.of(
        new IllegalStateException("planted"), new OutOfMemoryError("Direct buffer memory"));
  }

  /** Its Lstor takes all changes but those of one cell. */
  @Test
  void whatCannotBeSettledNowIsSettledLaterAlsoWhereParityCannotBeRead() throws IOException {
    settle();
    for (long id = ID; id < ID + BLOCKS; id++) {
      a.sims.get(0).delete(id);
      b.sims.get(0).delete(id);
    }
    b.disk.lstorFailed("a sector cannot be read");
    net.up("a", broken(new IOException("planted")));
    SimNode.settleAll(clock, b);
    assertThat(b.disk.lstor().entries()).isNotEmpty();
    assertThat(b.sims.get(0).hooks().settler().nextNanos()).as("it is still due").isPresent();
    net.up("a", a.service);
    settle();
    assertThat(b.disk.lstor().entries()).isEmpty();
  }

  /** Else the blocks of the run, up to 256, were left until the next start. */
  @ParameterizedTest
  @MethodSource("planted")
  void whatStrikesOneBlockDropsNoneFromTheQueue(Throwable planted) {
    net.up("a", broken(planted));
    assertThatCode(() -> b.settle()).doesNotThrowAnyException();
    assertThat(isPending(b)).isTrue();
    net.up("a", a.service);
    settle();
    assertThat(isPending(b)).isFalse();
    assertThat(isPending(a)).isFalse();
  }

  @ParameterizedTest
  @MethodSource("planted")
  void whatStrikesADeletedBlockDropsNoneFromTheQueue(Throwable planted) throws IOException {
    settle();
    for (long id = ID; id < ID + BLOCKS; id++) {
      a.sims.get(0).delete(id);
      b.sims.get(0).delete(id);
    }
    net.up("a", broken(planted));
    clock.advance(1000);
    assertThatCode(() -> b.settle()).doesNotThrowAnyException();
    net.up("a", a.service);
    settle();
    assertThat(a.disk.lstor().entries()).isEmpty();
    assertThat(b.disk.lstor().entries()).isEmpty();
  }
}

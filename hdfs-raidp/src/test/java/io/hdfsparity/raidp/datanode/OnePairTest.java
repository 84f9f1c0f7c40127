/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.datanode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hdfsparity.core.check.ManualClock;
import io.hdfsparity.raidp.config.Granularity;
import io.hdfsparity.raidp.config.Mode;
import io.hdfsparity.raidp.format.DiskFile;
import io.hdfsparity.raidp.format.FrameTable;
import io.hdfsparity.raidp.format.IdentityFileException;
import io.hdfsparity.raidp.image.Limbo;
import io.hdfsparity.raidp.lstor.BlockImage;
import io.hdfsparity.raidp.lstor.LstorException;
import io.hdfsparity.raidp.lstor.ParityKind;
import io.hdfsparity.raidp.lstor.Run;
import io.hdfsparity.raidp.lstor.SlotCause;
import io.hdfsparity.raidp.lstor.SlotCoverage;
import io.hdfsparity.raidp.lstor.SlotEntry;
import io.hdfsparity.raidp.lstor.SlotState;
import io.hdfsparity.raidp.lstor.SlotStatus;
import io.hdfsparity.raidp.wire.message.DiskState;
import io.hdfsparity.raidp.wire.message.HealRequest;
import io.hdfsparity.raidp.wire.message.Pairing;
import io.hdfsparity.raidp.wire.message.ScrubFinding;
import io.hdfsparity.raidp.wire.message.ScrubReport;
import io.hdfsparity.raidp.wire.message.ScrubRequest;
import io.hdfsparity.raidp.wire.message.SuperchunkRef;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.commons.io.FileUtils;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two nodes with one superchunk: opening, refusing, reconciling, scrubbing. */
class OnePairTest {
  private static final long ID = 1_073_741_900L;
  @TempDir Path base;
  private final ManualClock clock = new ManualClock();
  private final SimNet net = new SimNet(new Random(1), 0);
  private SimNode a;
  private SimNode b;

  @BeforeEach
  void start() throws IOException {
    a = new SimNode(base, "a", List.of("DS-a0", "DS-a1"), Mode.IDLE, Granularity.BLOCK, clock, net);
    b = new SimNode(base, "b", List.of("DS-b0", "DS-b1"), Mode.IDLE, Granularity.BLOCK, clock, net);
    a.start();
    b.start();
    SimNode.pairFirst(a, b);
  }

  @AfterEach
  void stop() throws IOException {
    a.stop();
    b.stop();
  }

  private static byte[] bytes(long seed, int length) {
    byte[] content = new byte[length];
    new Random(seed).nextBytes(content);
    return content;
  }

  private void store(long id, byte[] content) throws IOException {
    for (SimNode node : List.of(a, b)) {
      node.sims.get(0).reserve(id, SimNode.MAX_BLOCK);
    }
    for (SimNode node : List.of(a, b)) {
      node.sims.get(0).write(id, 1001, content);
      node.sims.get(0).finish(id, 1001, content.length);
    }
  }

  private void settle() {
    SimNode.settleAll(clock, a, b);
  }

  private SlotEntry row(SimNode node, long id) {
    return node.disk.lstor().entry(0, id).orElseThrow();
  }

  private List<ScrubFinding> scrub(SimNode node, boolean repair) throws IOException {
    return node.service.scrub(new ScrubRequest(Optional.empty(), repair, true)).findings();
  }

  private Path dataFile(SimNode node, long id) {
    return node.sims
        .get(0)
        .hooks()
        .frame()
        .directory()
        .finalizedDirectory(SimFrame.POOL, id)
        .resolve("blk_" + id);
  }

  @Test
  void aFrameWithCoveredBlocksKeepsItsCoefficient() throws IOException {
    store(ID, bytes(1, 70_000));
    assertThat(row(a, ID).coefficient()).isEqualTo(2);
    assertThat(row(b, ID).coefficient()).isEqualTo(1);
    assertThatThrownBy(() -> a.pair(0, new Pairing(5, 2, "DS-c0", "c", 1)))
        .hasMessageContaining("coefficient=1, expected 2");
    assertThat(a.sims.get(0).hooks().frame().pairing().orElseThrow().epoch()).isEqualTo(1);
    a.pair(0, new Pairing(5, 2, "DS-c0", "c", 2));
    assertThat(a.disk.lstor().frames().get(0).epoch()).isEqualTo(2);
  }

  /** Else a block that comes at once would be covered with the coefficient of the time before. */
  @Test
  void whoSeesAPairingFindsItsCoefficientInTheLstor() throws Exception {
    Frame frame = a.sims.get(1).hooks().frame();
    CountDownLatch watching = new CountDownLatch(1);
    CompletableFuture<Integer> seen =
        CompletableFuture.supplyAsync(
            () -> {
              watching.countDown();
              while (frame.pairing().isEmpty()) {
                Thread.onSpinWait();
              }
              return a.disk.lstor().frames().get(1).coefficient();
            });
    watching.await();
    a.pair(1, new Pairing(6, 1, "DS-b1", "b", 2));
    assertThat(seen.get(1, TimeUnit.MINUTES)).isEqualTo(2);
  }

  // ---------------------------------------------------------------- life of a block

  @Test
  void aBlockIsCoveredTrimmedAcknowledgedAndLetGo() throws IOException {
    store(ID, bytes(1, 70_000));
    assertThat(row(b, ID).units()).as("the follower gives up spare units at once").isEqualTo(2);
    assertThat(row(a, ID).units()).as("the leader waits for that").isEqualTo(4);
    assertThat(a.disk.gate().depthBytes()).isEqualTo(70_000);
    settle();
    assertThat(row(a, ID))
        .matches(r -> r.units() == 2 && !r.ackPending() && r.state() == SlotState.LIVE);
    assertThat(row(a, ID).runs()).isEqualTo(row(b, ID).runs());
    assertThat(a.disk.gate().depthBytes()).isZero();
    a.sims.get(0).delete(ID);
    settle();
    assertThat(row(a, ID))
        .as("kept for the partner's parity")
        .matches(r -> r.state() == SlotState.LIMBO && !r.coversAnything());
    assertThat(a.sims.get(0).hooks().frame().limbo().holds(ID)).isTrue();
    b.sims.get(0).delete(ID);
    settle();
    assertThat(a.disk.lstor().entries()).isEmpty();
    assertThat(b.disk.lstor().entries()).isEmpty();
    assertThat(a.sims.get(0).hooks().frame().limbo().holds(ID)).isFalse();
  }

  @Test
  void idleModeWaitsForAQuietDisk() throws IOException {
    store(ID, bytes(1, 1000));
    settle();
    a.sims.get(0).delete(ID);
    b.sims.get(0).delete(ID);
    a.sims.get(0).reserve(ID + 1, 1000);
    a.settle();
    assertThat(row(a, ID).coversAnything()).as("just written to").isTrue();
    clock.advance(25);
    a.settle();
    assertThat(a.disk.lstor().entry(0, ID).map(SlotEntry::coversAnything).orElse(false)).isFalse();
  }

  /** Time passes while both disks are written to. */
  private void busy(long stepMs, int steps) {
    for (int i = 0; i < steps; i++) {
      clock.advance(stepMs);
      a.disk.noteWrite();
      b.disk.noteWrite();
      a.settle();
      b.settle();
    }
  }

  @Test
  void deletedBlocksMakeRoomInSecondsHoweverLongTheyWaitedForAQuietDisk() throws IOException {
    store(ID, bytes(1, SimNode.MAX_BLOCK - 4096));
    settle();
    a.sims.get(0).delete(ID);
    b.sims.get(0).delete(ID);
    busy(20, 200);
    assertThat(row(a, ID).coversAnything()).as("nobody needs the room").isTrue();
    for (long id = ID + 1; id < ID + SimNode.UNITS / 4; id++) {
      store(id, bytes(id, SimNode.MAX_BLOCK - 4096));
    }
    busy(100, 30);
    assertThat(a.disk.lstor().entry(0, ID)).isEmpty();
    assertThat(b.disk.lstor().entry(0, ID)).isEmpty();
  }

  @Test
  void deletedBlocksGoInSecondsAfterThePartnerIsBack() throws IOException {
    store(ID, bytes(1, 1000));
    settle();
    a.sims.get(0).delete(ID);
    b.sims.get(0).delete(ID);
    b.stop();
    SimNode.settleAll(clock, a);
    assertThat(a.disk.lstor().entry(0, ID)).isPresent();
    b.start();
    b.pair(0, new Pairing(5, 1, "DS-a0", "a", 1));
    for (int i = 0; i < 80; i++) {
      clock.advance(100);
      a.settle();
      b.settle();
    }
    assertThat(a.disk.lstor().entry(0, ID)).isEmpty();
    assertThat(b.disk.lstor().entry(0, ID)).isEmpty();
  }

  @Test
  void aFrameThatRunsOutOfUnitsHasHdfsLookForLeftovers() throws IOException {
    AtomicInteger reports = new AtomicInteger();
    LeftoverReports leftovers = new LeftoverReports(reports::incrementAndGet, 1000, clock);
    List<Frame> frames = List.of(a.sims.get(1).hooks().frame(), a.sims.get(0).hooks().frame());
    clock.advance(1000);
    leftovers.look(frames);
    assertThat(reports).as("there is room").hasValue(0);
    for (long id = ID; id < ID + SimNode.UNITS / 4 - 1; id++) {
      store(id, bytes(id, SimNode.MAX_BLOCK - 4096));
    }
    leftovers.look(frames);
    leftovers.look(frames);
    assertThat(reports).as("one an interval").hasValue(1);
    clock.advance(1000);
    leftovers.look(frames);
    assertThat(reports).hasValue(2);
  }

  private static void finish(JournalGate gate, int frame, long blockId, long bytes) {
    gate.note(frame, blockId, bytes);
    gate.finish(frame, blockId, true);
  }

  @Test
  void blocksThatAreBeingWrittenDoNotFillTheJournal() throws IOException {
    JournalGate gate = new JournalGate(1000, 0, new ManualClock(), frame -> true);
    gate.note(0, 1, 900);
    gate.note(0, 2, 900);
    gate.note(0, 3, 100);
    assertThat(gate.depthBytes()).as("nobody can acknowledge them yet").isZero();
    gate.await(0, 1, 0);
    gate.finish(0, 1, true);
    assertThat(gate.depthBytes()).isEqualTo(900);
    assertThatThrownBy(() -> gate.await(0, 2, 0)).hasMessageContaining("blockBytes=900");
    gate.await(0, 3, 0);
    gate.settle(0, 1);
    gate.await(0, 2, 100);
    gate.forget(0, 2);
    gate.finish(0, 2, true);
    assertThat(gate.depthBytes()).isZero();
  }

  @Test
  void aBlockLargerThanTheJournalDoesNotWaitUntilItIsAlone() throws IOException {
    JournalGate gate = new JournalGate(1000, 0, new ManualClock(), frame -> true);
    finish(gate, 0, 1, 999);
    gate.await(0, 2, 1001);
    finish(gate, 0, 2, 1001);
    assertThatThrownBy(() -> gate.await(0, 3, 1001)).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> gate.await(0, 4, 1)).isInstanceOf(IOException.class);
  }

  @Test
  void aJournalThatIsFullHoldsWritesUpAndThenRefusesByName() {
    ManualClock own = new ManualClock();
    List<Integer> dead = new ArrayList<>();
    JournalGate gate = new JournalGate(1000, 0, own, frame -> !dead.contains(frame));
    finish(gate, 0, 1, 700);
    finish(gate, 1, 2, 300);
    assertThatThrownBy(() -> gate.await(0, 3, 1))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("journalDepthBytes=1000")
        .hasMessageContaining("dfs.parity.raidp.journal.size=1000");
    dead.add(1);
    assertThat(gate.depthBytes())
        .as("a dead partner acknowledges nothing and holds nothing up")
        .isEqualTo(700);
    assertThatThrownBy(() -> gate.await(0, 3, 301)).isInstanceOf(IOException.class);
    gate.settle(0, 1);
    assertThat(gate.depthBytes()).isZero();
    assertThat(gate.waits()).isEqualTo(2);
  }

  // ---------------------------------------------------------------- refusals

  @Test
  void writesAreRefusedWithAReason() throws IOException {
    assertThatThrownBy(() -> a.sims.get(0).reserve(ID, Long.MAX_VALUE - 1))
        .hasMessageContaining("expected at most dfs.parity.raidp.frame.size=");
    long unit = -9_223_372_036_854_775_790L;
    assertThatThrownBy(() -> a.sims.get(0).reserve(unit, 10))
        .hasMessageContaining("block=" + unit + " type=erasure-coded, expected a replica")
        .hasMessageContaining("storageId=DS-a0");
    assertThat(a.disk.lstor().entry(0, unit)).isEmpty();
    net.down("a");
    assertThatThrownBy(() -> b.sims.get(0).reserve(ID, 10)).isInstanceOf(IOException.class);
    assertThat(b.disk.lstor().entries()).as("nothing is left of a refused create").isEmpty();
    net.declareDead("a");
    b.sims.get(0).reserve(ID, 10);
    assertThat(row(b, ID).state()).as("a survivor goes on").isEqualTo(SlotState.RESERVED);
    a.disk.fail("test");
    assertThatThrownBy(() -> a.sims.get(0).reserve(ID, 10))
        .isInstanceOf(PeerException.FrameFailed.class)
        .hasMessageContaining("cause=test");
    assertThatThrownBy(() -> a.service.released(new SuperchunkRef(5, 1), ID))
        .isInstanceOf(PeerException.FrameFailed.class);
    assertThat(a.disk.state()).isEqualTo(DiskState.DISK_FAILED);
  }

  /**
   * The follower appends while it cannot reach the leader. The leader has not been away: it gives
   * the same units to another block, and learns of them when the follower can call again.
   */
  @Test
  void aBlockGrowsAloneWhileItsPartnerCannotBeReached() throws IOException {
    store(ID, bytes(1, 1_000));
    settle();
    net.down("a");
    b.sims.get(0).reopen(ID, 1001, 1002, SimNode.MAX_BLOCK);
    byte[] more = Arrays.copyOf(bytes(1, 1_000), SimNode.MAX_BLOCK);
    b.sims.get(0).write(ID, 1002, more);
    b.sims.get(0).finish(ID, 1002, more.length);
    assertThat(row(b, ID).coveredBytes()).isEqualTo(more.length);
    assertThatThrownBy(() -> b.sims.get(0).reserve(ID + 1, 10))
        .as("a new block is placed elsewhere")
        .isInstanceOf(IOException.class);
    a.sims.get(0).reserve(ID + 2, SimNode.MAX_BLOCK);
    assertThat(row(a, ID + 2).runs().stream())
        .as("the same units")
        .anyMatch(run -> row(b, ID).runs().stream().anyMatch(run::overlaps));
    net.up("a", a.service);
    b.sims.get(0).reserve(ID + 2, SimNode.MAX_BLOCK);
    for (SimNode node : List.of(a, b)) {
      node.sims.get(0).write(ID + 2, 1003, bytes(3, SimNode.MAX_BLOCK));
      node.sims.get(0).finish(ID + 2, 1003, SimNode.MAX_BLOCK);
    }
    settle();
    assertThat(row(a, ID).runs()).as("the leader knows of them").isEqualTo(row(b, ID).runs());
    assertThat(row(a, ID + 2).runs()).isEqualTo(row(b, ID + 2).runs());
    assertThat(scrub(a, false)).isEmpty();
    assertThat(scrub(b, false)).isEmpty();
  }

  private void growAlone(SimNode node, long id, long stamp) throws IOException {
    byte[] more = bytes(id, SimNode.MAX_BLOCK);
    node.sims.get(0).reopen(id, 1001, stamp, more.length);
    node.sims.get(0).write(id, stamp, more);
    node.sims.get(0).finish(id, stamp, more.length);
  }

  /**
   * Both sides have given units to the same blocks while they could not reach each other, in
   * another order. No block of the follower can move first: each is to lie where another one is.
   */
  @Test
  void blocksThatLieInEachOthersUnitsMoveAllTheSame() throws IOException {
    int blocks = 3;
    for (int i = 0; i < blocks; i++) {
      store(ID + i, Arrays.copyOf(bytes(ID + i, SimNode.MAX_BLOCK), 1_000));
    }
    settle();
    net.down("a");
    net.down("b");
    for (int i = 0; i < blocks; i++) {
      growAlone(a, ID + i, 1002 + i);
      growAlone(b, ID + (i + 1) % blocks, 1002 + (i + 1) % blocks);
    }
    net.up("a", a.service);
    net.up("b", b.service);
    settle();
    for (int i = 0; i < blocks; i++) {
      assertThat(row(b, ID + i).runs()).as("block %d", i).isEqualTo(row(a, ID + i).runs());
      for (SimNode node : List.of(a, b)) {
        assertThat(row(node, ID + i))
            .matches(row -> row.coveredBytes() == SimNode.MAX_BLOCK && !row.ackPending());
      }
    }
    assertThat(scrub(a, false)).isEmpty();
    assertThat(scrub(b, false)).isEmpty();
  }

  /**
   * One side comes back with what was on its disk and in its Lstor before the units were reused.
   */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aSideThatComesBackWithOldContentLiesWhereThePartnerHasIt(boolean leader) throws IOException {
    for (int i = 0; i < 5; i++) {
      store(ID + i, Arrays.copyOf(bytes(ID + i, SimNode.MAX_BLOCK), 1_000 + i * 40_000));
      settle();
    }
    SimNode node = leader ? a : b;
    SimNode partner = leader ? b : a;
    Path saved = base.resolve("saved");
    node.stop();
    FileUtils.copyDirectory(base.resolve(node == a ? "a" : "b").toFile(), saved.toFile());
    node.start();
    for (SimNode each : List.of(a, b)) {
      each.sims.get(0).delete(ID);
      each.sims.get(0).delete(ID + 3);
    }
    settle();
    for (SimNode each : List.of(a, b)) {
      each.sims.get(0).reopen(ID + 1, 1001, 1002, SimNode.MAX_BLOCK);
      each.sims.get(0).write(ID + 1, 1002, bytes(ID + 1, SimNode.MAX_BLOCK));
      each.sims.get(0).finish(ID + 1, 1002, SimNode.MAX_BLOCK);
    }
    byte[] added = bytes(ID + 6, 3 * SimNode.UNIT / 2);
    store(ID + 6, added);
    settle();

    node.stop();
    FileUtils.deleteDirectory(base.resolve(node == a ? "a" : "b").toFile());
    Files.move(saved, base.resolve(node == a ? "a" : "b"));
    node.start();
    // What HDFS makes of the old blocks.
    for (long id : List.of(ID, ID + 1, ID + 3)) {
      node.sims.get(0).delete(id);
    }
    for (long id : List.of(ID + 6, ID + 1)) {
      byte[] content = id == ID + 6 ? added : bytes(ID + 1, SimNode.MAX_BLOCK);
      long stamp = id == ID + 6 ? 1001 : 1002;
      node.sims.get(0).reserve(id, SimNode.MAX_BLOCK);
      node.sims.get(0).write(id, stamp, content);
      node.sims.get(0).finish(id, stamp, content.length);
    }
    settle();
    assertThat(node.disk.lstor().entries()).hasSize(4);
    for (SlotEntry row : node.disk.lstor().entries()) {
      assertThat(row.runs())
          .as("block %d", row.blockId() - ID)
          .isEqualTo(row(partner, row.blockId()).runs());
      assertThat(row.ackPending()).isFalse();
    }
    assertThat(scrub(a, false)).isEmpty();
    assertThat(scrub(b, false)).isEmpty();
  }

  @Test
  void callsOfAnotherEpochOrSuperchunkAreRefused() {
    assertThatThrownBy(() -> a.service.allocate(new SuperchunkRef(5, 2), ID, 1, Optional.empty()))
        .isInstanceOf(PeerException.StaleEpoch.class)
        .hasMessageContaining("epoch=2, expected 1");
    assertThatThrownBy(() -> a.service.covered(new SuperchunkRef(6, 1), ID, 1, 1, List.of()))
        .isInstanceOf(PeerException.UnknownSuperchunk.class);
    assertThatThrownBy(() -> b.service.allocate(new SuperchunkRef(5, 1), ID, 1, Optional.empty()))
        .hasMessageContaining("expected the lower one of the pair");
  }

  @Test
  void aFullFrameRefusesAndTakesAgainAfterADelete() throws IOException {
    List<Long> ids = new ArrayList<>();
    for (long id = ID; ids.size() < SimNode.UNITS / 4; id++) {
      store(id, bytes(id, SimNode.MAX_BLOCK));
      ids.add(id);
    }
    settle();
    assertThatThrownBy(() -> a.sims.get(0).reserve(ID + 100, 1))
        .isInstanceOf(LstorException.NoSpace.class);
    for (SimNode node : List.of(a, b)) {
      node.sims.get(0).delete(ids.get(0));
    }
    settle();
    store(ID + 100, bytes(1, SimNode.MAX_BLOCK));
  }

  /** An old question of the follower may arrive when there is no room for all of its answer. */
  @Test
  void aLeaderThatRunsOutOfUnitsKeepsNothingOfTheRefusedBlock() throws IOException {
    for (long id = ID; id < ID + SimNode.UNITS / 4 - 1; id++) {
      store(id, bytes(id, SimNode.MAX_BLOCK));
    }
    a.service.allocate(new SuperchunkRef(5, 1), ID + 90, 3, Optional.empty());
    List<Run> free = a.disk.lstor().allocate(0, 1);
    SlotEntry followerHas =
        new SlotEntry(0, ID + 100, 0, free, SlotCoverage.NONE, SlotStatus.RESERVED);
    assertThatThrownBy(
            () ->
                a.service.allocate(new SuperchunkRef(5, 1), ID + 100, 4, Optional.of(followerHas)))
        .isInstanceOf(PeerException.Busy.class);
    assertThat(a.disk.lstor().entry(0, ID + 100)).isEmpty();
  }

  // ---------------------------------------------------------------- opening

  @Test
  void anLstorThatIsMissingOrNotOursRefusesTheDisk() throws IOException {
    store(ID, bytes(1, 5000));
    String diskA = a.disk.diskId();
    a.stop();
    b.stop();
    Path lstorA = DiskOpener.lstorFile(a.lstorDir(), diskA);
    Path saved = base.resolve("saved");
    Files.move(lstorA, saved);
    assertThatThrownBy(a::start)
        .hasMessageContaining("lstor=missing")
        .hasMessageContaining(".rebuild");
    Files.copy(DiskOpener.lstorFile(b.lstorDir(), DiskFile.read(b.root()).diskId()), lstorA);
    assertThatThrownBy(a::start).isInstanceOf(LstorException.ForeignDisk.class);
    Files.delete(lstorA);
    Files.write(lstorA, new byte[100_000]);
    assertThatThrownBy(a::start).isInstanceOf(LstorException.class);
    Files.delete(lstorA);
    Files.move(saved, lstorA);
    a.start();
    b.start();
    assertThat(scrub(a, false)).isEmpty();
  }

  @Test
  void aFrameOfAnotherDiskIsRefused() throws IOException {
    a.stop();
    b.stop();
    Files.copy(
        b.frameDirectory(1).resolve(FrameTable.NAME),
        a.frameDirectory(1).resolve(FrameTable.NAME),
        java.nio.file.StandardCopyOption.REPLACE_EXISTING);
    assertThatThrownBy(a::start)
        .isInstanceOf(IdentityFileException.Foreign.class)
        .hasMessageContaining("diskId=");
    a.disk.close();
    FrameTable.spare("CID", DiskFile.read(a.root()).diskId(), "DS-a1", List.of(1))
        .write(a.frameDirectory(1));
    a.start();
    b.start();
  }

  @Test
  void aMarkerMakesANewLstorFromTheReplicas() throws IOException {
    byte[] content = bytes(1, 200_000);
    store(ID, content);
    store(ID + 1, bytes(2, 1));
    settle();
    List<?> runs = row(a, ID).runs();
    for (SimNode node : List.of(a, b)) {
      String disk = node.disk.diskId();
      node.stop();
      Files.createFile(DiskOpener.rebuildMarker(node.lstorDir(), disk));
      node.start();
      assertThat(DiskOpener.rebuildMarker(node.lstorDir(), disk)).doesNotExist();
      settle();
      assertThat(row(node, ID)).matches(r -> r.coveredBytes() == 200_000 && !r.ackPending());
      assertThat(row(node, ID).runs()).as("the partner's extents").isEqualTo(runs);
      assertThat(scrub(node, false)).isEmpty();
    }
  }

  // ---------------------------------------------------------------- reconciling

  @Test
  void outOfBandLossIsTakenOutOfTheParity() throws IOException {
    store(ID, bytes(1, 100_000));
    store(ID + 1, bytes(2, 100_000));
    settle();
    a.stop();
    Files.delete(dataFile(a, ID));
    a.start();
    assertThat(row(a, ID)).matches(r -> r.state() == SlotState.LIMBO && !r.coversAnything());
    assertThat(scrub(a, false)).isEmpty();
    settle();
    assertThat(row(b, ID).state())
        .as("the partner's replica is not concerned")
        .isEqualTo(SlotState.LIVE);
  }

  @Test
  void aDeleteThatACrashCutShortIsUndoneOrFinished() throws IOException {
    store(ID, bytes(1, 100_000));
    settle();
    a.disk.lstor().apply(0, ID, SlotCause.DELETED);
    a.stop();
    a.start();
    settle();
    assertThat(row(a, ID).state()).as("the file is still there").isEqualTo(SlotState.LIVE);
    a.disk.lstor().apply(0, ID, SlotCause.DELETED);
    a.stop();
    Files.move(
        dataFile(a, ID),
        a.frameDirectory(0).resolve(Limbo.DIRECTORY).resolve("blk_" + ID + "_1001.9.data"));
    a.start();
    settle();
    assertThat(row(a, ID).state()).isEqualTo(SlotState.LIMBO);
    assertThat(scrub(a, false)).isEmpty();
    b.sims.get(0).delete(ID);
    settle();
    assertThat(a.disk.lstor().entries()).isEmpty();
  }

  @Test
  void aCreateThatDidNotGetFarGivesItsUnitsBack() throws IOException {
    a.sims.get(0).reserve(ID, SimNode.MAX_BLOCK);
    b.sims.get(0).reserve(ID, SimNode.MAX_BLOCK);
    a.stop();
    b.stop();
    a.start();
    b.start();
    settle();
    assertThat(a.disk.lstor().entries()).isEmpty();
    assertThat(b.disk.lstor().entries()).isEmpty();
  }

  // ---------------------------------------------------------------- scrubbing

  @Test
  void aDamagedReplicaIsFoundAndReported() throws IOException {
    store(ID, bytes(1, 100_000));
    settle();
    try (RandomAccessFile file = new RandomAccessFile(dataFile(a, ID).toFile(), "rw")) {
      file.seek(50_000);
      file.write(file.read() ^ 1);
    }
    List<HealRequest> reported = new ArrayList<>();
    List<ScrubFinding> findings =
        new Scrubber(a.frames, reported::add, a.healer::heal)
            .run(new ScrubRequest(Optional.empty(), false, true))
            .findings();
    assertThat(findings)
        .anySatisfy(
            f -> {
              assertThat(f.kind()).isEqualTo("corrupt-replica");
              assertThat(f.storageId()).contains("DS-a0");
              assertThat(f.blockId()).hasValue(ID);
            });
    assertThat(findings)
        .allMatch(
            f -> f.kind().equals("corrupt-replica"),
            "the parity is checked with the mirror's image");
    assertThat(reported).containsExactly(new HealRequest("DS-a0", ID, 1001, 100_000));
    // HDFS deletes it: the image is not to be had here, the mirror's is taken out instead.
    a.sims.get(0).delete(ID);
    settle();
    assertThat(scrub(a, false)).isEmpty();
  }

  @Test
  void aWrongParityIsFoundAndRepaired() throws IOException {
    store(ID, bytes(1, 100_000));
    settle();
    int unit = row(a, ID).runs().get(0).start();
    a.disk
        .lstor()
        .rebuildUnits(
            List.of(unit),
            entry ->
                new BlockImage() {
                  @Override
                  public void readData(long position, ByteBuffer dst) {
                    dst.put(new byte[dst.remaining()]);
                  }

                  @Override
                  public void readMeta(long prefixBytes, long position, ByteBuffer dst) {
                    dst.put(new byte[dst.remaining()]);
                  }
                });
    assertThat(scrub(a, false)).extracting(ScrubFinding::kind).contains("parity-mismatch");
    assertThat(scrub(a, true)).isNotEmpty().allMatch(ScrubFinding::repaired);
    assertThat(scrub(a, false)).isEmpty();
  }

  @Test
  void aDamagedParityCellIsFoundAndRepaired() throws IOException {
    store(ID, bytes(1, 100_000));
    settle();
    String disk = a.disk.diskId();
    a.stop();
    Path lstor = DiskOpener.lstorFile(a.lstorDir(), disk);
    byte[] before = Files.readAllBytes(lstor);
    a.start();
    ByteBuffer some = ByteBuffer.allocate(4096);
    a.disk
        .lstor()
        .readParity(ParityKind.DATA, (long) row(a, ID).runs().get(0).start() * SimNode.UNIT, some);
    int at = indexOf(before, some.array());
    a.stop();
    try (RandomAccessFile file = new RandomAccessFile(lstor.toFile(), "rw")) {
      file.seek(at);
      file.write(before[at] ^ 0x40);
    }
    a.start();
    assertThat(scrub(a, false)).extracting(ScrubFinding::kind).contains("parity-cell-crc");
    assertThat(scrub(a, true)).isNotEmpty().allMatch(ScrubFinding::repaired);
    assertThat(scrub(a, false)).isEmpty();
  }

  @Test
  void aScrubReadsParityAndReplicasOnce() throws IOException {
    store(ID, bytes(1, 100_000));
    settle();
    assertThat(scrub(a, false)).isEmpty();
    ScrubReport report = a.service.scrub(new ScrubRequest(Optional.empty(), false, true));
    int units = a.disk.lstor().geometry().unitsPerFrame();
    assertThat(report.unitsDone()).isEqualTo(units);
    assertThat(report.unitsTotal()).isEqualTo(units);
    long perUnit = SimNode.UNIT + a.disk.lstor().geometry().metaBytesPerUnit();
    assertThat(report.bytesRead()).isBetween(perUnit * units + 100_000, perUnit * units + 110_000);
  }

  /** Before a row takes the unit, which the cell would refuse. */
  @Test
  void aDamagedCellOfAFreeUnitIsFoundAndRepaired() throws IOException {
    store(ID, bytes(1, 100_000));
    settle();
    damageCell(ID, row(a, ID).units());
    assertThat(scrub(a, false)).extracting(ScrubFinding::kind).containsOnly("parity-cell-crc");
    assertThat(scrub(a, true))
        .filteredOn(f -> f.kind().equals("parity-cell-crc"))
        .isNotEmpty()
        .allMatch(ScrubFinding::repaired);
    assertThat(scrub(a, false)).isEmpty();
    store(ID + 1, bytes(2, 50_000));
    settle();
    assertThat(scrub(a, false)).isEmpty();
  }

  /** In the Lstor of a: the first cell of the unit that is so many behind the first of a block. */
  private void damageCell(long id, int unitsBehind) throws IOException {
    int first = row(a, id).runs().get(0).start();
    String disk = a.disk.diskId();
    a.stop();
    Path lstor = DiskOpener.lstorFile(a.lstorDir(), disk);
    byte[] before = Files.readAllBytes(lstor);
    a.start();
    ByteBuffer some = ByteBuffer.allocate(4096);
    a.disk.lstor().readParity(ParityKind.DATA, (long) first * SimNode.UNIT, some);
    int at = indexOf(before, some.array()) + unitsBehind * SimNode.UNIT;
    a.stop();
    try (RandomAccessFile file = new RandomAccessFile(lstor.toFile(), "rw")) {
      file.seek(at);
      file.write(before[at] ^ 0x40);
    }
    a.start();
  }

  /** Else the block would have one replica until the next scrub that repairs. */
  @Test
  void aBlockIsCoveredWhereACellWasDamaged() throws IOException {
    store(ID, bytes(1, 100_000));
    settle();
    damageCell(ID, row(a, ID).units());
    store(ID + 1, bytes(2, 50_000));
    settle();
    assertThat(row(a, ID + 1)).matches(each -> each.coveredBytes() == 50_000 && !each.ackPending());
    assertThat(scrub(a, false)).isEmpty();
  }

  /** HDFS cuts under a lock of the volume, so the cell is repaired before it tries again. */
  @Test
  void aBlockIsCutWhereACellWasDamaged() throws IOException {
    store(ID, bytes(1, 100_000));
    settle();
    damageCell(ID, 1);
    assertThatThrownBy(() -> a.sims.get(0).truncate(ID, 1001, 1002, 1_000))
        .isInstanceOf(LstorException.CorruptParity.class);
    assertThat(a.sims.get(0).content(ID)).hasSize(100_000);
    settle();
    assertThat(scrub(a, false)).isEmpty();
    for (SimNode node : List.of(a, b)) {
      node.sims.get(0).truncate(ID, 1001, 1002, 1_000);
    }
    settle();
    assertThat(row(a, ID)).matches(each -> each.coveredBytes() == 1_000 && !each.ackPending());
    assertThat(scrub(a, false)).isEmpty();
  }

  @Test
  void aScrubWithALimitTakesItsTimeAndCanBeStopped() throws Exception {
    store(ID, bytes(1, 100_000));
    settle();
    Scrubber scrubber = new Scrubber(a.frames, bad -> {}, a.healer::heal);
    ScrubRequest slow =
        new ScrubRequest(Optional.empty(), false, true, ScrubRequest.Action.RUN, 1_000);
    CompletableFuture<ScrubReport> run =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return scrubber.run(slow);
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
    await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> scrubber.run(ScrubRequest.watch()).unitsTotal() > 0);
    assertThat(run).as("1 kB/s").isNotDone();
    scrubber.run(ScrubRequest.stop());
    assertThatThrownBy(() -> run.get(30, TimeUnit.SECONDS))
        .hasRootCauseInstanceOf(CancellationException.class)
        .hasMessageContaining("stopped by an administrator");
    assertThat(scrubber.run(ScrubRequest.watch()).unitsTotal()).isZero();
  }

  /** The last place: earlier ones may be in the journal. */
  private static int indexOf(byte[] in, byte[] what) {
    outer:
    for (int at = in.length - what.length; at >= 0; at--) {
      for (int i = 0; i < what.length; i++) {
        if (in[at + i] != what[i]) {
          continue outer;
        }
      }
      return at;
    }
    throw new AssertionError("parity not found in the file");
  }

  @Test
  void aDiskIsBrokenWhenItsRootOrAFrameIs() throws IOException {
    assertThat(DiskHealth.check(a.disk)).isEmpty();
    assertThat(DiskHealth.checkLstor(a.disk)).isEmpty();
    assertThat(DiskHealth.missingFrames(a.disk)).isEmpty();
    Path frame = a.frameDirectory(1).resolve(FrameTable.NAME);
    byte[] saved = Files.readAllBytes(frame);
    Files.delete(frame);
    assertThat(DiskHealth.check(a.disk)).isPresent();
    Files.write(frame, saved);
    Path away = a.root().resolveSibling("away");
    Files.move(a.root(), away);
    assertThat(DiskHealth.check(a.disk)).isPresent();
    Files.move(away, a.root());
    a.disk.lstor().close();
    assertThat(DiskHealth.checkLstor(a.disk)).isPresent();
    try (Stream<Path> files = Files.list(a.lstorDir())) {
      assertThat(files.map(p -> p.getFileName().toString()))
          .noneMatch(name -> name.startsWith("new-"));
    }
  }
}

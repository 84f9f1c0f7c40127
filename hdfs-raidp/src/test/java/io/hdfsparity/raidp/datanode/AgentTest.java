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
import io.hdfsparity.raidp.lstor.LstorException;
import io.hdfsparity.raidp.lstor.ParityKind;
import io.hdfsparity.raidp.wire.RaidpNodeProtocol;
import io.hdfsparity.raidp.wire.message.Assignment;
import io.hdfsparity.raidp.wire.message.DiskOrders;
import io.hdfsparity.raidp.wire.message.DiskState;
import io.hdfsparity.raidp.wire.message.FrameRef;
import io.hdfsparity.raidp.wire.message.LstorReport;
import io.hdfsparity.raidp.wire.message.NodeIdentity;
import io.hdfsparity.raidp.wire.message.NodeReport;
import io.hdfsparity.raidp.wire.message.NodeReportResponse;
import io.hdfsparity.raidp.wire.message.Pairing;
import io.hdfsparity.raidp.wire.message.SuperchunkAnswer;
import io.hdfsparity.raidp.wire.message.SuperchunkRequest;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a node with a volume of three frames does with orders. */
class AgentTest {
  private static final long ID = 1_073_741_900L;
  private static final long PAGE_BYTES = 4096;
  private static final Pairing FIVE = new Pairing(5, 2, "DS-b", "b", 2);
  @TempDir Path base;
  private final ManualClock clock = new ManualClock();
  private final SimNet net = new SimNet(new Random(1), 0);
  private SimNode node;
  private Agent agent;
  private NodeReportResponse response = answer(List.of(), List.of());
  private final List<String> unneeded = new ArrayList<>();
  private volatile Consumer<List<String>> declaredFailed = storageIds -> {};
  private final List<NodeReport> received = new CopyOnWriteArrayList<>();
  private final Queue<NodeReportResponse> answers = new ArrayDeque<>();
  private final AtomicBoolean outOfMemory = new AtomicBoolean();

  @BeforeEach
  void start() throws IOException {
    node = new SimNode(base, "a", List.of("DS-a"), 3, Mode.IDLE, Granularity.BLOCK, clock, net);
    node.start();
    NodeReporter reporter =
        new NodeReporter(
            node.frames,
            List.of(),
            () -> new NodeIdentity("a", "a", 1, "a", 2, "CID", 1),
            List::of);
    agent =
        new Agent(
            node.frames,
            reporter,
            new PeerBook(new Configuration(false), 1000),
            new OneManager(),
            order -> {},
            new Agent.DiskChanges() {
              @Override
              public void declareFailed(List<String> storageIds, String reason) {
                declaredFailed.accept(storageIds);
              }

              @Override
              public void unneeded(List<String> diskIds) {
                unneeded.addAll(diskIds);
              }
            },
            new LeftoverReports(() -> {}, 1000, clock));
  }

  @AfterEach
  void stop() throws IOException {
    agent.close();
    node.stop();
  }

  /** Answers as the test says. */
  private final class OneManager implements Agent.Managers, RaidpNodeProtocol {
    @Override
    public List<InetSocketAddress> addresses() {
      return List.of(InetSocketAddress.createUnresolved("manager", 1));
    }

    @Override
    public RaidpNodeProtocol at(InetSocketAddress address) {
      return this;
    }

    @Override
    public NodeReportResponse reportNode(NodeReport report) {
      if (outOfMemory.getAndSet(false)) {
        throw new OutOfMemoryError("planted");
      }
      received.add(report);
      NodeReportResponse next = answers.poll();
      return next == null ? response : next;
    }

    @Override
    public boolean reportLstor(LstorReport report) {
      return true;
    }

    @Override
    public SuperchunkAnswer superchunkOf(SuperchunkRequest request) {
      return new SuperchunkAnswer.Plain();
    }

    @Override
    public void close() {}
  }

  private static NodeReportResponse answer(
      List<Assignment> assignments, List<FrameRef> superseded) {
    return new NodeReportResponse(
        assignments,
        List.of(),
        List.of(),
        DiskOrders.NONE,
        List.of(),
        superseded,
        true,
        OptionalLong.empty());
  }

  private void order(int frame, Pairing pairing) {
    order(frame, pairing, List.of());
  }

  private void order(int frame, Pairing pairing, List<FrameRef> superseded) {
    response = answer(List.of(new Assignment(new FrameRef("DS-a", frame), pairing)), superseded);
    agent.round();
  }

  private Optional<Pairing> pairing(int frame) {
    return node.sims.get(frame).hooks().frame().pairing();
  }

  private void store(int frame) throws IOException {
    SimFrame sim = node.sims.get(frame);
    sim.reserve(ID, SimNode.MAX_BLOCK);
    sim.write(ID, 1001, new byte[1000]);
    sim.finish(ID, 1001, 1000);
  }

  private static NodeReportResponse receipt(OptionalLong receipt) {
    return new NodeReportResponse(
        List.of(), List.of(), List.of(), DiskOrders.NONE, List.of(), List.of(), true, receipt);
  }

  @Test
  void whatHasChangedIsToldAndAllIfTheManagerAsksForIt() throws IOException {
    order(1, Pairing.alone(5, 2));
    received.clear();
    answers.add(receipt(OptionalLong.of(7)));
    answers.add(receipt(OptionalLong.of(8)));
    agent.round();
    assertThat(received).hasSize(1);
    assertThat(received.get(0).basis()).isEmpty();
    assertThat(received.get(0).disks().get(0).frames()).hasSize(3);

    agent.round();
    assertThat(received.get(1).basis()).hasValue(7);
    assertThat(received.get(1).disks()).isEmpty();

    store(1);
    answers.add(receipt(OptionalLong.empty()));
    answers.add(receipt(OptionalLong.of(9)));
    agent.round();
    assertThat(received.get(2).basis()).hasValue(8);
    assertThat(received).as("the same round goes on with a full report").hasSize(4);
    assertThat(received.get(3).basis()).isEmpty();
    assertThat(received.get(3).disks().get(0).frames()).hasSize(3);
    agent.round();
    assertThat(received.get(4).basis()).hasValue(9);
  }

  /** The managers took its node for dead after ten minutes, and copied its disks. */
  @Test
  void itGoesOnReportingAfterAnError() {
    outOfMemory.set(true);
    agent.start(5);
    Awaitility.await().until(() -> !received.isEmpty());
    assertThat(outOfMemory).isFalse();
  }

  @Test
  void onlyTheActiveManagerSaysThatADiskIsUnneeded() {
    DiskOrders orders = new DiskOrders(List.of(), List.of("disk"));
    for (boolean active : List.of(false, true)) {
      assertThat(unneeded).isEmpty();
      response =
          new NodeReportResponse(
              List.of(),
              List.of(),
              List.of(),
              orders,
              List.of(),
              List.of(),
              active,
              OptionalLong.empty());
      agent.round();
    }
    assertThat(unneeded).containsExactly("disk");
  }

  /** HDFS may wait for minutes, until nobody reads from the volume any more. */
  @Test
  void aDiskIsReportedAsFailedWhileHdfsStillTakesItsVolumesOut() throws Exception {
    CountDownLatch nobodyReads = new CountDownLatch(1);
    List<String> takenOut = new CopyOnWriteArrayList<>();
    declaredFailed =
        storageIds -> {
          try {
            nobodyReads.await();
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
          takenOut.addAll(storageIds);
        };
    String disk = node.frames.disks().iterator().next().diskId();
    response =
        new NodeReportResponse(
            List.of(),
            List.of(),
            List.of(),
            new DiskOrders(List.of(disk), List.of()),
            List.of(),
            List.of(),
            true,
            OptionalLong.empty());
    assertThat(CompletableFuture.runAsync(agent::round)).succeedsWithin(Duration.ofSeconds(20));
    received.clear();
    agent.round();
    assertThat(received.get(0).disks())
        .singleElement()
        .satisfies(report -> assertThat(report.failure()).isPresent());
    assertThat(takenOut).isEmpty();
    nobodyReads.countDown();
    await().untilAsserted(() -> assertThat(takenOut).containsExactly("DS-a"));
  }

  /** A burst of readers took all descriptors for a moment: one round failed every disk. */
  @Test
  void whatSaysNothingOfADiskFailsItOnlyIfItLasts() throws IOException {
    Path file = node.root().resolve(DiskFile.NAME);
    Path aside = file.resolveSibling("aside");
    Files.move(file, aside);
    Files.createSymbolicLink(file, file);
    agent.round();
    assertThat(node.disk.state()).isEqualTo(DiskState.OK);
    Files.move(aside, file, StandardCopyOption.REPLACE_EXISTING);
    agent.round();

    Files.move(file, aside);
    Files.createSymbolicLink(file, file);
    clock.advance(DiskWatch.MAX_UNCHECKED_MS);
    agent.round();
    clock.advance(DiskWatch.MAX_UNCHECKED_MS - 1);
    agent.round();
    assertThat(node.disk.state()).as("it could be checked meanwhile").isEqualTo(DiskState.OK);
    clock.advance(1);
    agent.round();
    assertThat(node.disk.state()).isEqualTo(DiskState.DISK_FAILED);
  }

  @Test
  void aDiskWithAFileInItsPlaceIsFailedAtOnce() throws IOException {
    Path aside = Files.move(node.root(), node.root().resolveSibling("aside"));
    Files.createFile(node.root());
    agent.round();
    assertThat(node.disk.state()).isEqualTo(DiskState.DISK_FAILED);
    Files.move(aside, node.root(), StandardCopyOption.REPLACE_EXISTING);
  }

  @Test
  void aShortageNeverFailsADisk() {
    IOException shortage = new FileSystemException("raidp-disk", null, "Too many open files");
    IOException other = new FileSystemException("raidp-disk", null, "Stale file handle");
    DiskWatch watch = new DiskWatch();
    for (int i = 0; i < 3; i++) {
      assertThat(watch.isOverdue(node.disk, shortage)).isFalse();
      clock.advance(DiskWatch.MAX_UNCHECKED_MS);
    }
    assertThat(watch.isOverdue(node.disk, other)).as("it begins now").isFalse();
    clock.advance(DiskWatch.MAX_UNCHECKED_MS);
    assertThat(watch.isOverdue(node.disk, other)).isTrue();
  }

  @Test
  void aDiskWhoseFileIsGoneIsFailedAtOnceAlsoWithoutItsLstor() throws IOException {
    node.disk.lstorFailed("says the test");
    agent.round();
    assertThat(node.disk.state()).isEqualTo(DiskState.LSTOR_FAILED);
    Files.delete(node.root().resolve(DiskFile.NAME));
    agent.round();
    assertThat(node.disk.state()).isEqualTo(DiskState.DISK_FAILED);
  }

  @Test
  void aDiskWhoseLstorHasFailedIsTakenOutOfServiceIfItIsDeclaredFailed() {
    node.disk.lstorFailed("says the test");
    response =
        new NodeReportResponse(
            List.of(),
            List.of(),
            List.of(),
            new DiskOrders(List.of(node.disk.diskId()), List.of()),
            List.of(),
            List.of(),
            true,
            OptionalLong.empty());
    agent.round();
    assertThat(node.disk.state()).isEqualTo(DiskState.DISK_FAILED);
  }

  /**
   * Each write of a block there had failed on this side, and each copy after it, while the disk was
   * offered for new blocks.
   */
  @Test
  void anLstorWithParityThatCannotBeReadIsReportedAsFailed() throws IOException {
    order(1, Pairing.alone(5, 2));
    cutChecksumParity();
    assertThatThrownBy(() -> store(1)).isInstanceOf(LstorException.UnreadableParity.class);
    agent.round();
    assertThat(node.disk.state()).isEqualTo(DiskState.LSTOR_FAILED);
    assertThat(node.disk.failure()).get().asString().contains("region=META cell=0");
    node.disk.lstor().readParity(ParityKind.DATA, 0, ByteBuffer.allocate(1));
  }

  /** As if the sectors at the end of the Lstor had become unreadable. */
  private void cutChecksumParity() throws IOException {
    Path file = DiskOpener.lstorFile(node.lstorDir(), node.disk.diskId());
    try (FileChannel lstor = FileChannel.open(file, StandardOpenOption.WRITE)) {
      long parityStart = lstor.size() - node.disk.lstor().geometry().metaRegionBytes();
      lstor.truncate(parityStart / PAGE_BYTES * PAGE_BYTES);
    }
  }

  @Test
  void theFrameThatIsNamedIsPaired() {
    order(1, FIVE);
    assertThat(pairing(1)).contains(FIVE);
    assertThat(pairing(0)).isEmpty();
    assertThat(pairing(2)).isEmpty();
  }

  @Test
  void aFrameThatIsNotThereIsNobodys() {
    order(3, FIVE);
    response = answer(List.of(new Assignment(new FrameRef("DS-x", 0), FIVE)), List.of());
    agent.round();
    for (int i = 0; i < 3; i++) {
      assertThat(pairing(i)).isEmpty();
    }
  }

  @Test
  void anotherFrameOfTheVolumeTakesASuperchunkOnlyUnderAHigherEpoch() {
    order(1, FIVE);
    order(2, FIVE);
    assertThat(pairing(2)).isEmpty();
    order(2, new Pairing(5, 1, "DS-c", "c", 1));
    assertThat(pairing(2)).isEmpty();
    Pairing newer = new Pairing(5, 3, "DS-c", "c", 1);
    order(2, newer);
    assertThat(pairing(2)).contains(newer);
    assertThat(pairing(1)).contains(FIVE);
  }

  @Test
  void aFrameWithBlocksIsGivenAwayOnlyWhenItIsSuperseded() throws IOException {
    order(1, Pairing.alone(5, 2));
    store(1);
    Pairing other = new Pairing(6, 3, "DS-c", "c", 1);
    order(1, other);
    assertThat(pairing(1)).contains(Pairing.alone(5, 2));
    Pairing same = new Pairing(5, 3, "DS-c", "c", 1);
    order(1, same);
    assertThat(pairing(1)).as("the superchunk's own new partner").contains(same);
    Pairing later = new Pairing(6, 4, "DS-c", "c", 1);
    order(1, later, List.of(new FrameRef("DS-a", 0), new FrameRef("DS-a", 2)));
    assertThat(pairing(1)).as("others are superseded").contains(same);
    order(1, later, List.of(new FrameRef("DS-a", 1)));
    assertThat(pairing(1)).contains(later);
  }

  @Test
  void supersededIsToldPerFrame() {
    order(0, FIVE);
    Pairing other = new Pairing(6, 1, "DS-c", "c", 1);
    order(1, other, List.of(new FrameRef("DS-a", 0)));
    agent.round();
    assertThat(node.sims.get(0).hooks().frame().isSuperseded(FIVE)).isTrue();
    assertThat(node.sims.get(1).hooks().frame().isSuperseded(other)).isFalse();
    response = answer(List.of(), List.of());
    agent.round();
    assertThat(node.sims.get(0).hooks().frame().isSuperseded(FIVE)).isFalse();
  }
}

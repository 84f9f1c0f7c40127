/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.bridge.namenode.BlockSuperchunks.Home;
import io.hdfsparity.bridge.namenode.DegradedBlocks;
import io.hdfsparity.bridge.namenode.DegradedBlocks.Lacking;
import io.hdfsparity.bridge.namenode.PairPlacement.Target;
import io.hdfsparity.core.check.SeededRuns;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Copies of missing replicas against a NameNode that is made up, and a table without a trick. */
class BlockRepairTest {
  private static final int MAX_STREAMS = 3;
  private static final long TIMEOUT_MS = 100;

  /** Superchunk s has its blocks on node s % NODES; a copy is done when the test says so. */
  private static final class Names implements DegradedBlocks {
    private static final int NODES = 4;
    private final Map<Long, List<Long>> lacking = new TreeMap<>();
    private final Map<Long, Copy> pending = new HashMap<>();
    private final Set<Long> copied = new HashSet<>();
    private final Set<Long> unpaired = new HashSet<>();
    private final Set<Long> away = new HashSet<>();
    private final List<Long> asked = new ArrayList<>();
    private final List<Copy> handedOut = new ArrayList<>();
    private boolean hasLookedAtAll = true;
    private long nextBlock;

    void lose(long superchunk, int blocks) {
      for (int i = 0; i < blocks; i++) {
        lacking.computeIfAbsent(superchunk, id -> new ArrayList<>()).add(nextBlock++);
      }
    }

    void finish(Copy copy) {
      if (pending.remove(copy.blockId()) != null) {
        copied.add(copy.blockId());
      }
    }

    /** HDFS gives it up by itself. */
    void drop(Copy copy) {
      if (pending.remove(copy.blockId()) != null) {
        lacking.computeIfAbsent(copy.superchunkId(), id -> new ArrayList<>()).add(copy.blockId());
      }
    }

    int outOf(String source) {
      return (int) pending.values().stream().filter(c -> c.sourceNodeUuid().equals(source)).count();
    }

    boolean isPaired(long superchunk) {
      return !unpaired.contains(superchunk);
    }

    @Override
    public List<Degraded> superchunks() {
      return lacking.entrySet().stream()
          .filter(e -> !e.getValue().isEmpty())
          .map(e -> new Degraded(e.getKey(), e.getValue().size()))
          .toList();
    }

    @Override
    public OptionalLong copyable() {
      return hasLookedAtAll ? OptionalLong.of(blockCount()) : OptionalLong.empty();
    }

    @Override
    public Lacking lacking() {
      return new Lacking(
          superchunks().stream().map(Degraded::superchunkId).collect(Collectors.toSet()),
          hasLookedAtAll,
          0);
    }

    @Override
    public boolean hasUnknownBlock(Collection<String> storageIds) {
      return false;
    }

    @Override
    public Optional<LastBlocks> lastOn(
        Collection<String> storageIds, Predicate<String> isSilent, Map<Long, Long> copies) {
      return Optional.empty();
    }

    @Override
    public long blockCount() {
      return lacking.values().stream().mapToInt(List::size).sum();
    }

    @Override
    public List<Copy> handOut(long superchunkId, int limit, Predicate<String> mayCopyFrom) {
      asked.add(superchunkId);
      List<Copy> copies = new ArrayList<>();
      String source = "n" + superchunkId % NODES;
      List<Long> left = lacking.getOrDefault(superchunkId, List.of());
      while (!left.isEmpty()
          && copies.size() < limit
          && isPaired(superchunkId)
          && !away.contains(superchunkId)
          && mayCopyFrom.test(source)) {
        long block = left.remove(0);
        Copy copy = new Copy(block, 1, 10, superchunkId, source, new Target("t", "m"));
        pending.put(block, copy);
        copies.add(copy);
      }
      handedOut.addAll(copies);
      return copies;
    }

    @Override
    public void giveAllReplicas(long inodeId) {}

    @Override
    public CopyStart copyTo(
        CopyRequest wanted, Predicate<String> mayCopyFrom, Consumer<Copy> begun) {
      String source = "n" + wanted.superchunkId() % NODES;
      if (pending.containsKey(wanted.blockId())) {
        return CopyStart.REFUSED;
      }
      if (!mayCopyFrom.test(source)) {
        return CopyStart.BUSY;
      }
      Copy copy = new Copy(wanted.blockId(), 1, 10, wanted.superchunkId(), source, wanted.target());
      pending.put(wanted.blockId(), copy);
      begun.accept(copy);
      return CopyStart.BEGUN;
    }

    @Override
    public List<Outcome> outcomes(List<Copy> copies) {
      return copies.stream()
          .map(
              c ->
                  copied.contains(c.blockId())
                      ? Outcome.COPIED
                      : c.equals(pending.get(c.blockId())) ? Outcome.PENDING : Outcome.DROPPED)
          .toList();
    }

    @Override
    public void abandon(Collection<Copy> copies) {
      copies.forEach(this::drop);
    }

    @Override
    public List<Unfiled> refile(int limit) {
      return List.of();
    }
  }

  private final Names names = new Names();
  private final BlockRepair repair =
      new BlockRepair(names, noQuestions(), names::isPaired, MAX_STREAMS, () -> TIMEOUT_MS);

  private static HomeQuestions noQuestions() {
    return new HomeQuestions() {
      @Override
      public void want(long blockId, List<String> storageIds) {}

      @Override
      public int ask(Collection<DegradedBlocks.Unfiled> unfiled, long nowMs) {
        return 0;
      }

      @Override
      public void stop() {}
    };
  }

  private List<Long> handedOut() {
    List<Long> superchunks =
        names.handedOut.stream().map(DegradedBlocks.Copy::superchunkId).toList();
    names.handedOut.clear();
    return superchunks;
  }

  @Test
  void theSuperchunkThatLacksLeastIsMadeWholeFirst() {
    names.lose(0, 5);
    names.lose(4, 2);
    names.lose(8, 9);
    names.lose(1, 1);
    repair.round(0);
    // Superchunks 0, 4 and 8 are on the same node.
    assertThat(handedOut()).containsExactly(1L, 4L, 4L, 0L);
    names.lose(12, 1);
    List.copyOf(names.pending.values()).forEach(names::finish);
    repair.round(1);
    assertThat(handedOut()).as("a single block goes first, then the one begun").startsWith(12L);
    assertThat(repair.progress().copied()).isEqualTo(4);
    List.copyOf(names.pending.values()).forEach(names::finish);
    repair.round(2);
    assertThat(handedOut()).containsExactly(0L, 0L, 8L);
  }

  @Test
  void whatIsUnderWayIsFinishedBeforeTheNextIsBegun() {
    names.lose(0, 9);
    repair.round(0);
    names.lose(4, 8);
    List.copyOf(names.pending.values()).stream().limit(1).forEach(names::finish);
    names.handedOut.clear();
    repair.round(1);
    assertThat(handedOut()).containsExactly(0L);
  }

  @Test
  void aCopyThatIsNotReportedIsGivenUpAndMadeAgain() {
    names.lose(0, 1);
    repair.round(0);
    repair.round(TIMEOUT_MS - 1);
    assertThat(repair.progress().pending()).isEqualTo(1);
    assertThat(names.handedOut).hasSize(1);
    repair.round(TIMEOUT_MS);
    assertThat(repair.progress().timedOut()).isEqualTo(1);
    assertThat(names.handedOut).as("at once").hasSize(2);
    names.finish(names.handedOut.get(1));
    repair.round(TIMEOUT_MS + 1);
    assertThat(repair.progress()).extracting(BlockRepair.Progress::lacking).isEqualTo(0L);
    assertThat(repair.progress().pending()).isZero();
    assertThat(repair.progress().scheduled()).isEqualTo(2);
    assertThat(repair.progress().copied()).isEqualTo(1);
  }

  @Test
  void whatIsBeingCopiedIsMissingStill() {
    names.lose(0, MAX_STREAMS + 2);
    assertThat(repair.missing()).hasValue(MAX_STREAMS + 2);
    repair.round(0);
    assertThat(names.lacking.get(0L)).hasSize(2);
    assertThat(repair.missing()).hasValue(MAX_STREAMS + 2);
    names.finish(names.handedOut.get(0));
    repair.round(1);
    assertThat(repair.missing()).hasValue(MAX_STREAMS + 1);
    names.hasLookedAtAll = false;
    assertThat(repair.missing()).as("more than that may be missing").isEmpty();
  }

  /** It may fail. */
  @Test
  void aSuperchunkIsUnfinishedUntilItsLastBlockIsCopied() {
    names.lose(0, 1);
    assertThat(repair.unfinished()).isEqualTo(new Lacking(Set.of(0L), true, 0));
    repair.round(0);
    assertThat(names.lacking()).as("not queued any more").isEqualTo(new Lacking(Set.of(), true, 0));
    assertThat(repair.lacking()).isEqualTo(new Lacking(Set.of(0L), true, 0));
    assertThat(repair.unfinished()).isEqualTo(new Lacking(Set.of(0L), true, 0));
    names.finish(names.handedOut.get(0));
    repair.round(1);
    assertThat(repair.unfinished()).isEqualTo(new Lacking(Set.of(), true, 0));
    names.hasLookedAtAll = false;
    assertThat(repair.unfinished().isComplete()).isFalse();
  }

  /** It has all its replicas elsewhere: an adoption must not call disks of healthy superchunks. */
  @Test
  void aBlockThatIsCopiedAndLacksNoReplicaMakesNoSuperchunkLackOne() {
    DegradedBlocks.CopyRequest wanted =
        new DegradedBlocks.CopyRequest(100, 1, 4, new Target("t", "m"));
    assertThat(repair.copyTo(wanted, 0)).isEqualTo(DegradedBlocks.CopyStart.BEGUN);
    assertThat(repair.lacking()).isEqualTo(new Lacking(Set.of(), true, 0));
    assertThat(repair.unfinished()).isEqualTo(new Lacking(Set.of(4L), true, 0));
    repair.stop();
    names.pending.clear();
    names.lose(4, 1);
    repair.round(1);
    assertThat(repair.lacking()).isEqualTo(new Lacking(Set.of(4L), true, 0));
  }

  /** A target that refuses: its superchunk holds all streams of the source, but once only. */
  @Test
  void copiesThatAlwaysFailDelayNoOthersOfTheirSource() {
    names.lose(0, MAX_STREAMS + 1);
    names.lose(4, 50);
    repair.round(0);
    assertThat(handedOut()).containsOnly(0L);
    repair.round(TIMEOUT_MS);
    assertThat(handedOut()).containsOnly(4L).hasSize(MAX_STREAMS);
    for (int i = 0; i < 50; i++) {
      List.copyOf(names.pending.values()).stream()
          .filter(copy -> copy.superchunkId() == 4)
          .forEach(names::finish);
      repair.round(TIMEOUT_MS + i);
    }
    assertThat(names.lacking.get(4L)).isEmpty();
    assertThat(names.handedOut).as("tried again in the end").anyMatch(c -> c.superchunkId() == 0);
  }

  @Test
  void nodesThatAreAwayDelayNoOthers() {
    for (int s = 0; s < 1_000; s++) {
      names.lose(s, 1);
      names.away.add((long) s);
    }
    names.lose(2_000, 50);
    int rounds = 0;
    while (names.lacking.get(2_000L).size() == 50) {
      repair.round(rounds++);
    }
    assertThat(rounds).isLessThan(10);
    names.away.clear();
    Set<Long> asked = new HashSet<>();
    for (int i = 0; i < 100; i++) {
      names.asked.clear();
      repair.round(rounds++);
      assertThat(names.asked).hasSizeLessThanOrEqualTo(BlockRepair.TURNS_A_ROUND);
      asked.addAll(names.asked);
      List.copyOf(names.pending.values()).forEach(names::finish);
    }
    assertThat(asked).as("all that have come back are seen").hasSize(1_001);
  }

  @Test
  void aStandbyForgetsWhatIsUnderWay() {
    names.lose(0, 5);
    repair.round(0);
    repair.stop();
    assertThat(repair.progress().pending()).isZero();
    // The other NameNode has its own table; this one finds what is lacking when it is active again.
    List.copyOf(names.pending.values()).forEach(names::drop);
    repair.round(1);
    assertThat(names.handedOut).hasSize(2 * MAX_STREAMS);
  }

  @Test
  void whatIsAskedForLeavesAStreamForWhatIsMissing() {
    Target target = new Target("t", "m");
    for (int i = 0; i < MAX_STREAMS; i++) {
      assertThat(repair.copyTo(new DegradedBlocks.CopyRequest(100 + i, 1, 4, target), 0))
          .isEqualTo(
              i < MAX_STREAMS - 1 ? DegradedBlocks.CopyStart.BEGUN : DegradedBlocks.CopyStart.BUSY);
    }
    assertThat(repair.copyOf(100)).isPresent();
    assertThat(repair.copyOf(100 + MAX_STREAMS - 1)).isEmpty();
    names.lose(0, 5);
    repair.round(1);
    assertThat(handedOut()).hasSize(1);
    assertThat(repair.progress().scheduled()).isEqualTo(MAX_STREAMS);
    List.copyOf(names.pending.values()).forEach(names::finish);
    repair.round(2);
    assertThat(repair.progress().copied()).isEqualTo(MAX_STREAMS);
    assertThat(repair.copyOf(100)).isEmpty();
  }

  @Test
  void theTableCountsWhatADumbOneCounts() {
    SeededRuns.of(100).check(BlockRepairTest::sameAsDumb);
  }

  private static void sameAsDumb(Random random) {
    PendingCopies table = new PendingCopies(MAX_STREAMS);
    Map<DegradedBlocks.Copy, Long> dumb = new HashMap<>();
    long nowMs = 0;
    for (int step = 0; step < 300; step++) {
      nowMs += random.nextInt(20);
      long now = nowMs;
      String source = "n" + random.nextInt(3);
      long out = dumb.keySet().stream().filter(c -> c.sourceNodeUuid().equals(source)).count();
      int unnoted = random.nextInt(2);
      assertThat(table.mayStart(source, unnoted)).isEqualTo(out + unnoted < MAX_STREAMS);
      DegradedBlocks.Copy copy =
          new DegradedBlocks.Copy(
              random.nextInt(12), 1, 10, random.nextInt(4), source, new Target("t", "m"));
      switch (random.nextInt(4)) {
        case 0, 1 -> {
          if (table.mayStart(source, 0)) {
            table.start(copy, PendingCopies.Purpose.REPAIR, now);
            dumb.keySet().removeIf(c -> c.blockId() == copy.blockId());
            dumb.put(copy, now);
          }
        }
        case 2 -> {
          DegradedBlocks.Copy ended =
              dumb.isEmpty() || random.nextBoolean() ? copy : dumb.keySet().iterator().next();
          table.end(ended);
          dumb.remove(ended);
        }
        default -> {
          Set<DegradedBlocks.Copy> late = new HashSet<>();
          dumb.forEach(
              (c, atMs) -> {
                if (now - atMs >= TIMEOUT_MS) {
                  late.add(c);
                }
              });
          assertThat(new HashSet<>(table.expire(TIMEOUT_MS, now))).isEqualTo(late);
          dumb.keySet().removeAll(late);
        }
      }
      assertThat(new HashSet<>(table.list())).isEqualTo(dumb.keySet());
      assertThat(table.size()).isEqualTo(dumb.size());
      for (long s = 0; s < 4; s++) {
        long id = s;
        assertThat(table.isUnderWay(id))
            .isEqualTo(dumb.keySet().stream().anyMatch(c -> c.superchunkId() == id));
      }
    }
  }

  /** Losses, copies, failures, timeouts and failovers at random. */
  @Test
  void limitsHoldAndNothingIsLost() {
    SeededRuns.of(50).check(BlockRepairTest::randomLife);
  }

  private static void randomLife(Random random) {
    Names names = new Names();
    BlockRepair repair =
        new BlockRepair(names, noQuestions(), names::isPaired, MAX_STREAMS, () -> TIMEOUT_MS);
    long nowMs = 0;
    for (int step = 0; step < 200; step++) {
      nowMs += random.nextInt(30);
      long superchunk = random.nextInt(10);
      switch (random.nextInt(8)) {
        case 0 -> names.lose(superchunk, 1 + random.nextInt(20));
        case 1 -> names.unpaired.add(superchunk);
        case 2 -> names.unpaired.remove(superchunk);
        case 3 -> {
          // A failover: queues are filled again by a scan, and the tables are empty.
          List.copyOf(names.pending.values()).forEach(names::drop);
          repair =
              new BlockRepair(names, noQuestions(), names::isPaired, MAX_STREAMS, () -> TIMEOUT_MS);
        }
        default ->
            List.copyOf(names.pending.values()).stream()
                .filter(c -> random.nextBoolean())
                .forEach(c -> end(names, c, random.nextInt(4) > 0));
      }
      repair.round(nowMs);
      for (int n = 0; n < Names.NODES; n++) {
        assertThat(names.outOf("n" + n)).isLessThanOrEqualTo(MAX_STREAMS);
      }
      assertThat(repair.progress().pending()).isEqualTo(names.pending.size());
    }
    names.unpaired.clear();
    for (int i = 0; i < 2_000 && names.copied.size() < names.nextBlock; i++) {
      nowMs += 10;
      List.copyOf(names.pending.values()).forEach(names::finish);
      repair.round(nowMs);
    }
    assertThat(names.copied).hasSize((int) names.nextBlock);
  }

  private static void end(Names names, DegradedBlocks.Copy copy, boolean copied) {
    if (copied) {
      names.finish(copy);
    } else {
      names.drop(copy);
    }
  }

  @Test
  void aBlockLacksTheSideThatHasNone() {
    Target a = new Target("a", "n1");
    Target b = new Target("b", "n2");
    Home home = new Home(1, 5, List.of(a, b));
    assertThat(home.lacking(List.of("a"))).contains(b);
    assertThat(home.lacking(List.of("b", "stray"))).contains(a);
    assertThat(home.lacking(List.of("stray"))).as("nothing survives").isEmpty();
    assertThat(home.lacking(List.of("a", "b", "stray"))).isEmpty();
    assertThat(home.isWhole(List.of("a", "b", "stray"))).isTrue();
    assertThat(home.isWhole(List.of("a"))).isFalse();
    Home waiting = new Home(1, 5, List.of());
    assertThat(waiting.lacking(List.of("a"))).isEmpty();
    assertThat(waiting.isWhole(List.of("a"))).isFalse();
  }
}

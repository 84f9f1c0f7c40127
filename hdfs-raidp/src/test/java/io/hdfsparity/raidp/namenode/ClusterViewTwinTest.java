/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.core.check.SeededRuns;
import io.hdfsparity.raidp.config.Coefficients;
import io.hdfsparity.raidp.config.ManagerOptions;
import io.hdfsparity.raidp.lstor.LstorGeometry;
import io.hdfsparity.raidp.wire.message.Assignment;
import io.hdfsparity.raidp.wire.message.DiskReport;
import io.hdfsparity.raidp.wire.message.DiskState;
import io.hdfsparity.raidp.wire.message.FrameRef;
import io.hdfsparity.raidp.wire.message.FrameReport;
import io.hdfsparity.raidp.wire.message.LstorReport;
import io.hdfsparity.raidp.wire.message.NodeIdentity;
import io.hdfsparity.raidp.wire.message.NodeReport;
import io.hdfsparity.raidp.wire.message.Pairing;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** A view that is kept up to date is the same as one that is derived from all reports at once. */
class ClusterViewTwinTest {
  private static final int NODES = 4;
  private static final int DISKS = 6;
  private static final int FRAMES = 3;
  private static final int STEPS = 60;
  private static final ManagerOptions.Silence SILENCE = new ManagerOptions.Silence(50, 300);

  @Test
  void anyOrderOfReportsGivesTheViewOfAllOfThem() {
    SeededRuns.of(200).check(random -> new Run(random).run());
  }

  private static final class Run {
    private final Random random;
    private final SuperchunkMap map = new SuperchunkMap(SILENCE, Coefficients.THREE, 0);

    // What the twin knows.
    private final Map<String, NodeState> nodes = new TreeMap<>();
    private final Map<String, LstorState> lstors = new TreeMap<>();
    private final Map<FrameRef, Pairing> highestSeen = new HashMap<>();
    private final Map<Long, Long> highestEpochs = new HashMap<>();
    private final Set<String> failed = new TreeSet<>();
    private boolean allHadTime;
    private long nowMs;
    private final long salt;

    Run(Random random) {
      this.random = random;
      this.salt = random.nextLong();
    }

    void run() {
      for (int step = 0; step < STEPS; step++) {
        nowMs += random.nextInt(20);
        switch (random.nextInt(20)) {
          case 0 -> {
            String disk = "d" + random.nextInt(DISKS);
            if (random.nextInt(4) == 0) {
              failed.add(disk);
              map.declareFailed(disk);
            } else {
              assertThat(map.withdrawFailed(disk)).isEqualTo(failed.remove(disk));
            }
          }
          case 1, 2 -> advance();
          case 3, 4 -> assign();
          case 5, 6, 7, 8 -> reportLstor();
          case 9 -> reportWhatFails();
          default -> reportNode();
        }
        compare();
      }
    }

    private void reportNode() {
      int node = random.nextInt(NODES);
      NodeState before = nodes.get("n" + node);
      List<DiskReport> disks = new ArrayList<>();
      if (before != null && random.nextInt(3) > 0) {
        disks.addAll(before.report().disks());
        if (!disks.isEmpty()) {
          int changed = random.nextInt(disks.size());
          disks.set(changed, changed(disks.get(changed)));
        }
      } else {
        for (int d = 0; d < DISKS; d++) {
          // Most disks stay where they are; some are in two nodes.
          if (d % NODES == node ? random.nextInt(8) > 0 : random.nextInt(12) == 0) {
            disks.add(disk(d));
          }
        }
      }
      NodeReport report =
          new NodeReport(
              new NodeIdentity("n" + node, "h" + node, 1, "h" + node, 2, "CID", random.nextInt(2)),
              disks,
              List.of());
      map.report(report, nowMs);
      nodes.put("n" + node, new NodeState(report, nowMs, NodeState.Silence.NONE));
      for (DiskReport disk : disks) {
        for (FrameReport frame : disk.frames()) {
          frame
              .pairing()
              .ifPresent(
                  p -> {
                    highestSeen.merge(
                        frame.ref(), p, (old, now) -> now.epoch() >= old.epoch() ? now : old);
                    highestEpochs.merge(p.superchunkId(), p.epoch(), Math::max);
                  });
        }
      }
    }

    /** Something that nobody has thought of, in the middle of the work; sent again and again. */
    private void reportWhatFails() {
      int node = random.nextInt(NODES);
      List<DiskReport> disks = new ArrayList<>();
      for (int d = 0; d < DISKS; d++) {
        if (random.nextBoolean()) {
          disks.add(disk(d));
        }
      }
      disks.add(failing(DISKS - 1));
      NodeReport report =
          new NodeReport(
              new NodeIdentity("n" + node, "h" + node, 1, "h" + node, 2, "CID", 3),
              disks,
              List.of());
      for (int i = random.nextInt(2); i >= 0; i--) {
        assertThatThrownBy(() -> map.report(report, nowMs))
            .isInstanceOf(NullPointerException.class);
      }
      compare();
      if (random.nextBoolean()) {
        // With nothing to do the view is rebuilt all the same.
        map.nextEpoch(1, List.of());
      }
    }

    private DiskReport failing(int d) {
      return new DiskReport(
          "d" + d, "/d" + d, DiskState.DISK_FAILED, Optional.empty(), disk(d).frames(), null);
    }

    private DiskReport changed(DiskReport disk) {
      List<FrameReport> frames = new ArrayList<>(disk.frames());
      int frame = random.nextInt(frames.size());
      frames.set(frame, frame(frames.get(frame).storageId(), frame));
      return disk.withFrames(frames);
    }

    private DiskReport disk(int d) {
      List<FrameReport> frames = new ArrayList<>();
      int count = random.nextInt(6) == 0 ? FRAMES - 1 : FRAMES;
      for (int f = 0; f < count; f++) {
        frames.add(frame(volume(d), f));
      }
      DiskState state =
          random.nextInt(8) > 0 ? DiskState.OK : DiskState.values()[random.nextInt(3)];
      return new DiskReport(
          "d" + d,
          "/d" + d,
          state,
          random.nextInt(9) == 0
              ? Optional.empty()
              : Optional.of(LstorGeometry.of(FRAMES, random.nextInt(9) == 0 ? 50 : 100, 1 << 20)),
          frames,
          state == DiskState.OK ? Optional.empty() : Optional.of("why"));
    }

    private static String volume(int d) {
      return "v" + d;
    }

    private FrameReport frame(String storageId, int index) {
      return new FrameReport(
          storageId,
          index,
          random.nextInt(5) == 0 ? Optional.empty() : Optional.of(pairing(storageId, index)),
          new FrameReport.Load(10, 0, random.nextInt(3) == 0 ? 0 : 1, 0, 0),
          random.nextInt(30) == 0);
    }

    /**
     * Superchunk s is mostly on the volumes s and s + 1. Under one epoch a frame has one pairing,
     * but for what is not decided by it.
     */
    private Pairing pairing(String storageId, int index) {
      long epoch = random.nextInt(4) == 0 ? 1 + random.nextInt(4) : 2;
      int own = storageId.charAt(1) - '0';
      Random same = new Random(salt + ((own * 31L + index) * 31 + epoch) * 0x9E3779B97F4A7C15L);
      int step = same.nextInt(5) == 0 ? same.nextInt(DISKS) : same.nextBoolean() ? 1 : -1;
      int partner = Math.floorMod(own + step, DISKS);
      long id = same.nextInt(6) == 0 ? same.nextInt(8) : Math.min(own, partner);
      String node = "n" + (random.nextInt(15) == 0 ? random.nextInt(NODES) : partner % NODES);
      return random.nextInt(12) == 0
          ? Pairing.alone(id, epoch)
          : new Pairing(id, epoch, volume(partner), node, 1 + random.nextInt(2));
    }

    private void reportLstor() {
      int d = random.nextInt(DISKS);
      List<FrameReport> frames = new ArrayList<>();
      for (int f = 0; f < FRAMES; f++) {
        frames.add(frame(volume(d), f));
      }
      LstorReport report =
          new LstorReport(
              "d" + d,
              "CID",
              "n" + d % NODES,
              "h",
              3,
              random.nextBoolean(),
              frames,
              random.nextInt(6) == 0 ? Optional.of("bad") : Optional.empty());
      map.report(report, nowMs);
      lstors.put("d" + d, LstorState.reported(lstors.get("d" + d), report, nowMs));
      frames.forEach(
          frame ->
              frame
                  .pairing()
                  .ifPresent(p -> highestEpochs.merge(p.superchunkId(), p.epoch(), Math::max)));
    }

    private void advance() {
      nowMs += random.nextInt(60);
      lstors.values().removeIf(this::isForgotten);
      map.advance(nowMs);
      allHadTime = allHadTime || nowMs > SILENCE.deadMs();
      nodes.replaceAll(
          (uuid, node) -> {
            long age = nowMs - node.reportedAtMs();
            return new NodeState(
                node.report(),
                node.reportedAtMs(),
                age > SILENCE.deadMs()
                    ? NodeState.Silence.DEAD
                    : age > SILENCE.staleMs() ? NodeState.Silence.STALE : NodeState.Silence.NONE);
          });
      lstors.replaceAll(
          (id, lstor) -> lstor.withReachable(nowMs - lstor.reportedAtMs() <= SILENCE.staleMs()));
    }

    /** Nobody reports it or its disk any more, and its superchunks have gone on elsewhere. */
    private boolean isForgotten(LstorState lstor) {
      return nowMs - lstor.reportedAtMs() > SILENCE.deadMs()
          && nodes.values().stream()
              .flatMap(node -> node.report().disks().stream())
              .noneMatch(disk -> disk.diskId().equals(lstor.report().diskId()))
          && UnneededDisks.isPassed(map.view(), lstor.report());
    }

    private void assign() {
      FrameRef frame = new FrameRef(volume(random.nextInt(DISKS)), random.nextInt(FRAMES));
      Pairing wanted = pairing(frame.storageId(), frame.frameIndex());
      long epoch = map.nextEpoch(wanted.superchunkId(), List.of(frame));
      assertThat(epoch)
          .isGreaterThan(highestEpochs.getOrDefault(wanted.superchunkId(), 0L))
          .isGreaterThan(
              Optional.ofNullable(highestSeen.get(frame)).map(Pairing::epoch).orElse(0L));
      if (epoch < 6) {
        map.assign(
            List.of(
                new Assignment(
                    frame,
                    new Pairing(
                        wanted.superchunkId(),
                        epoch,
                        wanted.partnerStorageId(),
                        wanted.partnerNodeUuid(),
                        wanted.coefficient()))));
      }
    }

    private void compare() {
      Map<FrameRef, Assignment> orders =
          map.outstanding().stream().collect(Collectors.toMap(Assignment::frame, each -> each));
      WholeViewBuilder.Whole twin =
          new WholeViewBuilder(
                  nodes.values(),
                  lstors.values(),
                  failed,
                  highestSeen,
                  orders,
                  Coefficients.THREE,
                  allHadTime)
              .build();
      ClusterView view = map.view();
      assertThat(view.nodes()).isEqualTo(nodes);
      assertThat(view.lstors()).isEqualTo(lstors);
      assertThat(view.disks()).isEqualTo(twin.disks());
      assertThat(values(view.frames().byVolume(), Run::frames))
          .isEqualTo(values(twin.byVolume(), Run::frames));
      assertThat(values(view.superchunks(), Run::superchunk))
          .isEqualTo(values(twin.superchunks(), Run::superchunk));
      assertThat(values(view.lacking(), Run::superchunk))
          .isEqualTo(
              values(
                  twin.superchunks().values().stream()
                      .filter(SuperchunkView::lacksSide)
                      .collect(Collectors.toMap(SuperchunkView::id, each -> each)),
                  Run::superchunk));
      assertThat(frames(view.frames().spares())).isEqualTo(frames(twin.spares()));
      assertThat(frames(view.frames().superseded()))
          .containsExactlyInAnyOrderElementsOf(frames(twin.superseded()));
      assertThat(
              frames(
                  view.frames().byVolume().keySet().stream()
                      .flatMap(v -> view.frames().clearedOn(v).stream())
                      .toList()))
          .containsExactlyInAnyOrderElementsOf(frames(twin.cleared()));
      assertThat(view.completions()).isEqualTo(twin.completions());
      assertThat(view.problems())
          .containsExactlyInAnyOrderElementsOf(new HashSet<>(twin.problems()));
    }

    private static <K, V, R> Map<K, R> values(Map<K, V> all, Function<V, R> of) {
      Map<K, R> result = new HashMap<>();
      all.forEach((key, value) -> result.put(key, of.apply(value)));
      return result;
    }

    private static List<String> frames(List<FrameView> frames) {
      return frames.stream()
          .map(
              f ->
                  f.ref()
                      + " of "
                      + f.nodeUuid()
                      + " "
                      + f.diskId()
                      + " "
                      + f.health()
                      + " "
                      + f.state().failed()
                      + f.isEmpty()
                      + f.pairing())
          .toList();
    }

    /** The order of holders is known only where they are two sides in service. */
    private static List<Object> superchunk(SuperchunkView s) {
      List<String> holders = frames(s.holders());
      return List.of(
          s.id(),
          s.epoch(),
          s.state(),
          s.state() == SuperchunkState.ACTIVE ? holders : new TreeSet<>(holders),
          frames(s.gone()),
          s.usable(),
          s.settled());
    }
  }
}

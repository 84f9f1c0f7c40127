/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.raidp.lstor.LstorGeometry;
import io.hdfsparity.raidp.wire.message.DiskReport;
import io.hdfsparity.raidp.wire.message.FrameRef;
import io.hdfsparity.raidp.wire.message.FrameReport;
import io.hdfsparity.raidp.wire.message.LstorReport;
import io.hdfsparity.raidp.wire.message.NodeReport;
import io.hdfsparity.raidp.wire.message.Pairing;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Disks and frames of all reports, kept up to date: what {@link ReportedFrames} makes of all of
 * them. A change of a node or an Lstor looks at its disks and volumes only, and at other nodes and
 * Lstors that name one of these. Not thread-safe.
 *
 * <p><b>Invariant</b>: whatever the order of changes, the result is that of all reports at once.
 */
final class FrameIndex {
  private PersistentMap<String, DiskView> disks = PersistentMap.empty(DiskView::diskId);
  private PersistentMap<String, List<FrameView>> byVolume =
      PersistentMap.empty(frames -> frames.get(0).storageId());
  private final Map<String, Set<FrameRef>> barred = new HashMap<>();

  /** What nodes have reported of frames, where it is higher than what is known of them now. */
  private PersistentMap<FrameRef, Passed> higher;

  private final Map<String, Integer> passedByNode = new HashMap<>();

  /** How often a volume has come, gone, died or become alive. */
  private long lives;

  private Problems problems = Problems.NONE;

  private final Map<String, Named> namedByNode = new HashMap<>();
  private final Map<String, Named> namedByLstor = new HashMap<>();
  private final Map<String, Set<String>> nodesOfVolume = new HashMap<>();
  private final Map<String, Set<String>> nodesOfDisk = new HashMap<>();
  private final Map<String, Set<String>> lstorsOfVolume = new HashMap<>();

  /** A pairing that a frame has had. */
  record Passed(FrameRef ref, Pairing pairing, String nodeUuid) {}

  /** Volumes and disks in a report. */
  private record Named(Set<String> volumes, Set<String> diskIds) {
    static final Named NOTHING = new Named(Set.of(), Set.of());
  }

  /**
   * What a change has brought.
   *
   * @param volumes with other frames, or frames in another state
   * @param claims by superchunk that a changed frame claims or has claimed: the frames that claim
   *     it now
   */
  record Changes(Set<String> volumes, Map<Long, Set<FrameRef>> claims) {
    void note(FrameView frame, boolean isThere) {
      frame
          .pairing()
          .ifPresent(
              pairing -> {
                Set<FrameRef> refs =
                    claims.computeIfAbsent(pairing.superchunkId(), id -> new HashSet<>(4));
                if (isThere) {
                  refs.add(frame.ref());
                }
              });
    }
  }

  /**
   * All reports, and which of them are new.
   *
   * @param nodes all nodes ever known
   * @param lstors all known Lstors, by disk id
   * @param earlier what the changed nodes had reported before, as far as they had
   * @param changedNodes by uuid
   * @param changedLstors by disk id
   * @param failedByAdmin disks that an administrator declared failed
   * @param allHadTime the manager has been up for so long that who has not reported is gone
   */
  record Update(
      Map<String, NodeState> nodes,
      Map<String, LstorState> lstors,
      Collection<NodeReport> earlier,
      Set<String> changedNodes,
      Set<String> changedLstors,
      Set<String> failedByAdmin,
      boolean allHadTime) {}

  /**
   * @param higher what nodes have reported of frames and do not report now
   */
  FrameIndex(PersistentMap<FrameRef, Passed> higher) {
    this.higher = higher;
    higher.values().forEach(passed -> count(passed.nodeUuid(), 1));
  }

  /** How many frames are remembered that the node has reported before, and does not report now. */
  int passedOf(String nodeUuid) {
    return passedByNode.getOrDefault(nodeUuid, 0);
  }

  private void count(String nodeUuid, int more) {
    passedByNode.merge(nodeUuid, more, (a, b) -> a + b == 0 ? null : a + b);
  }

  /** What nodes have reported of frames, where it is higher than what is known of them now. */
  PersistentMap<FrameRef, Passed> higher() {
    return higher;
  }

  /** Another number each time a volume has come, gone, died or become alive. */
  long lives() {
    return lives;
  }

  /** Volumes that a node reports. */
  Set<String> volumesOf(String nodeUuid) {
    return namedByNode.getOrDefault(nodeUuid, Named.NOTHING).volumes();
  }

  PersistentMap<String, DiskView> disks() {
    return disks;
  }

  PersistentMap<String, List<FrameView>> byVolume() {
    return byVolume;
  }

  /** Problems of nodes, Lstors and volumes. */
  Problems problems() {
    return problems;
  }

  List<FrameView> framesOn(String storageId) {
    return byVolume.getOrDefault(storageId, List.of());
  }

  Optional<FrameView> frame(FrameRef ref) {
    return ClusterView.find(framesOn(ref.storageId()), ref.frameIndex());
  }

  /** Whether a frame must not be used because of a problem of its own. */
  boolean isBarred(FrameRef ref) {
    return barred.getOrDefault(ref.storageId(), Set.of()).contains(ref);
  }

  /** For people: the storage id, with the frame's index where the volume has several frames. */
  String name(FrameView frame) {
    return framesOn(frame.storageId()).size() > 1 ? frame.ref().toString() : frame.storageId();
  }

  Optional<LstorGeometry> geometry(String diskId) {
    return disks.getOrDefault(diskId, DiskView.UNKNOWN).geometry();
  }

  /** The pairing of a frame with the highest epoch that it has ever had. */
  Optional<Pairing> highestOf(FrameRef ref) {
    Passed passed = higher.get(ref);
    return passed == null ? frame(ref).flatMap(FrameView::pairing) : Optional.of(passed.pairing());
  }

  /** Lstors of disks that no node has reported. */
  Set<String> lstorsAlone() {
    Set<String> alone = new HashSet<>(namedByLstor.keySet());
    alone.removeAll(nodesOfDisk.keySet());
    return alone;
  }

  /** Nodes that report a disk. */
  Set<String> nodesOf(String diskId) {
    return nodesOfDisk.getOrDefault(diskId, Set.of());
  }

  Changes update(Update update) {
    Set<String> volumes = new HashSet<>();
    Set<String> diskIds = new HashSet<>(update.changedLstors());
    Changes changes = new Changes(new HashSet<>(), new HashMap<>());
    update.earlier().forEach(report -> notePassed(report, update.nodes(), changes.volumes()));
    for (String uuid : update.changedNodes()) {
      Named now = named(update.nodes().get(uuid));
      Named before = namedByNode.put(uuid, now);
      for (Named each : before == null ? List.of(now) : List.of(before, now)) {
        volumes.addAll(each.volumes());
        diskIds.addAll(each.diskIds());
      }
      replace(nodesOfVolume, uuid, before == null ? Set.of() : before.volumes(), now.volumes());
      replace(nodesOfDisk, uuid, before == null ? Set.of() : before.diskIds(), now.diskIds());
    }
    for (String diskId : update.changedLstors()) {
      Named now = named(update.lstors().get(diskId));
      Named before =
          update.lstors().containsKey(diskId)
              ? namedByLstor.put(diskId, now)
              : namedByLstor.remove(diskId);
      volumes.addAll(now.volumes());
      Set<String> gone = before == null ? Set.of() : before.volumes();
      volumes.addAll(gone);
      replace(lstorsOfVolume, diskId, gone, now.volumes());
    }
    // An Lstor speaks for its disk when no node has it alive.
    diskIds.forEach(id -> volumes.addAll(namedByLstor.getOrDefault(id, Named.NOTHING).volumes()));
    ReportedFrames found = look(update, volumes, diskIds);
    for (String uuid : update.changedNodes()) {
      take(found, Problems.Source.node(uuid));
    }
    for (String diskId : update.changedLstors()) {
      take(found, Problems.Source.lstor(diskId));
    }
    Set<String> reshaped = takeDisks(found, diskIds);
    for (String storageId : volumes) {
      takeVolume(found, storageId, reshaped.contains(storageId), changes);
    }
    return changes;
  }

  private ReportedFrames look(Update update, Set<String> volumes, Set<String> diskIds) {
    Map<String, LstorState> lstors = new TreeMap<>();
    for (String diskId : diskIds) {
      add(lstors, update.lstors(), diskId);
    }
    for (String storageId : volumes) {
      lstorsOfVolume
          .getOrDefault(storageId, Set.of())
          .forEach(diskId -> add(lstors, update.lstors(), diskId));
    }
    Map<String, NodeState> nodes = new TreeMap<>();
    update.changedNodes().forEach(uuid -> add(nodes, update.nodes(), uuid));
    for (String storageId : volumes) {
      nodesOfVolume
          .getOrDefault(storageId, Set.of())
          .forEach(uuid -> add(nodes, update.nodes(), uuid));
    }
    Set<String> relevant = new HashSet<>(diskIds);
    relevant.addAll(lstors.keySet());
    for (String diskId : relevant) {
      nodesOf(diskId).forEach(uuid -> add(nodes, update.nodes(), uuid));
    }
    ReportedFrames found = new ReportedFrames(update.failedByAdmin(), higher, update.allHadTime());
    found.add(nodes.values(), lstors.values());
    return found;
  }

  private static <V> void add(Map<String, V> some, Map<String, V> all, String key) {
    V value = all.get(key);
    if (value != null) {
      some.put(key, value);
    }
  }

  private static Named named(NodeState node) {
    Set<String> volumes = new HashSet<>();
    Set<String> diskIds = new HashSet<>();
    for (DiskReport disk : node.report().disks()) {
      diskIds.add(disk.diskId());
      disk.frames().forEach(frame -> volumes.add(frame.storageId()));
    }
    return new Named(Set.copyOf(volumes), Set.copyOf(diskIds));
  }

  /** Nothing, if the Lstor is not known any more. */
  private static Named named(@Nullable LstorState lstor) {
    if (lstor == null) {
      return Named.NOTHING;
    }
    Set<String> volumes = new HashSet<>();
    LstorReport report = lstor.report();
    report.frames().forEach(frame -> volumes.add(frame.storageId()));
    return new Named(Set.copyOf(volumes), Set.of());
  }

  private static void replace(
      Map<String, Set<String>> index, String name, Set<String> before, Set<String> now) {
    for (String key : before) {
      if (!now.contains(key)) {
        Set<String> left = new HashSet<>(index.getOrDefault(key, Set.of()));
        left.remove(name);
        if (left.isEmpty()) {
          index.remove(key);
        } else {
          index.put(key, Set.copyOf(left));
        }
      }
    }
    for (String key : now) {
      if (!before.contains(key)) {
        Set<String> more = new HashSet<>(index.getOrDefault(key, Set.of()));
        more.add(name);
        index.put(key, Set.copyOf(more));
      }
    }
  }

  /** Keeps what a node had reported and does not report any more. */
  private void notePassed(NodeReport earlier, Map<String, NodeState> nodes, Set<String> passed) {
    Map<FrameRef, Pairing> now = new HashMap<>();
    for (DiskReport disk : nodes.get(earlier.nodeUuid()).report().disks()) {
      for (FrameReport frame : disk.frames()) {
        frame.pairing().ifPresent(pairing -> now.merge(frame.ref(), pairing, FrameIndex::later));
      }
    }
    for (DiskReport disk : earlier.disks()) {
      for (FrameReport frame : disk.frames()) {
        Pairing before = frame.pairing().orElse(null);
        Pairing after = now.get(frame.ref());
        if (before != null && (after == null || after.epoch() < before.epoch())) {
          Passed known = higher.get(frame.ref());
          Pairing kept = known == null ? before : later(known.pairing(), before);
          keepHigher(frame.ref(), kept, earlier.nodeUuid(), passed);
        }
      }
    }
  }

  private static Pairing later(Pairing before, Pairing now) {
    return now.epoch() >= before.epoch() ? now : before;
  }

  private void take(ReportedFrames found, Problems.Source source) {
    problems = problems.with(source, found.problemsOf(source));
  }

  /** Volumes of disks whose frames have another shape now. */
  private Set<String> takeDisks(ReportedFrames found, Set<String> diskIds) {
    Set<String> reshaped = new HashSet<>();
    for (String diskId : diskIds) {
      DiskView before = disks.get(diskId);
      DiskView now = found.disks().get(diskId);
      disks = now == null ? disks.without(diskId) : disks.with(now);
      if (now != null && (before == null || !before.geometry().equals(now.geometry()))) {
        reshaped.addAll(now.storageIds());
      }
      if (before != null && (now == null || !before.geometry().equals(now.geometry()))) {
        reshaped.addAll(before.storageIds());
      }
    }
    return reshaped;
  }

  private void takeVolume(
      ReportedFrames found, String storageId, boolean isReshaped, Changes changes) {
    List<FrameView> before = framesOn(storageId);
    List<FrameView> now = found.framesOn(storageId);
    take(found, Problems.Source.volume(storageId));
    Set<FrameRef> barredNow = found.barredOn(storageId);
    Set<FrameRef> barredBefore =
        barredNow.isEmpty() ? barred.remove(storageId) : barred.put(storageId, barredNow);
    boolean isOther =
        isReshaped
            || !barredNow.equals(barredBefore == null ? Set.of() : barredBefore)
            || before.size() != now.size();
    FrameView[] kept = now.toArray(FrameView[]::new);
    boolean isChanged = isOther;
    for (int i = 0; i < Math.max(before.size(), kept.length); i++) {
      FrameView old = i < before.size() ? before.get(i) : null;
      FrameView fresh = i < kept.length ? kept[i] : null;
      boolean isSame = old != null && fresh != null && old.isLike(fresh);
      if (isSame) {
        kept[i] = old;
      } else if (fresh != null) {
        kept[i] = old != null ? fresh.sharing(old) : i == 0 ? fresh : fresh.sharing(kept[i - 1]);
      }
      if (!isSame || isOther) {
        isChanged = true;
        noteChange(old, fresh, changes);
      }
    }
    for (FrameView frame : now) {
      forgetPassed(found, frame.ref(), frame, changes.volumes());
    }
    for (FrameView frame : before) {
      if (ClusterView.find(now, frame.frameIndex()).isEmpty()) {
        forgetPassed(found, frame.ref(), null, changes.volumes());
      }
    }
    if (life(before) != life(now)) {
      lives++;
    }
    if (isChanged) {
      changes.volumes().add(storageId);
      byVolume = kept.length == 0 ? byVolume.without(storageId) : byVolume.with(List.of(kept));
    }
  }

  /** 0: unknown, 1: dead, 2: alive. */
  private static int life(List<FrameView> frames) {
    return frames.isEmpty() ? 0 : frames.stream().anyMatch(f -> f.health().alive()) ? 2 : 1;
  }

  private static void noteChange(
      @Nullable FrameView old, @Nullable FrameView fresh, Changes changes) {
    if (old != null) {
      changes.note(old, false);
    }
    if (fresh != null) {
      changes.note(fresh, true);
    }
  }

  /** The highest pairing of a frame is kept only where a node does not report it now. */
  private void forgetPassed(
      ReportedFrames found, FrameRef ref, @Nullable FrameView frame, Set<String> passed) {
    Pairing highest = found.highestOf(ref).orElse(null);
    if (highest == null) {
      return;
    }
    long epoch = frame == null ? 0 : frame.pairing().map(Pairing::epoch).orElse(0L);
    long reported = found.reportedOf(ref).map(Pairing::epoch).orElse(0L);
    if (Math.min(epoch, reported) >= highest.epoch()) {
      keepHigher(ref, null, "", passed);
    } else {
      keepHigher(ref, highest, frame == null ? "" : frame.nodeUuid(), passed);
    }
  }

  /** What a frame had before decides about superchunks that name its volume. */
  private void keepHigher(
      FrameRef ref, @Nullable Pairing pairing, String nodeUuid, Set<String> passed) {
    Passed before = higher.get(ref);
    String owner = before == null ? nodeUuid : before.nodeUuid();
    Passed now = pairing == null ? null : new Passed(ref, pairing, owner);
    if ((before == null) != (now == null)) {
      count(owner, now == null ? -1 : 1);
    }
    higher = now == null ? higher.without(ref) : higher.with(now);
    if (!Objects.equals(before, now)) {
      passed.add(ref.storageId());
    }
  }
}

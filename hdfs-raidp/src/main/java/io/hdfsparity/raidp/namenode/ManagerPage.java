/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.bridge.page.PageFigure;
import io.hdfsparity.bridge.page.PageMeter;
import io.hdfsparity.bridge.page.PageSection;
import io.hdfsparity.bridge.page.PageTable;
import io.hdfsparity.bridge.page.PageTable.Audience;
import io.hdfsparity.bridge.page.Tone;
import io.hdfsparity.core.cli.SizesAndDurations;
import io.hdfsparity.raidp.wire.message.RebuildCounts;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import org.apache.hadoop.hdfs.server.blockmanagement.NameNodeAccess.Node;

/**
 * RAIDP's part of the page {@code /parity}. Made from snapshots, without a lock; looks at each
 * superchunk once.
 */
final class ManagerPage {
  private final ClusterView view;
  private final RecoveryStatus recovery;
  private final List<Problem> problems;

  private ManagerPage(ClusterView view, RecoveryStatus recovery, List<Problem> problems) {
    this.view = view;
    this.recovery = recovery;
    this.problems = problems;
  }

  /**
   * @param nodes DataNodes as HDFS knows them
   */
  static PageSection of(ManagerState state, Collection<Node> nodes) {
    ClusterView view = state.map().view();
    List<Problem> problems = new ArrayList<>(view.problems());
    problems.addAll(state.missing(nodes));
    return new ManagerPage(view, state.recovery().status(), problems).make();
  }

  private PageSection make() {
    List<String> notes = new ArrayList<>();
    if (view.disks().isEmpty()) {
      notes.add("No DataNode has reported disks yet.");
    } else if (view.superchunks().isEmpty()) {
      notes.add("The disks are not laid out yet: hdfs raidp -layout -apply pairs them.");
    }
    return new PageSection(
        "raidp",
        "RAIDP",
        figures(),
        recovery.state() == RecoveryStatus.State.IDLE ? List.of() : List.of(meter()),
        view.disks().isEmpty()
            ? List.of()
            : List.of(new DiskCells(view, recovery, this::host).make()),
        tables(),
        notes);
  }

  private List<PageFigure> figures() {
    int[] counts = new int[SuperchunkState.values().length];
    view.all().forEach(each -> counts[each.state().ordinal()]++);
    long dead =
        view.disks().values().stream().filter(each -> each.health() == FrameHealth.DEAD).count();
    return List.of(
        PageFigure.of("disks", view.disks().size()),
        PageFigure.unwanted("disks gone", dead, Tone.WARN),
        PageFigure.of("superchunks with both sides", counts[SuperchunkState.ACTIVE.ordinal()]),
        PageFigure.unwanted("with one side", counts[SuperchunkState.DEGRADED.ordinal()], Tone.WARN),
        PageFigure.unwanted("to be decoded", counts[SuperchunkState.LOST.ordinal()], Tone.BAD),
        PageFigure.of("spare frames", view.frames().spareCount()),
        PageFigure.unwanted("problems", problems.size(), Tone.WARN));
  }

  private PageMeter meter() {
    RecoveryStatus.Progress progress = recovery.progress();
    long total = Math.max(0, progress.bytesTotal());
    long done = Math.min(total, Math.max(0, progress.bytesDone()));
    String text =
        SizesAndDurations.bytes(done)
            + " of "
            + SizesAndDurations.bytes(total)
            + (recovery.state() == RecoveryStatus.State.RUNNING
                ? ", " + SizesAndDurations.bytes(progress.bytesPerSecond()) + " a second"
                : "")
            + (progress.etaMs() < 0 || recovery.state() != RecoveryStatus.State.RUNNING
                ? ""
                : ", about " + (progress.etaMs() + 999) / 1000 + " s left");
    return new PageMeter("Recovery: " + word(recovery.state()), done, total, text);
  }

  private List<PageTable> tables() {
    List<PageTable> tables = new ArrayList<>();
    if (!recovery.moves().isEmpty()) {
      tables.add(
          PageTable.of(
              "Superchunks of the last recovery",
              Audience.EVERYBODY,
              List.of("superchunk", "how", "to", "phase", "done"),
              recovery.moves().stream().map(this::row).toList()));
    }
    if (!recovery.waiting().isEmpty()) {
      tables.add(
          PageTable.of(
              "Superchunks that wait",
              Audience.ADMINISTRATORS,
              List.of("superchunk", "reason", "detail"),
              recovery.waiting().stream()
                  .map(
                      each ->
                          List.of(
                              String.valueOf(each.superchunkId()), each.reason(), each.detail()))
                  .toList()));
    }
    if (!problems.isEmpty()) {
      tables.add(
          PageTable.of(
              "Problems in reports",
              Audience.ADMINISTRATORS,
              List.of("kind", "of", "detail"),
              problems.stream()
                  .map(each -> List.of(word(each.kind()), each.subject(), each.detail()))
                  .toList()));
    }
    return tables;
  }

  private List<String> row(RecoveryMove move) {
    RebuildCounts counts = move.counts();
    long percent =
        counts.bytesTotal() == 0
            ? 0
            : Math.min(100, 100 * counts.bytesDone() / counts.bytesTotal());
    return List.of(
        String.valueOf(move.superchunkId()),
        word(move.kind()),
        host(move.receiver().nodeUuid()),
        word(move.phase()),
        percent + " %");
  }

  private static String word(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  private String host(String nodeUuid) {
    return view.addressOf(nodeUuid)
        .orElseGet(() -> "DataNode " + nodeUuid.substring(0, Math.min(8, nodeUuid.length())));
  }
}

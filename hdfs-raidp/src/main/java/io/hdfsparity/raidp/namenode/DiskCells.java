/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.bridge.page.PageMap;
import io.hdfsparity.bridge.page.PageMap.Cell;
import io.hdfsparity.bridge.page.PageMap.Legend;
import io.hdfsparity.bridge.page.PageMap.Row;
import io.hdfsparity.bridge.page.Tone;
import io.hdfsparity.raidp.wire.message.FrameRef;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/**
 * The map of disks and superchunks on the page {@code /parity}. As fine as {@link
 * PageMap#MAX_CELLS} allows: a cell is a frame, else a disk, else a DataNode. Looks at every frame
 * in the first case only; else at disks, and at the few superchunks that lack a side.
 */
final class DiskCells {
  private final ClusterView view;
  private final Set<FrameRef> receiving = new HashSet<>();
  private final Map<String, Integer> receivingByVolume = new HashMap<>();

  /** Superchunks of which a live frame of the volume is the only one. */
  private final Map<String, Integer> aloneByVolume = new HashMap<>();

  /** By name of the DataNode. */
  private final Map<String, List<DiskView>> byNode = new TreeMap<>();

  /**
   * @param hosts names DataNodes by UUID
   */
  DiskCells(ClusterView view, RecoveryStatus recovery, UnaryOperator<String> hosts) {
    this.view = view;
    for (RecoveryMove each : recovery.moves()) {
      if (!each.phase().isOver()) {
        receiving.add(each.receiver().frame());
        receivingByVolume.merge(each.receiver().storageId(), 1, Integer::sum);
      }
    }
    for (SuperchunkView each : view.lacking().values()) {
      each.survivor().ifPresent(f -> aloneByVolume.merge(f.storageId(), 1, Integer::sum));
    }
    for (DiskView each : view.disks().values()) {
      byNode.computeIfAbsent(hosts.apply(each.nodeUuid()), node -> new ArrayList<>()).add(each);
    }
    byNode.values().forEach(disks -> disks.sort(Comparator.comparing(DiskView::diskId)));
  }

  PageMap make() {
    long frames = view.disks().values().stream().mapToLong(DiskView::frames).sum();
    if (frames <= PageMap.MAX_CELLS) {
      return ofFrames();
    }
    return view.disks().size() <= PageMap.MAX_CELLS ? ofDisks() : ofNodes();
  }

  private PageMap ofFrames() {
    List<Row> rows = new ArrayList<>();
    byNode.forEach(
        (node, disks) -> {
          for (int i = 0; i < disks.size(); i++) {
            List<Cell> cells = new ArrayList<>();
            disks.get(i).storageIds().stream()
                .flatMap(volume -> view.framesOn(volume).stream())
                .forEach(frame -> cells.add(frameCell(frame)));
            rows.add(new Row(node + " disk " + (i + 1), cells));
          }
        });
    return map(
        "A row is a disk, a cell is a frame: it holds a superchunk, or is spare.",
        rows,
        "",
        "disks");
  }

  private Cell frameCell(FrameView frame) {
    if (frame.health() == FrameHealth.DEAD) {
      return new Cell(Tone.BAD, "");
    }
    SuperchunkView held = view.superchunkOf(frame).orElse(null);
    if (receiving.contains(frame.ref())) {
      return new Cell(Tone.BUSY, "");
    }
    if (held == null) {
      return new Cell(Tone.PLAIN, "");
    }
    String hint = "superchunk " + held.id();
    if (held.state() != SuperchunkState.ACTIVE) {
      return new Cell(Tone.WARN, hint);
    }
    return new Cell(frame.health() == FrameHealth.HELD ? Tone.HELD : Tone.GOOD, hint);
  }

  private PageMap ofDisks() {
    List<Row> rows = new ArrayList<>();
    byNode.forEach(
        (node, disks) -> rows.add(new Row(node, disks.stream().map(this::diskCell).toList())));
    return map(
        "A row is a DataNode, a cell is a disk.",
        rows,
        "Superchunks are summed up by disk.",
        "DataNodes");
  }

  private Cell diskCell(DiskView disk) {
    int alone = sum(disk, aloneByVolume);
    int receives = sum(disk, receivingByVolume);
    String hint =
        disk.frames()
            + " frames"
            + (alone == 0 ? "" : ", " + alone + " superchunks with one side")
            + (receives == 0 ? "" : ", " + receives + " being rebuilt");
    return new Cell(tone(disk, alone, receives), hint);
  }

  private static Tone tone(DiskView disk, int alone, int receives) {
    if (disk.health() == FrameHealth.DEAD) {
      return Tone.BAD;
    }
    if (receives > 0) {
      return Tone.BUSY;
    }
    if (alone > 0) {
      return Tone.WARN;
    }
    return disk.health() == FrameHealth.HELD ? Tone.HELD : Tone.GOOD;
  }

  private static int sum(DiskView disk, Map<String, Integer> byVolume) {
    return disk.storageIds().stream().mapToInt(each -> byVolume.getOrDefault(each, 0)).sum();
  }

  /** One row for each hundred DataNodes. */
  private PageMap ofNodes() {
    final int inRow = 100;
    List<Row> rows = new ArrayList<>();
    List<Cell> cells = new ArrayList<>();
    String first = "";
    for (Map.Entry<String, List<DiskView>> each : byNode.entrySet()) {
      if (cells.isEmpty()) {
        first = each.getKey();
      }
      cells.add(nodeCell(each.getKey(), each.getValue()));
      if (cells.size() == inRow) {
        rows.add(new Row("from " + first, cells));
        cells = new ArrayList<>();
      }
    }
    if (!cells.isEmpty()) {
      rows.add(new Row("from " + first, cells));
    }
    return map(
        "A cell is a DataNode, in the colour of its worst disk.",
        rows,
        "Disks are summed up by DataNode: hdfs raidp -layout lists all.",
        "rows of DataNodes");
  }

  private Cell nodeCell(String host, List<DiskView> disks) {
    Map<Tone, Integer> counts = new TreeMap<>();
    for (DiskView each : disks) {
      Tone tone = tone(each, sum(each, aloneByVolume), sum(each, receivingByVolume));
      counts.merge(tone, 1, Integer::sum);
    }
    Tone worst = Tone.GOOD;
    for (Tone each : List.of(Tone.HELD, Tone.WARN, Tone.BUSY, Tone.BAD)) {
      worst = counts.containsKey(each) ? each : worst;
    }
    int gone = counts.getOrDefault(Tone.BAD, 0);
    return new Cell(worst, host + ": " + disks.size() + " disks, " + gone + " gone");
  }

  private static PageMap map(String caption, List<Row> rows, String note, String what) {
    return new PageMap(
            "Disks and superchunks",
            caption,
            List.of(
                new Legend(Tone.GOOD, "both sides are there"),
                new Legend(Tone.WARN, "the other side is gone"),
                new Legend(Tone.BUSY, "being rebuilt"),
                new Legend(Tone.BAD, "disk is gone"),
                new Legend(Tone.HELD, "takes no new blocks"),
                new Legend(Tone.PLAIN, "spare")),
            rows,
            note)
        .capped(what);
  }
}

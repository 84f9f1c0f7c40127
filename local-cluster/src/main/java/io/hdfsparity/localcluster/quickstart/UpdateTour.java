/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.quickstart;

import io.hdfsparity.localcluster.Sizes;
import io.hdfsparity.localcluster.quickstart.QuickstartException.Kind;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/**
 * The chapter on in-place updates: programs change closed erasure-coded files while Hadoop's own
 * client reads them, a DataNode is killed in the middle and comes back, the parity of every stripe
 * is computed anew, and every byte compared. Used by one thread.
 */
final class UpdateTour extends Tour {
  static final int STEPS = 7;
  private static final String FOLDER = "/tables";
  private static final long WRITES_FIRST = 400;
  private static final long WRITES_AFTER = 200;
  private static final Duration TIMEOUT = Duration.ofMinutes(2);
  private static final String VICTIM = "dn1";

  UpdateTour(QuickstartOptions options, Path home, Screen screen) {
    super(options, home, screen);
  }

  @Override
  void plan(List<SourceFile> chosen) throws QuickstartException {
    if (UpdateShape.updated(chosen).isEmpty()) {
      throw new QuickstartException(
          Kind.INPUT,
          "Cannot update files: none has "
              + Pieces.BYTES
              + " bytes or more; take a folder with larger ones");
    }
  }

  @Override
  ClusterPlan clusterPlan() {
    return new ClusterPlan(
        UpdateShape.NODES
            + " DataNodes in "
            + UpdateShape.RACKS
            + " racks that take updates; a session manager in the NameNode",
        UpdateShape.BLOCK_BYTES,
        UpdateShape::describe,
        UpdateShape.maxBytes(files()));
  }

  @Override
  void show() throws Exception {
    try (DistributedFileSystem stock = newStockClient();
        FileSystem updating = newClient()) {
      store(stock, FOLDER, UpdateShape.POLICY, "");
      Map<String, Pieces> updated = updated();
      UpdateLoad.Counts counts = update(updating, stock, updated);
      screen().step("Compute the parity of every stripe of these files anew: ecupdate -verify");
      long stripes = verify(updated.keySet());
      updated.forEach((path, pieces) -> ledger().remove(path));
      for (Map.Entry<String, Pieces> each : updated.entrySet()) {
        each.getValue().requireUnchanged();
        String sha256 = Digests.copy(each.getValue(), (buffer, length) -> {});
        ledger().add(new Ledger.Entry(each.getKey(), each.getValue(), sha256));
      }
      CompareStep.Result compared =
          compareAtTheEnd(
              stock, " with Hadoop's own client and compare SHA-256 with what was written");
      showReport(report(updated, counts, stripes, compared.files()));
    }
  }

  @Override
  void clear() throws Exception {
    delete(FOLDER);
  }

  /** The stored files that are going to be changed. */
  private Map<String, Pieces> updated() {
    Map<String, Pieces> updated = new LinkedHashMap<>();
    for (SourceFile file : UpdateShape.updated(files())) {
      String path =
          new org.apache.hadoop.fs.Path(null, null, FOLDER + "/" + file.name()).toUri().getPath();
      updated.put(path, new Pieces(file, path.hashCode()));
    }
    return updated;
  }

  private UpdateLoad.Counts update(
      FileSystem updating, FileSystem stock, Map<String, Pieces> updated) throws Exception {
    screen()
        .step(
            "Change the "
                + Texts.count(updated.size(), "largest file")
                + " in place, each by a program of its own, while Hadoop's own client reads them");
    try (UpdateLoad load = new UpdateLoad(updating, stock, updated)) {
      awaitWrites(load, WRITES_FIRST);
      screen().step("Kill " + VICTIM + " (kill -9) in the middle, and start it again");
      load.setNodeDown(true);
      cluster().kill(VICTIM);
      screen().line("killed; writes to what it holds wait for it, no byte of them is lost");
      cluster().restart(VICTIM);
      screen().line("started again");
      awaitWrites(load, load.writes() + WRITES_AFTER);
      load.setNodeDown(false);
      if (!load.end()) {
        throw new QuickstartException(Kind.CLUSTER, "The programs did not end in time");
      }
      requireNone(load);
      UpdateLoad.Counts counts = load.counts();
      screen()
          .line(
              Texts.count(counts.writes(), "write")
                  + " of "
                  + Sizes.text(counts.bytes())
                  + " acknowledged; meanwhile "
                  + Texts.count(counts.reads(), "read")
                  + " right, "
                  + counts.refused()
                  + " refused while "
                  + VICTIM
                  + " was away, none wrong");
      return counts;
    }
  }

  private void awaitWrites(UpdateLoad load, long count)
      throws QuickstartException, InterruptedException {
    long first = load.writes();
    await(
        "Updates do not go on",
        TIMEOUT,
        line -> {
          long done = load.writes() - first;
          screen()
              .progress(
                  Screen.bar((double) done / Math.max(count - first, 1))
                      + " "
                      + Texts.count(load.writes(), "write"));
        },
        () -> {
          if (!load.findings().isEmpty()) {
            return Optional.empty();
          }
          return load.writes() >= count
              ? Optional.empty()
              : Optional.of(load.writes() + " writes, waiting for " + count);
        });
    requireNone(load);
  }

  private static void requireNone(UpdateLoad load) throws QuickstartException {
    List<String> findings = load.findings();
    if (!findings.isEmpty()) {
      throw new QuickstartException(
          Kind.CLUSTER, String.join("\n  ", findings.stream().limit(SHOWN_FINDINGS).toList()));
    }
  }

  private List<String> report(
      Map<String, Pieces> updated, UpdateLoad.Counts counts, long stripes, long compared) {
    long total = updated.values().stream().mapToLong(Pieces::lengthBytes).sum();
    List<String> lines = new ArrayList<>();
    lines.add(
        row(
            "stored",
            Texts.count(files().size(), "file")
                + ", "
                + Sizes.text(FileChoice.totalBytes(files()))
                + " under "
                + UpdateShape.POLICY));
    lines.add(
        row(
            "changed in place",
            Texts.count(updated.size(), "file")
                + " by "
                + Texts.count(counts.writes(), "write")
                + " of "
                + Sizes.text(counts.bytes())
                + ", the slowest in "
                + Texts.seconds(counts.slowestMs())));
    lines.add(
        row(
            "without updates",
            "one changed byte takes writing its file anew: "
                + Sizes.text(total)
                + " for one in each"));
    lines.add(
        row(
            "read meanwhile",
            Texts.count(counts.reads(), "piece")
                + ", each as a write had left it; "
                + counts.refused()
                + " refused while a node was away"));
    lines.add(row("parity right", Texts.count(stripes, "stripe")));
    lines.add(row("SHA-256 equal", Texts.count(compared, "file") + " of " + files().size()));
    return lines;
  }

  private static String row(String name, String text) {
    return Texts.row(20, name, text);
  }

  @Override
  List<String> commands() {
    return List.of(
        "dfs -ls -R " + FOLDER,
        "ecupdate -status",
        "ecupdate -scheme " + FOLDER,
        "ecupdate -help",
        "dfsadmin -report");
  }
}

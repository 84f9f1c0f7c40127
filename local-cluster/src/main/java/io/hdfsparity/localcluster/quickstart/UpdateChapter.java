/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.quickstart;

import static io.hdfsparity.localcluster.quickstart.Texts.format;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.Path;

/**
 * The chapter on in-place updates: programs change closed erasure-coded files while Hadoop's own
 * client reads them, a DataNode is killed in the middle and comes back, the parity of every stripe
 * is recomputed, and every byte compared. Used by one thread.
 */
final class UpdateChapter extends Chapter {
  private static final String FOLDER = "/tables";
  private static final long WRITES_FIRST = 400;
  private static final long WRITES_AFTER = 200;
  private static final Duration TIMEOUT = Duration.ofMinutes(2);
  private static final String VICTIM = "dn1";

  /** The stored files that are changed, by path. */
  private final Map<String, Pieces> updated = new LinkedHashMap<>();

  private Load load;

  UpdateChapter(Runner runner) {
    super(ChapterName.EC_UPDATE, runner, UpdateShape.BLOCK_BYTES, NAME_WIDTH);
  }

  @Override
  void check(List<SourceFile> chosen) throws QuickstartException {
    if (UpdateShape.updated(chosen).isEmpty()) {
      throw QuickstartException.input(
          "Cannot update files: none has %s bytes or more; take a folder with larger ones",
          Pieces.BYTES);
    }
    for (SourceFile file : UpdateShape.updated(chosen)) {
      String path = new Path(null, null, FOLDER + "/" + file.name()).toUri().getPath();
      updated.put(path, new Pieces(file, path.hashCode()));
    }
  }

  @Override
  ClusterPlan plan(List<SourceFile> chosen) {
    String title =
        format(
            "%s DataNodes in %s racks that take updates; a session manager in the NameNode",
            UpdateShape.NODES, UpdateShape.RACKS);
    return new ClusterPlan(title, UpdateShape::describe, UpdateShape.maxBytes(chosen));
  }

  @Override
  List<Step> steps() {
    String change =
        "Change the {largest file} in place, each by a program of its own, while Hadoop's own "
            + "client reads them";
    return List.of(
        store(FOLDER, UpdateShape.POLICY, "", this::stored),
        Step.of(format(change, updated.size()), this::update),
        Step.of("Kill " + VICTIM + " (kill -9) in the middle, and start it again", this::loseNode),
        verify("these files", updated::keySet, this::expectUpdates),
        compareAll(
            this::stock,
            " with Hadoop's own client and compare SHA-256 with what was written",
            result -> ""));
  }

  private void stored() {
    report.row("stored", "%s under %s", FileChoice.text(files()), UpdateShape.POLICY);
  }

  private void update() throws Exception {
    load = start(UpdatePrograms.of(client(), stock(), updated));
    awaitWrites(WRITES_FIRST);
  }

  private void loseNode() throws Exception {
    load.failuresBegin();
    cluster().kill(VICTIM);
    screen.line("killed; writes to what it holds wait for it, no byte of them is lost");
    cluster().restart(VICTIM);
    screen.line("started again");
    awaitWrites(WRITES_AFTER);
    load.failuresEnd();
    load.end();
    load.requireSound();
    long writes = load.writes();
    long bytes = load.writtenBytes();
    screen.line(
        "{write} of {bytes} acknowledged; meanwhile {read} right, %s refused while %s was away, "
            + "none wrong",
        writes, bytes, load.reads(), load.refusedReads(), VICTIM);
    long total = updated.values().stream().mapToLong(Pieces::lengthBytes).sum();
    String changed = "{file} by {write} of {bytes}, the slowest in {ms}";
    report.row("changed in place", changed, updated.size(), writes, bytes, load.slowestMs());
    String without = "one changed byte takes rewriting its file: {bytes} for one in each";
    report.row("without updates", without, total);
    String read = "{piece}, each as a write had left it; %s refused while a node was away";
    report.row("read meanwhile", read, load.reads(), load.refusedReads());
  }

  private void awaitWrites(long more) throws Exception {
    long first = load.writes();
    Poll.answer(
        "Updates do not continue",
        TIMEOUT,
        line -> screen.progress((double) (load.writes() - first) / more, "{write}", load.writes()),
        () -> load.requireWrites(first + more));
  }

  /** From now on the files must hold what was written. */
  private void expectUpdates() throws Exception {
    for (Map.Entry<String, Pieces> each : updated.entrySet()) {
      each.getValue().requireUnchanged();
      ledger.add(each.getKey(), each.getValue());
    }
  }

  @Override
  void clear() throws Exception {
    delete(FOLDER);
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

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.quickstart;

import io.hdfsparity.localcluster.ClusterStatus;
import io.hdfsparity.localcluster.LocalCluster;
import io.hdfsparity.localcluster.PortBusyException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Runs a chapter: files, cluster, steps, the last page. Used by one thread. */
final class Runner {
  /** The choice of files, and the start of the cluster. */
  private static final int STEPS_BEFORE = 2;

  private final QuickstartOptions options;
  private final Path home;
  private final Screen screen;
  private List<SourceFile> files = List.of();
  private LocalCluster cluster;

  Runner(QuickstartOptions options, Path home, Screen screen) {
    this.options = options;
    this.home = home;
    this.screen = screen;
  }

  QuickstartOptions options() {
    return options;
  }

  Screen screen() {
    return screen;
  }

  List<SourceFile> files() {
    return files;
  }

  LocalCluster cluster() {
    return cluster;
  }

  /** Looks at all files, before anything is made or started. */
  void chooseFiles(Chapter chapter) throws QuickstartException {
    if (!chapter.takesFiles()) {
      screen.expect(STEPS_BEFORE - 1 + chapter.steps().size());
      if (options.sourceDir().isPresent()) {
        throw QuickstartException.input(
            "Cannot store files: DIR=%s, expected none with %s, which makes its own data",
            options.sourceDir().get(), chapter.name.label());
      }
      chapter.check(files);
      return;
    }
    screen.expect(STEPS_BEFORE + chapter.steps().size());
    screen.step("Choose the files");
    String of = ": modules of this JDK and jars of the local Maven repository";
    if (options.sourceDir().isPresent()) {
      Path dir = options.sourceDir().get();
      // Of these folders the log of the client lies in the second.
      files =
          FileChoice.ofFolder(dir, List.of(options.clusterDir(), home.resolve("run"), cacheDir()));
      of = ", of " + dir;
    } else {
      String m2 = System.getProperty("user.home") + "/.m2/repository";
      Path repository = Path.of(System.getProperty("hdfsparity.m2", m2));
      files = FileChoice.ofThisMachine(Path.of(System.getProperty("java.home")), repository);
    }
    screen.line("%s%s", FileChoice.text(files), of);
    chapter.check(files);
  }

  private Path cacheDir() {
    String usual = home.resolve("local-cluster/target/cache").toString();
    return Path.of(System.getProperty("hdfsparity.cache", usual));
  }

  /** All but the choice of files. */
  void run(Chapter chapter) throws Exception {
    try (chapter) {
      start(chapter);
      show(chapter);
    }
  }

  private void start(Chapter chapter) throws Exception {
    ClusterPlan plan = chapter.plan(files);
    screen.step("Start a cluster: " + plan.title());
    long begin = System.nanoTime();
    cluster =
        plan.describe()
            .apply(LocalCluster.builder(options.clusterDir()))
            .blockBytes(chapter.blockBytes())
            .httpPort(options.httpPort())
            .cacheDir(cacheDir())
            .log(screen::line)
            .build();
    Machine.room(plan.maxBytes(), cluster.spec(), options.clusterDir()).require();
    try {
      cluster.start();
    } catch (PortBusyException e) {
      throw QuickstartException.input(e, "%s; take another one with --http-port", e.getMessage());
    }
    String made = chapter.makeReady();
    screen.line("ready after {ms}%s", Texts.msSince(begin), made);
    screen.line("look at it while it runs: http://%s/", cluster.status().webAddress());
  }

  private void show(Chapter chapter) throws Exception {
    runSteps(chapter);
    if (chapter.parts().isEmpty()) {
      last("EVERY BYTE CAME BACK", chapter.report.lines());
      return;
    }
    Report times = new Report(Chapter.NAME_WIDTH);
    for (Chapter part : chapter.parts()) {
      showPart(part, times);
    }
    screen.chapter("AFTER ALL CHAPTERS", chapter.steps().size());
    runSteps(chapter);
    last("ALL CHAPTERS PASSED ON ONE CLUSTER", times.lines());
  }

  private void last(String title, List<String> lines) {
    screen.plain("");
    screen.plain(title);
    lines.forEach(screen::line);
  }

  private void runSteps(Chapter chapter) throws Exception {
    for (Step step : chapter.steps()) {
      screen.step(step.title().call());
      step.action().run();
    }
  }

  private void showPart(Chapter part, Report times) throws Exception {
    long begin = System.nanoTime();
    String label = part.name.label();
    screen.chapter("CHAPTER " + label, part.steps().size());
    try (part) {
      show(part);
      screen.progress("deleting its files ...");
      part.clear();
    }
    times.row(label, "passed in {ms}", Texts.msSince(begin));
  }

  /** Tells how to look around in a cluster that is kept. */
  void showKept(Chapter chapter, Workspace workspace) throws IOException {
    ClusterStatus status = cluster.status();
    String running = "The cluster runs on: %s, web pages http://%s/";
    screen.plain("");
    screen.plain(running, status.fileSystem(), status.webAddress());
    // Without a name it leaves out paths and owners.
    screen.plain(
        "The page of the suite: http://%s/parity?user.name=%s",
        status.webAddress(), System.getProperty("user.name"));
    screen.plain("Look around in " + home + " with:");
    for (String command : chapter.commands()) {
      screen.plain("  bin/hdfs-parity --dir '%s' %s", options.clusterDir(), command);
    }
    screen.plain("  bin/hdfs-parity cluster --dir '%s' status", options.clusterDir());
    screen.plain("End and delete it with:");
    screen.plain("  " + workspace.endCommand());
  }
}

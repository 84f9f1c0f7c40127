/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.quickstart;

import io.hdfsparity.localcluster.LocalCluster;
import java.util.List;

/** A name, a cluster, and steps on it. What steps find for later ones is in fields. */
abstract class Chapter {
  static final int NAME_WIDTH = 20;
  final ChapterName name;
  final ChapterContext context;
  final Screen screen;
  final Report report;
  final Ledger ledger;

  Chapter(ChapterName name, ChapterContext context) {
    this.name = name;
    this.context = context;
    screen = context.screen();
    report = context.report();
    ledger = context.ledger();
  }

  final LocalCluster cluster() {
    return context.cluster();
  }

  final List<SourceFile> files() {
    return context.files();
  }

  /**
   * Refuses files that it cannot show anything with.
   *
   * @throws QuickstartException naming what is wrong with them
   */
  void check(List<SourceFile> chosen) throws QuickstartException {}

  /** The cluster for the files that were chosen. */
  abstract ClusterPlan plan(List<SourceFile> chosen) throws QuickstartException;

  /**
   * What has to be done before the cluster that was started is ready.
   *
   * @return what to say of it
   */
  String makeReady() throws Exception {
    return "";
  }

  /** Says on the last page what was stored. */
  static void addStored(Report report, List<SourceFile> files) {
    report.row("stored", "%s", FileChoice.text(files));
  }

  /** All steps but the choice of files and the start of the cluster. */
  abstract List<Step> steps();

  /** Chapters that come on the same cluster after the steps, which are done again behind them. */
  List<Chapter> parts() {
    return List.of();
  }

  /** Deletes what was stored and starts what was killed, for the next chapter on the cluster. */
  void clear() throws Exception {}

  /**
   * What shows something of interest in a cluster that is kept, after bin/hdfs-parity --dir DIR.
   */
  abstract List<String> commands();
}

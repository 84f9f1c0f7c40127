/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.quickstart;

import io.hdfsparity.localcluster.Sizes;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * The chapters on erasure-coded files, one after the other on one cluster with all features. Used
 * by one thread.
 */
final class AllTour extends Tour {
  static final int STEPS = 3;

  /** In the order of {@link Chapter}. */
  private final Map<Chapter, Tour> tours = new EnumMap<>(Chapter.class);

  AllTour(QuickstartOptions options, Path home, Screen screen) {
    super(options, home, screen);
    tours.put(Chapter.IZS, new IzsTour(options, home, screen));
    tours.put(Chapter.EC_UPDATE, new UpdateTour(options, home, screen));
    tours.put(Chapter.CASO, new CasoTour(options, home, screen));
  }

  @Override
  void plan(List<SourceFile> chosen) throws QuickstartException {
    for (Tour tour : tours.values()) {
      tour.plan(chosen);
    }
  }

  @Override
  ClusterPlan clusterPlan() {
    return new ClusterPlan(
        AllShape.NODES
            + " DataNodes by conf/hdfs-site-all.xml, "
            + AllShape.RAIDP_NODES
            + " of them RAIDP's by conf/hdfs-site-raidp.xml",
        UpdateShape.BLOCK_BYTES,
        AllShape::describe,
        AllShape.maxBytes(files()));
  }

  @Override
  String makeReady() throws IOException {
    cluster().applyLayout();
    return "; replicated files go to superchunks of "
        + Sizes.text(cluster().spec().frames().frameBytes());
  }

  @Override
  void show() throws Exception {
    doctor();
    List<String> times = new ArrayList<>();
    for (Map.Entry<Chapter, Tour> each : tours.entrySet()) {
      times.add(showOne(each.getKey(), each.getValue()));
    }
    screen().chapter("AFTER ALL CHAPTERS", 1);
    doctor();
    screen().plain("");
    screen().plain("ALL CHAPTERS PASSED ON ONE CLUSTER");
    times.forEach(screen()::line);
  }

  /** A line for the last page. */
  private String showOne(Chapter chapter, Tour tour) throws Exception {
    long begin = System.nanoTime();
    screen().chapter("CHAPTER " + chapter.label(), chapter.steps() - STEPS_BEFORE);
    tour.use(cluster(), files());
    tour.show();
    screen().progress("deleting its files ...");
    tour.clear();
    return Texts.row(20, chapter.label(), "passed in " + Texts.seconds(Texts.msSince(begin)));
  }

  private void doctor() throws QuickstartException, IOException, InterruptedException {
    screen().step("Ask whether anything is wrong: parity doctor");
    new DoctorStep(Admin.parity(conf()), screen()).run();
  }

  @Override
  List<String> commands() {
    return List.of(
        "parity status", "parity doctor", "raidp -status", "izs -status", "ecupdate -status");
  }
}

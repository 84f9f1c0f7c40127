/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.quickstart;

import static io.hdfsparity.localcluster.quickstart.Texts.format;

import java.util.List;

/** All chapters, one after the other on one cluster with all features. */
final class AllChapter extends Chapter {
  private final RaidpChapter raidp;
  private final List<Chapter> parts;

  AllChapter(Runner runner) {
    super(ChapterName.ALL, runner, UpdateShape.BLOCK_BYTES, Chapter.NAME_WIDTH);
    raidp = new RaidpChapter(runner);
    parts =
        List.of(raidp, new IzsChapter(runner), new UpdateChapter(runner), new CasoChapter(runner));
  }

  @Override
  void check(List<SourceFile> chosen) throws QuickstartException {
    for (Chapter part : parts) {
      part.check(chosen);
    }
  }

  @Override
  ClusterPlan plan(List<SourceFile> chosen) {
    String title =
        format(
            "%s DataNodes by conf/hdfs-site-all.xml, each with %s disks and all features",
            AllShape.NODES, ClusterShape.DISKS_PER_NODE);
    ClusterShape shape = raidp.shape();
    return new ClusterPlan(
        title, builder -> AllShape.describe(shape, builder), AllShape.maxBytes(shape, chosen));
  }

  @Override
  String makeReady() throws Exception {
    return raidp.makeReady();
  }

  @Override
  List<Step> steps() {
    return List.of(
        Step.of(
            "Ask whether anything is wrong: parity doctor",
            () -> new DoctorStep(Admin.parity(conf()), screen).run()));
  }

  @Override
  List<Chapter> parts() {
    return parts;
  }

  @Override
  List<String> commands() {
    return List.of(
        "parity status", "parity doctor", "raidp -status", "izs -status", "ecupdate -status");
  }
}

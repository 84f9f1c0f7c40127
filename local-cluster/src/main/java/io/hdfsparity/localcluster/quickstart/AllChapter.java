/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.quickstart;

import static io.hdfsparity.localcluster.quickstart.Texts.format;
import static io.hdfsparity.localcluster.quickstart.Texts.size;

import java.io.IOException;
import java.util.List;

/** The chapters on erasure-coded files, one after the other on one cluster with all features. */
final class AllChapter extends Chapter {
  private final List<Chapter> parts;

  AllChapter(Runner runner) {
    super(ChapterName.ALL, runner, UpdateShape.BLOCK_BYTES, Chapter.NAME_WIDTH);
    parts = List.of(new IzsChapter(runner), new UpdateChapter(runner), new CasoChapter(runner));
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
            "%s DataNodes by conf/hdfs-site-all.xml, %s of them RAIDP's by conf/hdfs-site-raidp.xml",
            AllShape.NODES, AllShape.RAIDP_NODES);
    long maxBytes = AllShape.maxBytes(chosen);
    return new ClusterPlan(title, AllShape::describe, maxBytes);
  }

  @Override
  String makeReady() throws IOException {
    cluster().applyLayout();
    cluster().protect("/");
    return "; replicated files go to superchunks of "
        + size(cluster().spec().frames().frameBytes());
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

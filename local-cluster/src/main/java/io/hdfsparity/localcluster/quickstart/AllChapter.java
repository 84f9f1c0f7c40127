/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.quickstart;

import static io.hdfsparity.localcluster.quickstart.Texts.format;

import com.fasterxml.jackson.databind.JsonNode;
import io.hdfsparity.localcluster.AdminCommand;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** All chapters, one after the other on one cluster with all features. Used by one thread. */
final class AllChapter extends Chapter {
  /** Some findings go away by themselves, such as of superchunks that have just been formed. */
  private static final Duration DOCTOR_TIMEOUT = Duration.ofMinutes(2);

  /** Lstors beside their disks, where there is one device. */
  private static final String BY_DESIGN = "PARITY-404";

  private final RaidpChapter raidp;
  private final List<Chapter> parts;
  private JsonNode diagnosis;

  AllChapter(Runner runner) {
    super(ChapterName.ALL, runner, UpdateShape.BLOCK_BYTES, NAME_WIDTH);
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
    return List.of(Step.of("Ask whether anything is wrong: parity doctor", this::askDoctor));
  }

  /** Asks until nothing is found but what is by design. */
  private void askDoctor() throws Exception {
    await("hdfs parity doctor found", DOCTOR_TIMEOUT, this::requireNothingWrong);
    String asMeant = findings(true);
    screen.line("nothing is wrong%s", asMeant.isEmpty() ? "" : "; found as it is meant to be:");
    screen.line(asMeant);
  }

  private void requireNothingWrong() throws Poll.NotYet, IOException {
    AdminCommand.Answer answer = admin().run(line -> {}, "parity doctor -json");
    diagnosis = answer.json().orElseThrow(() -> new Poll.NotYet("%s", answer.err()));
    Poll.NotYet.unless(findings(false).isEmpty(), "%s", findings(false));
  }

  /** Codes and titles of what is by design, or of what is not. */
  private String findings(boolean isByDesign) {
    Set<String> found = new LinkedHashSet<>();
    for (JsonNode each : diagnosis.path("findings")) {
      if (each.path("code").asText().equals(BY_DESIGN) == isByDesign) {
        found.add(Texts.ofFields(each, "%s %s", "code", "meaning"));
      }
    }
    return String.join("\n", found);
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

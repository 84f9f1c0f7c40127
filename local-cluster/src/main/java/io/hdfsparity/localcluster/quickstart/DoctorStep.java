/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.quickstart;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Asks {@code hdfs parity doctor} whether anything is wrong with a cluster with all features. */
record DoctorStep(Admin admin, Screen screen) {
  /** Some findings go away by themselves, such as of superchunks that have just been formed. */
  private static final Duration TIMEOUT = Duration.ofMinutes(2);

  /** Lstors beside their disks, where there is one device. */
  private static final String BY_DESIGN = "PARITY-404";

  /**
   * Asks until nothing is found but what is by design.
   *
   * @throws QuickstartException when something else is found to the end
   */
  void run() throws QuickstartException, InterruptedException {
    List<JsonNode> found = new ArrayList<>();
    Poll.await(
        "hdfs parity doctor found",
        TIMEOUT,
        screen::progress,
        () -> {
          found.clear();
          Admin.Answer answer = admin.run(line -> {}, "doctor -json");
          JsonNode doc = answer.json().orElseThrow(() -> new Poll.NotYet("%s", answer.err()));
          doc.path("findings").forEach(found::add);
          String wrong = text(found, false);
          if (!wrong.isEmpty()) {
            throw new Poll.NotYet("%s", wrong);
          }
        });
    screen.line("nothing is wrong%s", found.isEmpty() ? "" : "; found as it is meant to be:");
    text(found, true).lines().forEach(screen::line);
  }

  /** Codes and titles of what is by design, or of what is not. */
  private static String text(List<JsonNode> findings, boolean isByDesign) {
    return String.join(
        "\n",
        findings.stream()
            .filter(each -> each.path("code").asText().equals(BY_DESIGN) == isByDesign)
            .map(each -> each.path("code").asText() + " " + each.path("meaning").asText())
            .distinct()
            .toList());
  }
}

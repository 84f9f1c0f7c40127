/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.namenode;

import io.hdfsparity.bridge.page.PageFigure;
import io.hdfsparity.bridge.page.PageSection;
import io.hdfsparity.bridge.page.PageTable;
import io.hdfsparity.bridge.page.PageTable.Audience;
import io.hdfsparity.bridge.page.Tone;
import io.hdfsparity.izs.level.LevelStatus;
import io.hdfsparity.izs.level.VerifyStatus;
import java.util.List;

/** The part of levels, repairs and verification on the page {@code /parity}. */
final class LevelPage {
  private LevelPage() {}

  static PageSection of(LevelStatus status) {
    VerifyStatus parity = status.verification();
    long lacking = status.backlog().groupsLackingUnits();
    return PageSection.of(
        "izs",
        "IZS: levels, repairs, verification",
        List.of(
            PageFigure.of("files that changed level", status.changes().filesChanged()),
            PageFigure.of("files that kept theirs", status.changes().filesRefused()),
            PageFigure.of("units dropped", status.changes().unitsDropped()),
            PageFigure.unwanted("groups lack units", lacking, Tone.WARN),
            PageFigure.of("deletions queued", status.backlog().queuedDeletes()),
            new PageFigure(
                "verification",
                parity.isRunning() ? "on" : "off",
                parity.isRunning() || !status.active() ? Tone.PLAIN : Tone.WARN),
            PageFigure.of("groups to verify", parity.unverified()),
            PageFigure.of("groups verified", parity.results().verified()),
            PageFigure.unwanted("wrong parity", parity.results().wrongParity(), Tone.WARN),
            PageFigure.unwanted("data suspected", parity.results().suspectedData(), Tone.BAD),
            PageFigure.unwanted("given up", parity.results().givenUp(), Tone.WARN)),
        parity.problem().isEmpty()
            ? List.of()
            : List.of(
                PageTable.of(
                    "Problem of the verification",
                    Audience.ADMINISTRATORS,
                    List.of("message"),
                    List.of(List.of(parity.problem())))));
  }
}

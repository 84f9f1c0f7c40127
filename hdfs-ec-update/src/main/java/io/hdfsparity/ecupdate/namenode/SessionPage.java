/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.namenode;

import io.hdfsparity.bridge.page.PageFigure;
import io.hdfsparity.bridge.page.PageSection;
import io.hdfsparity.bridge.page.PageTable;
import io.hdfsparity.bridge.page.PageTable.Audience;
import io.hdfsparity.bridge.page.Tone;
import io.hdfsparity.ecupdate.protocol.SessionStatus;
import java.util.List;

/** The part of updates in place on the page {@code /parity}. */
final class SessionPage {
  private SessionPage() {}

  /**
   * @param sessions open, or over and not yet forgotten
   * @param capableNodes DataNodes that can update replicas
   */
  static PageSection of(List<SessionStatus> sessions, int capableNodes, SessionCounters counters) {
    long open = sessions.stream().filter(each -> each.ended().isEmpty()).count();
    return PageSection.of(
        "ecupdate",
        "Updates in place",
        List.of(
            new PageFigure(
                "open sessions", String.valueOf(open), open == 0 ? Tone.PLAIN : Tone.BUSY),
            PageFigure.of("files in sessions", files(sessions)),
            PageFigure.of("DataNodes that update", capableNodes),
            PageFigure.of("sessions opened", counters.opened.sum()),
            PageFigure.of("sessions attached after a failover", counters.attached.sum()),
            PageFigure.of("sessions expired", counters.expired.sum()),
            PageFigure.of("groups rewritten", counters.replaced.sum()),
            PageFigure.of("of these while units were lost", counters.healed.sum())),
        List.of(
            PageTable.of(
                "Sessions and the files that they update",
                Audience.ADMINISTRATORS,
                List.of("file", "user", "client", "age", "state"),
                sessions.stream().map(SessionPage::row).toList())));
  }

  private static long files(List<SessionStatus> sessions) {
    return sessions.stream().map(SessionStatus::path).distinct().count();
  }

  private static List<String> row(SessionStatus session) {
    return List.of(
        session.path(),
        session.user(),
        session.client(),
        session.ageMs() / 1000 + " s",
        session.ended().isEmpty()
            ? (session.isExclusive() ? "open exclusively, " : "open, ")
                + session.leftMs() / 1000
                + " s until renewal is late"
            : "over: " + session.ended());
  }
}

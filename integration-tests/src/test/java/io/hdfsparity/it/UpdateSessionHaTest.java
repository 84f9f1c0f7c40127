/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hdfsparity.ecupdate.protocol.SessionAnswer;
import io.hdfsparity.ecupdate.protocol.UpdateSession;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.server.namenode.ha.HATestUtil;
import org.apache.hadoop.ipc.StandbyException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sessions across a failover: they are opened again at the other NameNode, at once. */
@Tag("full")
class UpdateSessionHaTest {
  private static final int LEVEL = 1;

  @Test
  void failover(@TempDir Path root) throws Exception {
    Configuration conf = MiniSessions.conf();
    try (MiniSessions sessions = MiniSessions.startHa(conf, root, MiniLevels.K + 2)) {
      DistributedFileSystem fs =
          (DistributedFileSystem) HATestUtil.configureFailoverFs(sessions.cluster(), conf);
      MiniLevels.addPolicies(fs, "rs");
      MiniLevels.makeDirectory(fs, "/rs", MiniLevels.policy("rs", LEVEL));
      MiniSessions.write(fs, "/rs/f", LEVEL);
      UpdateSession session = sessions.granted(0, "/rs/f");
      sessions.awaitLive(session, true);
      assertThatThrownBy(() -> sessions.open(1, "/rs/f")).isInstanceOf(StandbyException.class);
      long openedMs = MiniSessions.modifiedMs(fs, "/rs/f");

      sessions.cluster().transitionToStandby(0);
      sessions.cluster().transitionToActive(1);
      assertThat(sessions.levels().setLevel(1, 2, "/rs/f").refusal().orElseThrow().kind())
          .isEqualTo("update-grace");
      assertThatThrownBy(() -> sessions.call(0, manager -> manager.renew(session.id())))
          .isInstanceOf(StandbyException.class);
      SessionAnswer unknown = sessions.call(1, manager -> manager.renew(session.id()));
      assertThat(MiniSessions.refusal(unknown).kind()).isEqualTo("unknown-session");
      assertThat(MiniSessions.modifiedMs(fs, "/rs/f")).isEqualTo(openedMs);
      UpdateSession again = sessions.granted(1, "/rs/f");
      sessions.awaitLive(session, false);
      sessions.awaitLive(again, true);
      await()
          .untilAsserted(
              () ->
                  assertThat(
                          sessions.levels().setLevel(1, 2, "/rs/f").refusal().orElseThrow().kind())
                      .isEqualTo("updating"));
      sessions.call(1, manager -> manager.close(again.id()));
      sessions.levels().changeLevel(1, 2, "/rs/f");
    }
  }
}

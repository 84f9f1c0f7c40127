/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hdfsparity.bridge.swap.FileIdentity;
import io.hdfsparity.ecupdate.config.SessionKey;
import io.hdfsparity.ecupdate.protocol.AttachRequest;
import io.hdfsparity.ecupdate.protocol.SessionAnswer;
import io.hdfsparity.ecupdate.protocol.SessionId;
import io.hdfsparity.ecupdate.protocol.SessionStatus;
import io.hdfsparity.ecupdate.protocol.Sharing;
import io.hdfsparity.ecupdate.protocol.UpdateGroup;
import io.hdfsparity.ecupdate.protocol.UpdateSession;
import java.io.IOException;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.server.namenode.ha.HATestUtil;
import org.apache.hadoop.ipc.StandbyException;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Sessions across a failover: they are attached at the other NameNode, or opened again, at once.
 */
@Tag("full")
class UpdateSessionHaTest {
  private static final int LEVEL = 1;

  @Test
  void failover(@TempDir Path root) throws Exception {
    Configuration conf = MiniSessions.conf();
    // The time to attach in is 27 s: half the lease, and at most 18/8 of the other.
    conf.set(SessionKey.LEASE.key(), "60s");
    conf.set(SessionKey.NODE_VALIDITY.key(), "12s");
    try (MiniSessions sessions = MiniSessions.startHa(conf, root, MiniLevels.K + 2)) {
      DistributedFileSystem fs =
          (DistributedFileSystem) HATestUtil.configureFailoverFs(sessions.cluster(), conf);
      MiniLevels.addPolicies(fs, "rs");
      MiniLevels.makeDirectory(fs, "/rs", MiniLevels.policy("rs", LEVEL));
      MiniSessions.write(fs, "/rs/f", LEVEL);
      UpdateSession session = sessions.granted(0, "/rs/f");
      sessions.awaitLive(session, true);
      assertThatThrownBy(() -> sessions.open(1, "/rs/f")).isInstanceOf(StandbyException.class);
      MiniSessions.write(fs, "/rs/g", LEVEL);
      UpdateSession closed = sessions.granted(0, "/rs/g");
      UpdateSession late = sessions.granted(0, "/rs/g");
      sessions.awaitLive(late, true);
      sessions.call(0, manager -> manager.close(closed.id()));
      sessions.awaitLive(closed, false);
      MiniSessions.write(fs, "/rs/x", LEVEL);
      UpdateSession alone = sessions.grantedExclusive(0, "/rs/x");
      sessions.awaitLive(alone, true);
      fs.setPermission(new org.apache.hadoop.fs.Path("/rs/f"), new FsPermission("666"));
      long openedMs = MiniSessions.modifiedMs(fs, "/rs/f");
      FileIdentity opened = sessions.levels().swaps(0).inspect("/rs/f").identity();
      assertThat(opened.updatedMs()).isPositive();

      sessions.cluster().transitionToStandby(0);
      sessions.cluster().transitionToActive(1);
      assertThat(sessions.levels().setLevel(1, 2, "/rs/f").refusal().orElseThrow().kind())
          .isEqualTo("update-grace");
      assertThatThrownBy(() -> sessions.call(0, manager -> manager.renew(session.id())))
          .isInstanceOf(StandbyException.class);
      SessionAnswer unknown = sessions.call(1, manager -> manager.renew(session.id()));
      assertThat(MiniSessions.refusal(unknown).kind()).isEqualTo("unknown-session");
      assertThat(MiniSessions.modifiedMs(fs, "/rs/f")).isEqualTo(openedMs);
      // What a swap compares is in the log, so the next active NameNode has it too.
      assertThat(sessions.levels().swaps(1).inspect("/rs/f").identity()).isEqualTo(opened);
      // Whoever is alone stays alone: nobody opens the file before it was attached.
      assertThat(MiniSessions.refusal(sessions.open(1, "/rs/x")).kind())
          .isIn("suspended", "in-use");
      await("nobody opens it before")
          .until(
              () -> {
                assertThat(sessions.open(1, "/rs/x")).isInstanceOf(SessionAnswer.Refused.class);
                return attach(sessions, request(alone)) instanceof SessionAnswer.Granted;
              });
      assertThat(MiniSessions.refusal(sessions.open(1, "/rs/x")).kind()).isEqualTo("in-use");
      sessions.call(1, manager -> manager.close(alone.id()));
      assertNobodyElseAttaches(sessions, session, closed);
      await("attached")
          .until(() -> attach(sessions, request(session)) instanceof SessionAnswer.Granted);
      assertThat(attach(sessions, request(session))).isInstanceOf(SessionAnswer.Granted.class);
      sessions.awaitLive(session, true);
      assertThat(MiniSessions.modifiedMs(fs, "/rs/f")).isGreaterThan(openedMs);
      List<SessionStatus> listed = sessions.call(1, manager -> manager.list(true));
      assertThat(listed)
          .filteredOn(status -> status.ended().isEmpty())
          .singleElement()
          .matches(status -> status.grant().attached() && status.id().equals(session.id()));
      UpdateSession again = sessions.granted(1, "/rs/f");
      sessions.awaitLive(again, true);
      await()
          .untilAsserted(
              () ->
                  assertThat(
                          sessions.levels().setLevel(1, 2, "/rs/f").refusal().orElseThrow().kind())
                      .isEqualTo("updating"));
      assertRefused(sessions, request(late));
      sessions.call(1, manager -> manager.close(again.id()));
      sessions.call(1, manager -> manager.close(session.id()));
      sessions.awaitLive(session, false);
      assertRefused(sessions, request(session));
      sessions.levels().changeLevel(1, 2, "/rs/f");
    }
  }

  private static AttachRequest request(UpdateSession session) {
    return request(session.id(), session);
  }

  private static AttachRequest request(SessionId id, UpdateSession of) {
    Set<Long> groups = of.groups().stream().map(UpdateGroup::groupId).collect(Collectors.toSet());
    return new AttachRequest(
        id,
        of.file().inodeId(),
        "test",
        of.sharing(),
        new AttachRequest.Form(of.file().code(), groups, 0));
  }

  private static SessionAnswer attach(MiniSessions sessions, AttachRequest request)
      throws IOException {
    return sessions.call(1, manager -> manager.attach(request));
  }

  /** For good, as soon as DataNodes have said what they know. */
  private static void assertRefused(MiniSessions sessions, AttachRequest request) {
    await()
        .untilAsserted(
            () ->
                assertThat(MiniSessions.refusal(attach(sessions, request)).kind())
                    .isEqualTo("unknown-session"));
  }

  private static void assertNobodyElseAttaches(
      MiniSessions sessions, UpdateSession session, UpdateSession closed) throws Exception {
    assertRefused(sessions, request(new SessionId(session.id().value() + 1), session));
    assertRefused(sessions, request(closed));
    assertRefused(sessions, request(session.id(), closed)); // the other file
    AttachRequest own = request(session);
    AttachRequest.Form old =
        new AttachRequest.Form(
            own.form().code(), Set.of(session.groups().get(0).groupId(), -16L), 0);
    assertRefused(sessions, new AttachRequest(own.id(), own.inodeId(), "test", own.sharing(), old));
    assertRefused(
        sessions,
        new AttachRequest(own.id(), own.inodeId(), "test", Sharing.EXCLUSIVE, own.form()));
    UserGroupInformation other =
        UserGroupInformation.createUserForTesting("mallory", new String[] {"people"});
    other.doAs(
        (PrivilegedExceptionAction<Void>)
            () -> {
              assertRefused(sessions, own);
              return null;
            });
  }
}

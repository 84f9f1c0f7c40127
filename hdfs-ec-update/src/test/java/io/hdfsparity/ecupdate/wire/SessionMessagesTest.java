/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.bridge.refusal.Refusal;
import io.hdfsparity.ecupdate.ajx.Bytes;
import io.hdfsparity.ecupdate.protocol.AttachRequest;
import io.hdfsparity.ecupdate.protocol.Healing;
import io.hdfsparity.ecupdate.protocol.LeaseTimes;
import io.hdfsparity.ecupdate.protocol.LingeringSessions;
import io.hdfsparity.ecupdate.protocol.NodeAnswer;
import io.hdfsparity.ecupdate.protocol.NodeReport;
import io.hdfsparity.ecupdate.protocol.OpenRequest;
import io.hdfsparity.ecupdate.protocol.OpeningProgram;
import io.hdfsparity.ecupdate.protocol.Purpose;
import io.hdfsparity.ecupdate.protocol.SessionAnswer;
import io.hdfsparity.ecupdate.protocol.SessionFile;
import io.hdfsparity.ecupdate.protocol.SessionId;
import io.hdfsparity.ecupdate.protocol.SessionList;
import io.hdfsparity.ecupdate.protocol.SessionOwner;
import io.hdfsparity.ecupdate.protocol.SessionStatus;
import io.hdfsparity.ecupdate.protocol.Sharing;
import io.hdfsparity.ecupdate.protocol.UnitStorage;
import io.hdfsparity.ecupdate.protocol.UpdateCode;
import io.hdfsparity.ecupdate.protocol.UpdateGroup;
import io.hdfsparity.ecupdate.protocol.UpdateNode;
import io.hdfsparity.ecupdate.protocol.UpdateSession;
import io.hdfsparity.ecupdate.protocol.UpdateUnit;
import io.hdfsparity.ecupdate.protocol.WriteToken;
import io.hdfsparity.ecupdate.wire.proto.UpdateSessionProtos.AttachRequestProto;
import io.hdfsparity.ecupdate.wire.proto.UpdateSessionProtos.NodeAnswerProto;
import io.hdfsparity.ecupdate.wire.proto.UpdateSessionProtos.NodeReportProto;
import io.hdfsparity.ecupdate.wire.proto.UpdateSessionProtos.OpenRequestProto;
import io.hdfsparity.ecupdate.wire.proto.UpdateSessionProtos.ReplaceRequestProto;
import io.hdfsparity.ecupdate.wire.proto.UpdateSessionProtos.SessionAnswerProto;
import io.hdfsparity.ecupdate.wire.proto.UpdateSessionProtos.SessionStatusProto;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Records go through bytes and come out equal. */
class SessionMessagesTest {
  private final Random random = new Random(42);

  private UpdateNode node() {
    return new UpdateNode(
        "uuid" + random.nextInt(), random.nextLong(), "10.0.0.1", 65_535, random.nextInt(2) * 9877);
  }

  private Bytes bytes() {
    byte[] bytes = new byte[1 + random.nextInt(100)];
    random.nextBytes(bytes);
    return Bytes.wrap(bytes);
  }

  private UpdateUnit unit(int unit) {
    return new UpdateUnit(
        unit,
        random.nextLong(),
        random.nextLong() >>> 1,
        random.nextLong() >>> 1,
        new UnitStorage(node(), "DS-" + unit, "SSD"),
        bytes(),
        random.nextBoolean() ? Optional.of(new WriteToken(bytes(), bytes())) : Optional.empty());
  }

  private UpdateSession session() {
    List<UpdateGroup> groups = new ArrayList<>();
    for (int group = random.nextInt(4); group > 0; group--) {
      List<UpdateUnit> units = new ArrayList<>();
      for (int unit = 0; unit < 9; unit += 1 + random.nextInt(2)) {
        units.add(unit(unit));
      }
      groups.add(
          new UpdateGroup(
              random.nextLong(),
              random.nextLong() >>> 1,
              random.nextLong() >>> 1,
              random.nextLong() >>> 1,
              units,
              random.nextBoolean()));
    }
    return new UpdateSession(
        new SessionId(random.nextLong()),
        new SessionFile(
            "/dir/fäil",
            random.nextLong() >>> 1,
            random.nextLong() >>> 1,
            "BP-1",
            new UpdateCode(
                "IZS-4-2-16k",
                "izs",
                4,
                2,
                16_384,
                random.nextBoolean() ? Map.of() : Map.of("a", "b"))),
        groups,
        random.nextBoolean() ? "FL" : "PLR",
        random.nextInt(2) * 36_000_000L,
        new LeaseTimes(60_000, 20_000),
        random.nextBoolean() ? Sharing.SHARED : Sharing.EXCLUSIVE,
        random.nextBoolean() ? OptionalLong.empty() : OptionalLong.of(random.nextLong()));
  }

  private static SessionAnswer through(SessionAnswer answer) throws IOException {
    return SessionMessages.fromProto(
        SessionAnswerProto.parseFrom(SessionMessages.toProto(answer).toByteArray()));
  }

  @Test
  void answersComeThrough() throws IOException {
    for (int i = 0; i < 200; i++) {
      SessionAnswer granted = new SessionAnswer.Granted(session());
      assertThat(through(granted)).isEqualTo(granted);
    }
    for (SessionAnswer answer :
        List.of(
            new SessionAnswer.Renewed(new LeaseTimes(1, 2)),
            new SessionAnswer.Closed(),
            new SessionAnswer.Refused(new Refusal("open", "because", "do")))) {
      assertThat(through(answer)).isEqualTo(answer);
    }
  }

  @Test
  void anAnswerThatIsNotKnownIsNotTakenForAnother() {
    assertThatThrownBy(() -> SessionMessages.fromProto(SessionAnswerProto.getDefaultInstance()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("expected a session");
  }

  @Test
  void requestsStatusesAndReportsComeThrough() throws IOException {
    OpenRequest request = new OpenRequest("/f", "test", 2, Sharing.EXCLUSIVE);
    assertThat(SessionMessages.fromProto(SessionMessages.toProto(request))).isEqualTo(request);
    for (OpeningProgram.OpenKind kind : OpeningProgram.OpenKind.values()) {
      OpenRequest ofProgram =
          new OpenRequest(
              "/f",
              "test",
              0,
              Sharing.EXCLUSIVE,
              Optional.of(new OpeningProgram(-7, kind)),
              Purpose.WRITE);
      assertThat(SessionMessages.fromProto(SessionMessages.toProto(ofProgram)))
          .isEqualTo(ofProgram);
      assertThat(SessionMessages.toProto(ofProgram).hasReadOnly())
          .as("a writer's bytes are those of before")
          .isFalse();
    }
    OpenRequest reader =
        new OpenRequest("/f", "test", 0, Sharing.SHARED, Optional.empty(), Purpose.READ);
    assertThat(SessionMessages.fromProto(SessionMessages.toProto(reader))).isEqualTo(reader);
    SessionStatus status =
        new SessionStatus(
            new SessionId(-5),
            "/f",
            "u",
            "c",
            7,
            8,
            "expired",
            new SessionStatus.Grant(Sharing.EXCLUSIVE, true));
    SessionStatusProto sent =
        SessionStatusProto.parseFrom(SessionMessages.toProto(status).toByteArray());
    assertThat(SessionMessages.fromProto(sent)).isEqualTo(status);
    assertThat(SessionMessages.fromProto(sent.toBuilder().clearExclusive().build()).isExclusive())
        .as("an older NameNode does not say it")
        .isFalse();
    AttachRequest attach =
        new AttachRequest(
            new SessionId(-7),
            16_387,
            "test",
            Sharing.EXCLUSIVE,
            new AttachRequest.Form(
                new UpdateCode("p", "rs", 3, 2, 64, Map.of("a", "b")), Set.of(-1024L, -32L), 2));
    assertThat(
            SessionMessages.fromProto(
                AttachRequestProto.parseFrom(SessionMessages.toProto(attach).toByteArray())))
        .isEqualTo(attach);
    NodeReport report =
        new NodeReport(
            node(),
            -9,
            10,
            new LingeringSessions(12, Set.of(new SessionId(-5), new SessionId(6))),
            true,
            Map.of(
                new SessionId(-1),
                new SessionOwner(Long.MIN_VALUE, Long.MAX_VALUE),
                new SessionId(2),
                new SessionOwner(3, 0)),
            Set.of(-1024L, Long.MIN_VALUE));
    assertThat(
            NodeMessages.fromProto(
                NodeReportProto.parseFrom(NodeMessages.toProto(report).toByteArray())))
        .isEqualTo(report);
    for (Set<SessionId> live :
        List.of(Set.<SessionId>of(), Set.of(new SessionId(-1), new SessionId(3)))) {
      NodeAnswer answer =
          new NodeAnswer(
              true,
              -12_345,
              new SessionList(
                  -1,
                  4,
                  live.stream()
                      .collect(
                          Collectors.toMap(
                              id -> id,
                              id ->
                                  SessionOwner.of(
                                      Math.abs(id.value()),
                                      "u",
                                      id.value() < 0 ? Sharing.EXCLUSIVE : Sharing.SHARED))),
                  Set.of(new SessionId(9)),
                  !live.isEmpty()),
              15_000,
              2_000,
              Set.of(-1024L, 64L));
      assertThat(
              NodeMessages.fromProto(
                  NodeAnswerProto.parseFrom(NodeMessages.toProto(answer).toByteArray())))
          .isEqualTo(answer);
    }
  }

  @Test
  void whatHealsAGroupComesThrough() throws IOException {
    for (Optional<Healing> healing :
        List.of(
            Optional.<Healing>empty(),
            Optional.of(new Healing(Set.of("a"), 0, Set.of(0), 0)),
            Optional.of(
                new Healing(
                    Set.of("a", "b"), Healing.MAX_HELD_MS, Set.of(8, Healing.MAX_UNIT), -7)))) {
      for (Optional<String> copy : List.of(Optional.<String>empty(), Optional.of("/c"))) {
        ReplaceRequestProto sent =
            ReplaceRequestProto.parseFrom(
                SessionMessages.toProto(new SessionId(-3), -1024, copy, healing).toByteArray());
        assertThat(SessionMessages.healing(sent)).isEqualTo(healing);
        assertThat(sent.getId()).isEqualTo(-3);
        assertThat(sent.getGroupId()).isEqualTo(-1024);
        assertThat(sent.hasCopyPath()).isEqualTo(copy.isPresent());
      }
    }
  }

  /** A group that may not be healed must not be replaced as one that is at rest. */
  @Test
  void aReaderThatIsExclusiveOrAProgramIsRefused() throws IOException {
    OpenRequestProto reader =
        SessionMessages.toProto(
            new OpenRequest("/f", "test", 0, Sharing.SHARED, Optional.empty(), Purpose.READ));
    for (OpenRequestProto contradiction :
        List.of(
            reader.toBuilder().setExclusive(true).build(),
            reader.toBuilder().setProgram(7).build(),
            reader.toBuilder().setProgram(7).setContinues(true).build())) {
      assertThatThrownBy(() -> SessionMessages.fromProto(contradiction))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("Cannot open an update session")
          .hasMessageContaining("purpose=READ")
          .hasMessageContaining("path=/f");
    }
    assertThat(SessionMessages.fromProto(reader).purpose()).isEqualTo(Purpose.READ);
  }

  @Test
  void whatCannotBeMeantIsNotTakenForNoHealing() {
    for (ReplaceRequestProto.Builder each :
        List.of(
            ReplaceRequestProto.newBuilder().setHeldMs(5),
            ReplaceRequestProto.newBuilder().addLostUnit(1),
            ReplaceRequestProto.newBuilder().setAttempt(1),
            ReplaceRequestProto.newBuilder().addLostUnit(1).setAttempt(1),
            ReplaceRequestProto.newBuilder().addLostNode("a").setHeldMs(5),
            ReplaceRequestProto.newBuilder().addLostNode("a").addLostUnit(1),
            ReplaceRequestProto.newBuilder().addLostNode("a").setAttempt(1),
            lost().addLostUnit(Healing.MAX_UNIT + 1),
            lost().addLostUnit(-1),
            lost().setHeldMs(-1),
            lost().setHeldMs(Healing.MAX_HELD_MS + 1))) {
      ReplaceRequestProto request = each.setId(1).setGroupId(2).build();
      assertThatThrownBy(() -> SessionMessages.healing(request)).isInstanceOf(IOException.class);
    }
    assertThatThrownBy(() -> new Healing(Set.of(), 0, Set.of(1), 1))
        .hasMessageContaining("lostNodes=0");
    assertThatThrownBy(() -> new Healing(Set.of("a"), 0, Set.of(), 1))
        .hasMessageContaining("lostUnits=[]");
    assertThatThrownBy(
            () ->
                SessionMessages.healing(
                    ReplaceRequestProto.newBuilder()
                        .setId(1)
                        .setGroupId(2)
                        .addLostNode("a")
                        .build()))
        .hasMessageContaining("software is too old");
  }

  private static ReplaceRequestProto.Builder lost() {
    return ReplaceRequestProto.newBuilder().addLostNode("a").addLostUnit(1).setAttempt(1);
  }

  @Test
  void aDataNodeOfBeforeHeedsNoListOfGroups() {
    NodeReportProto.Builder old = NodeMessages.toProto(new NodeReport(node(), 1, 2)).toBuilder();
    assertThat(NodeMessages.fromProto(old.build()).heedsReplaced()).isTrue();
    assertThat(NodeMessages.fromProto(old.clearHeedsReplaced().build()).heedsReplaced()).isFalse();
  }

  /** And by its word all or nothing has ended. */
  @Test
  void aDataNodeOfBeforeNamesNoSessionThatLingers() {
    NodeReport report = new NodeReport(node(), 1, 2);
    NodeReportProto.Builder old = NodeMessages.toProto(report).toBuilder().clearLingeringVersion();
    assertThat(NodeMessages.fromProto(old.build())).isEqualTo(report);
    assertThat(report.lingering()).isEqualTo(LingeringSessions.none(2));
  }

  /** A NameNode of before lists all sessions, and says nobody's. */
  @Test
  void aListOfBeforeIsWhole() {
    NodeAnswer answer =
        new NodeAnswer(
            true, 1, SessionList.whole(2, 3, Set.of(new SessionId(4))), 5, 6, Set.of(7L));
    NodeAnswerProto old =
        NodeMessages.toProto(answer).toBuilder()
            .clearOwner()
            .clearExclusiveInode()
            .clearProvisional()
            .build();
    assertThat(NodeMessages.fromProto(old)).isEqualTo(answer);
  }

  /** The NameNode keeps it for each session. */
  @Test
  void aLongNameOfAClientIsRefused() {
    String name = "x".repeat(OpenRequest.MAX_CLIENT + 1);
    OpenRequestProto open =
        OpenRequestProto.newBuilder()
            .setPath("/f")
            .setClient(name)
            .setMissingUnits(0)
            .setExclusive(false)
            .build();
    assertThatThrownBy(() -> SessionMessages.fromProto(open))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("characters of the client's name=256, expected at most 255");
    AttachRequest attach =
        new AttachRequest(
            new SessionId(-7),
            16_387,
            "test",
            Sharing.SHARED,
            new AttachRequest.Form(
                new UpdateCode("p", "rs", 3, 2, 64, Map.of()), Set.of(-1024L), 0));
    AttachRequestProto renamed =
        SessionMessages.toProto(attach).toBuilder().setClient(name).build();
    assertThatThrownBy(() -> SessionMessages.fromProto(renamed))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("at most 255");
  }
}

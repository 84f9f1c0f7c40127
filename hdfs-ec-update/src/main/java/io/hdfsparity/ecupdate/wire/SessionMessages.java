/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.wire;

import io.hdfsparity.bridge.refusal.wire.RefusalMessages;
import io.hdfsparity.core.check.ErrorMessage;
import io.hdfsparity.ecupdate.ajx.Bytes;
import io.hdfsparity.ecupdate.protocol.AttachRequest;
import io.hdfsparity.ecupdate.protocol.Healing;
import io.hdfsparity.ecupdate.protocol.LeaseTimes;
import io.hdfsparity.ecupdate.protocol.OpenRequest;
import io.hdfsparity.ecupdate.protocol.OpeningProgram;
import io.hdfsparity.ecupdate.protocol.Purpose;
import io.hdfsparity.ecupdate.protocol.SessionAnswer;
import io.hdfsparity.ecupdate.protocol.SessionFile;
import io.hdfsparity.ecupdate.protocol.SessionId;
import io.hdfsparity.ecupdate.protocol.SessionStatus;
import io.hdfsparity.ecupdate.protocol.Sharing;
import io.hdfsparity.ecupdate.protocol.UnitStorage;
import io.hdfsparity.ecupdate.protocol.UpdateCode;
import io.hdfsparity.ecupdate.protocol.UpdateGroup;
import io.hdfsparity.ecupdate.protocol.UpdateSession;
import io.hdfsparity.ecupdate.protocol.UpdateUnit;
import io.hdfsparity.ecupdate.protocol.WriteToken;
import io.hdfsparity.ecupdate.storage.UpdateScheme;
import io.hdfsparity.ecupdate.wire.proto.UpdateSessionProtos.AttachRequestProto;
import io.hdfsparity.ecupdate.wire.proto.UpdateSessionProtos.LeaseTimesProto;
import io.hdfsparity.ecupdate.wire.proto.UpdateSessionProtos.OpenRequestProto;
import io.hdfsparity.ecupdate.wire.proto.UpdateSessionProtos.ReplaceRequestProto;
import io.hdfsparity.ecupdate.wire.proto.UpdateSessionProtos.SessionAnswerProto;
import io.hdfsparity.ecupdate.wire.proto.UpdateSessionProtos.SessionStatusProto;
import io.hdfsparity.ecupdate.wire.proto.UpdateSessionProtos.UpdateCodeProto;
import io.hdfsparity.ecupdate.wire.proto.UpdateSessionProtos.UpdateGroupProto;
import io.hdfsparity.ecupdate.wire.proto.UpdateSessionProtos.UpdateSessionProto;
import io.hdfsparity.ecupdate.wire.proto.UpdateSessionProtos.UpdateUnitProto;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.thirdparty.protobuf.ByteString;

/** Records of clients to messages and back. */
final class SessionMessages {
  private SessionMessages() {}

  static OpenRequestProto toProto(OpenRequest request) {
    OpenRequestProto.Builder b =
        OpenRequestProto.newBuilder()
            .setPath(request.path())
            .setClient(request.client())
            .setMissingUnits(request.missingUnits())
            .setExclusive(request.sharing() == Sharing.EXCLUSIVE);
    request
        .program()
        .ifPresent(
            program ->
                b.setProgram(program.number())
                    .setContinues(program.kind() == OpeningProgram.OpenKind.CONTINUED));
    if (request.purpose() == Purpose.READ) {
      b.setReadOnly(true);
    }
    return b.build();
  }

  static OpenRequest fromProto(OpenRequestProto p) throws IOException {
    try {
      return new OpenRequest(
          p.getPath(),
          p.getClient(),
          p.getMissingUnits(),
          sharing(p.getExclusive()),
          p.hasProgram()
              ? Optional.of(
                  new OpeningProgram(
                      p.getProgram(),
                      p.getContinues()
                          ? OpeningProgram.OpenKind.CONTINUED
                          : OpeningProgram.OpenKind.FIRST))
              : Optional.empty(),
          p.getReadOnly() ? Purpose.READ : Purpose.WRITE);
    } catch (IllegalArgumentException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  /** Nobody says anything of it who does not know of it. */
  private static Sharing sharing(boolean exclusive) {
    return exclusive ? Sharing.EXCLUSIVE : Sharing.SHARED;
  }

  static AttachRequestProto toProto(AttachRequest request) {
    return AttachRequestProto.newBuilder()
        .setId(request.id().value())
        .setInodeId(request.inodeId())
        .setClient(request.client())
        .setCode(toProto(request.form().code()))
        .addAllGroup(request.form().groups())
        .setExclusive(request.sharing() == Sharing.EXCLUSIVE)
        .setMissingUnits(request.form().missingUnits())
        .build();
  }

  static AttachRequest fromProto(AttachRequestProto p) throws IOException {
    try {
      return new AttachRequest(
          new SessionId(p.getId()),
          p.getInodeId(),
          p.getClient(),
          sharing(p.getExclusive()),
          new AttachRequest.Form(
              fromProto(p.getCode()), Set.copyOf(p.getGroupList()), p.getMissingUnits()));
    } catch (IllegalArgumentException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  static ReplaceRequestProto toProto(
      SessionId id, long groupId, Optional<String> copyPath, Optional<Healing> healing) {
    ReplaceRequestProto.Builder b =
        ReplaceRequestProto.newBuilder().setId(id.value()).setGroupId(groupId);
    copyPath.ifPresent(b::setCopyPath);
    healing.ifPresent(
        each ->
            b.addAllLostNode(each.lostNodes())
                .setHeldMs(each.heldMs())
                .addAllLostUnit(each.lostUnits())
                .setAttempt(each.attempt()));
    return b.build();
  }

  /**
   * Empty: the group is not to be healed.
   *
   * @throws IOException when it is not known: then it must not be taken for that
   */
  static Optional<Healing> healing(ReplaceRequestProto p) throws IOException {
    if (p.getLostNodeCount() == 0
        && !p.hasHeldMs()
        && p.getLostUnitCount() == 0
        && !p.hasAttempt()) {
      return Optional.empty();
    }
    if (!p.hasAttempt()) {
      throw new IOException(
          ErrorMessage.to("heal a block group")
              .value("attempt", "none")
              .expected("a number; the client's software is too old")
              .message());
    }
    try {
      return Optional.of(
          new Healing(
              Set.copyOf(p.getLostNodeList()),
              p.getHeldMs(),
              Set.copyOf(p.getLostUnitList()),
              p.getAttempt()));
    } catch (IllegalArgumentException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  static SessionAnswerProto toProto(SessionAnswer answer) {
    SessionAnswerProto.Builder b = SessionAnswerProto.newBuilder();
    if (answer instanceof SessionAnswer.Granted granted) {
      b.setSession(toProto(granted.session()));
    } else if (answer instanceof SessionAnswer.Renewed renewed) {
      b.setRenewed(toProto(renewed.lease()));
    } else if (answer instanceof SessionAnswer.Refused refused) {
      b.setRefusal(RefusalMessages.toProto(refused.refusal()));
    } else {
      b.setClosed(true);
    }
    return b.build();
  }

  /**
   * @throws IOException when a newer NameNode answers what this client does not know
   */
  static SessionAnswer fromProto(SessionAnswerProto p) throws IOException {
    if (p.hasSession()) {
      return new SessionAnswer.Granted(fromProto(p.getSession()));
    }
    if (p.hasRenewed()) {
      return new SessionAnswer.Renewed(fromProto(p.getRenewed()));
    }
    if (p.hasRefusal()) {
      return new SessionAnswer.Refused(RefusalMessages.fromProto(p.getRefusal()));
    }
    if (p.hasClosed() && p.getClosed()) {
      return new SessionAnswer.Closed();
    }
    throw new IOException(
        "Cannot read the answer of the session manager: fields=none known, expected a session, a"
            + " lease, a refusal or that it is closed");
  }

  private static LeaseTimesProto toProto(LeaseTimes lease) {
    return LeaseTimesProto.newBuilder()
        .setLeaseMs(lease.leaseMs())
        .setRenewEveryMs(lease.renewEveryMs())
        .build();
  }

  private static LeaseTimes fromProto(LeaseTimesProto p) {
    return new LeaseTimes(p.getLeaseMs(), p.getRenewEveryMs());
  }

  private static UpdateSessionProto toProto(UpdateSession session) {
    UpdateSessionProto.Builder b =
        UpdateSessionProto.newBuilder()
            .setId(session.id().value())
            .setPath(session.file().path())
            .setInodeId(session.file().inodeId())
            .setLengthBytes(session.file().lengthBytes())
            .setBlockPool(session.file().blockPool())
            .setCode(toProto(session.file().code()))
            .setTokenValidMs(session.tokenValidMs())
            .setLease(toProto(session.lease()))
            .setScheme(session.scheme())
            .setExclusive(session.sharing() == Sharing.EXCLUSIVE);
    session.groups().forEach(group -> b.addGroup(toProto(group)));
    session.program().ifPresent(b::setProgram);
    return b.build();
  }

  private static UpdateSession fromProto(UpdateSessionProto p) {
    return new UpdateSession(
        new SessionId(p.getId()),
        new SessionFile(
            p.getPath(),
            p.getInodeId(),
            p.getLengthBytes(),
            p.getBlockPool(),
            fromProto(p.getCode())),
        p.getGroupList().stream().map(SessionMessages::fromProto).toList(),
        p.hasScheme() ? p.getScheme() : UpdateScheme.DEFAULT,
        p.getTokenValidMs(),
        fromProto(p.getLease()),
        sharing(p.getExclusive()),
        p.hasProgram() ? OptionalLong.of(p.getProgram()) : OptionalLong.empty());
  }

  private static UpdateCodeProto toProto(UpdateCode code) {
    UpdateCodeProto.Builder b =
        UpdateCodeProto.newBuilder()
            .setPolicy(code.policy())
            .setCodec(code.codec())
            .setDataUnits(code.dataUnits())
            .setParityUnits(code.parityUnits())
            .setCellBytes(code.cellBytes());
    for (Map.Entry<String, String> each : code.options().entrySet()) {
      b.addOption(
          UpdateCodeProto.Option.newBuilder().setKey(each.getKey()).setValue(each.getValue()));
    }
    return b.build();
  }

  private static UpdateCode fromProto(UpdateCodeProto p) {
    return new UpdateCode(
        p.getPolicy(),
        p.getCodec(),
        p.getDataUnits(),
        p.getParityUnits(),
        p.getCellBytes(),
        p.getOptionList().stream()
            .collect(
                Collectors.toMap(
                    UpdateCodeProto.Option::getKey, UpdateCodeProto.Option::getValue)));
  }

  private static UpdateGroupProto toProto(UpdateGroup group) {
    UpdateGroupProto.Builder b =
        UpdateGroupProto.newBuilder()
            .setGroupId(group.groupId())
            .setGeneration(group.generation())
            .setOffsetBytes(group.offsetBytes())
            .setLengthBytes(group.lengthBytes())
            .setToBeRewritten(group.isToBeRewritten());
    group.units().forEach(unit -> b.addUnit(toProto(unit)));
    return b.build();
  }

  private static UpdateGroup fromProto(UpdateGroupProto p) {
    return new UpdateGroup(
        p.getGroupId(),
        p.getGeneration(),
        p.getOffsetBytes(),
        p.getLengthBytes(),
        p.getUnitList().stream().map(SessionMessages::fromProto).toList(),
        p.getToBeRewritten());
  }

  private static UpdateUnitProto toProto(UpdateUnit unit) {
    UpdateUnitProto.Builder b =
        UpdateUnitProto.newBuilder()
            .setUnit(unit.unit())
            .setBlockId(unit.blockId())
            .setGeneration(unit.generation())
            .setLengthBytes(unit.lengthBytes())
            .setNode(NodeMessages.toProto(unit.storage().node()))
            .setStorageId(unit.storage().storageId())
            .setStorageType(unit.storage().storageType())
            .setTerms(ByteString.copyFrom(unit.terms().buffer()));
    unit.token()
        .ifPresent(
            token ->
                b.setTokenIdentifier(ByteString.copyFrom(token.identifier().buffer()))
                    .setTokenPassword(ByteString.copyFrom(token.password().buffer())));
    return b.build();
  }

  private static UpdateUnit fromProto(UpdateUnitProto p) {
    return new UpdateUnit(
        p.getUnit(),
        p.getBlockId(),
        p.getGeneration(),
        p.getLengthBytes(),
        new UnitStorage(NodeMessages.fromProto(p.getNode()), p.getStorageId(), p.getStorageType()),
        Bytes.wrap(p.getTerms().toByteArray()),
        p.hasTokenIdentifier() && p.hasTokenPassword()
            ? Optional.of(
                new WriteToken(
                    Bytes.wrap(p.getTokenIdentifier().toByteArray()),
                    Bytes.wrap(p.getTokenPassword().toByteArray())))
            : Optional.empty());
  }

  static SessionStatusProto toProto(SessionStatus status) {
    return SessionStatusProto.newBuilder()
        .setId(status.id().value())
        .setPath(status.path())
        .setUser(status.user())
        .setClient(status.client())
        .setAgeMs(status.ageMs())
        .setLeftMs(status.leftMs())
        .setEnded(status.ended())
        .setAttached(status.grant().attached())
        .setExclusive(status.isExclusive())
        .build();
  }

  static SessionStatus fromProto(SessionStatusProto p) {
    return new SessionStatus(
        new SessionId(p.getId()),
        p.getPath(),
        p.getUser(),
        p.getClient(),
        p.getAgeMs(),
        p.getLeftMs(),
        p.getEnded(),
        new SessionStatus.Grant(sharing(p.getExclusive()), p.getAttached()));
  }
}

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.wire;

import io.hdfsparity.bridge.refusal.wire.RefusalMessages;
import io.hdfsparity.izs.level.FileOutcome;
import io.hdfsparity.izs.level.LevelStatus;
import io.hdfsparity.izs.level.VerifyStatus;
import io.hdfsparity.izs.wire.proto.IzsLevelProtos.FileOutcomeProto;
import io.hdfsparity.izs.wire.proto.IzsLevelProtos.LevelStatusResponseProto;
import java.util.Optional;

/** Records to messages and back. */
final class LevelMessages {
  private LevelMessages() {}

  static FileOutcomeProto toProto(FileOutcome outcome) {
    FileOutcomeProto.Builder b =
        FileOutcomeProto.newBuilder().setPath(outcome.path()).setGroups(outcome.groups());
    outcome.fromPolicy().ifPresent(b::setFromPolicy);
    outcome.toPolicy().ifPresent(b::setToPolicy);
    outcome.refusal().ifPresent(r -> b.setRefusal(RefusalMessages.toProto(r)));
    return b.build();
  }

  static FileOutcome fromProto(FileOutcomeProto p) {
    return new FileOutcome(
        p.getPath(),
        p.getGroups(),
        p.hasFromPolicy() ? Optional.of(p.getFromPolicy()) : Optional.empty(),
        p.hasToPolicy() ? Optional.of(p.getToPolicy()) : Optional.empty(),
        p.hasRefusal() ? Optional.of(RefusalMessages.fromProto(p.getRefusal())) : Optional.empty());
  }

  static LevelStatusResponseProto toProto(LevelStatus s) {
    return LevelStatusResponseProto.newBuilder()
        .setActive(s.active())
        .setGuarded(s.readiness().guarded())
        .setReplayAsserts(s.readiness().replayAsserts())
        .setUpgradeOpen(s.readiness().upgradeOpen())
        .setFilesChanged(s.changes().filesChanged())
        .setFilesRefused(s.changes().filesRefused())
        .setGroupsChanged(s.changes().groupsChanged())
        .setUnitsDropped(s.changes().unitsDropped())
        .setSurplusSwept(s.changes().surplusSwept())
        .setInterruptedChangesCompleted(s.changes().interruptedChangesCompleted())
        .setRestoredLocations(s.changes().restoredLocations())
        .setGroupsLackingUnits(s.backlog().groupsLackingUnits())
        .setQueuedDeletes(s.backlog().queuedDeletes())
        .setClientsGuarded(s.readiness().clientsGuarded())
        .setVerification(VerifyMessages.toProto(s.verification()))
        .build();
  }

  static LevelStatus fromProto(LevelStatusResponseProto p) {
    return new LevelStatus(
        p.getActive(),
        new LevelStatus.Readiness(
            p.getGuarded(), p.getClientsGuarded(), p.getReplayAsserts(), p.getUpgradeOpen()),
        new LevelStatus.Changes(
            p.getFilesChanged(),
            p.getFilesRefused(),
            p.getGroupsChanged(),
            p.getUnitsDropped(),
            p.getSurplusSwept(),
            p.getInterruptedChangesCompleted(),
            p.getRestoredLocations()),
        new LevelStatus.Backlog(p.getGroupsLackingUnits(), p.getQueuedDeletes()),
        p.hasVerification() ? VerifyMessages.fromProto(p.getVerification()) : VerifyStatus.OFF);
  }
}

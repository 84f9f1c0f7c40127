/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.swap.wire;

import io.hdfsparity.bridge.refusal.Refusal;
import io.hdfsparity.bridge.refusal.wire.RefusalMessages;
import io.hdfsparity.bridge.swap.FileIdentity;
import io.hdfsparity.bridge.swap.Inspection;
import io.hdfsparity.bridge.swap.SwapAnswer;
import io.hdfsparity.bridge.swap.wire.proto.FileSwapProtos.FileIdentityProto;
import io.hdfsparity.bridge.swap.wire.proto.FileSwapProtos.InspectResponseProto;
import io.hdfsparity.bridge.swap.wire.proto.FileSwapProtos.SwapResponseProto;
import java.io.IOException;
import java.util.Optional;

/** Records of swaps to messages and back. */
final class SwapMessages {
  private SwapMessages() {}

  static FileIdentityProto toProto(FileIdentity identity) {
    return FileIdentityProto.newBuilder()
        .setPath(identity.path())
        .setInodeId(identity.inodeId())
        .setLengthBytes(identity.lengthBytes())
        .setModifiedMs(identity.modifiedMs())
        .setForm(identity.form())
        .setBlocksDigest(identity.blocksDigest())
        .setUpdatedMs(identity.updatedMs())
        .build();
  }

  static FileIdentity fromProto(FileIdentityProto p) {
    return new FileIdentity(
        p.getPath(),
        p.getInodeId(),
        p.getLengthBytes(),
        p.getModifiedMs(),
        p.getForm(),
        p.getBlocksDigest(),
        p.getUpdatedMs());
  }

  static InspectResponseProto toProto(Inspection inspection) {
    InspectResponseProto.Builder b =
        InspectResponseProto.newBuilder()
            .setIdentity(toProto(inspection.identity()))
            .setStoragePolicyId(inspection.storagePolicyId())
            .setPairPlaced(inspection.pairPlaced())
            .setIsProtected(inspection.isProtected());
    inspection.refusal().ifPresent(each -> b.setRefusal(RefusalMessages.toProto(each)));
    return b.build();
  }

  static Inspection fromProto(InspectResponseProto p) {
    return new Inspection(
        fromProto(p.getIdentity()),
        p.getStoragePolicyId(),
        p.getPairPlaced(),
        p.getIsProtected(),
        p.hasRefusal() ? Optional.of(RefusalMessages.fromProto(p.getRefusal())) : Optional.empty());
  }

  static SwapResponseProto toProto(SwapAnswer answer) {
    SwapResponseProto.Builder b =
        SwapResponseProto.newBuilder().setOutcome(answer.outcome().name());
    answer.refusal().ifPresent(each -> b.setRefusal(RefusalMessages.toProto(each)));
    return b.build();
  }

  /**
   * @throws IOException when a newer NameNode answers what this client does not know
   */
  static SwapAnswer fromProto(SwapResponseProto p) throws IOException {
    Optional<Refusal> refusal =
        p.hasRefusal() ? Optional.of(RefusalMessages.fromProto(p.getRefusal())) : Optional.empty();
    for (SwapAnswer.Outcome outcome : SwapAnswer.Outcome.values()) {
      if (outcome.name().equals(p.getOutcome())
          && refusal.isEmpty() == (outcome == SwapAnswer.Outcome.SWAPPED)) {
        return new SwapAnswer(outcome, refusal);
      }
    }
    throw new IOException(
        "Cannot read the answer to a swap: outcome="
            + p.getOutcome()
            + ", expected SWAPPED, or another of SwapAnswer.Outcome with a refusal");
  }
}

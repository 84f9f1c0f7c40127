/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.wire;

import io.hdfsparity.bridge.swap.FileIdentity;
import io.hdfsparity.caso.swap.Inspection;
import io.hdfsparity.caso.swap.SwapAnswer;
import io.hdfsparity.caso.wire.proto.CasoLayoutProtos.FileIdentityProto;
import io.hdfsparity.caso.wire.proto.CasoLayoutProtos.InspectResponseProto;
import io.hdfsparity.caso.wire.proto.CasoLayoutProtos.SwapResponseProto;
import java.io.IOException;
import java.util.Optional;

/** Records to messages and back. */
final class LayoutMessages {
  private LayoutMessages() {}

  static FileIdentityProto toProto(FileIdentity identity) {
    return FileIdentityProto.newBuilder()
        .setPath(identity.path())
        .setInodeId(identity.inodeId())
        .setLengthBytes(identity.lengthBytes())
        .setModifiedMs(identity.modifiedMs())
        .setForm(identity.form())
        .setBlocksDigest(identity.blocksDigest())
        .build();
  }

  static FileIdentity fromProto(FileIdentityProto p) {
    return new FileIdentity(
        p.getPath(),
        p.getInodeId(),
        p.getLengthBytes(),
        p.getModifiedMs(),
        p.getForm(),
        p.getBlocksDigest());
  }

  static InspectResponseProto toProto(Inspection inspection) {
    InspectResponseProto.Builder b =
        InspectResponseProto.newBuilder()
            .setIdentity(toProto(inspection.identity()))
            .setStoragePolicyId(inspection.storagePolicyId());
    inspection.refusal().ifPresent(b::setRefusal);
    return b.build();
  }

  static Inspection fromProto(InspectResponseProto p) {
    return new Inspection(
        fromProto(p.getIdentity()),
        p.getStoragePolicyId(),
        p.hasRefusal() ? Optional.of(p.getRefusal()) : Optional.empty());
  }

  static SwapResponseProto toProto(SwapAnswer answer) {
    return SwapResponseProto.newBuilder()
        .setOutcome(answer.outcome().name())
        .setReason(answer.reason())
        .build();
  }

  /**
   * @throws IOException when a newer NameNode answers what this client does not know
   */
  static SwapAnswer fromProto(SwapResponseProto p) throws IOException {
    for (SwapAnswer.Outcome outcome : SwapAnswer.Outcome.values()) {
      if (outcome.name().equals(p.getOutcome())) {
        return new SwapAnswer(outcome, p.getReason());
      }
    }
    throw new IOException(
        "Cannot read the answer to a swap: outcome="
            + p.getOutcome()
            + ", expected one of SwapAnswer.Outcome");
  }
}

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.wire;

import io.hdfsparity.raidp.wire.message.SuperchunkAnswer;
import io.hdfsparity.raidp.wire.message.SuperchunkRequest;
import io.hdfsparity.raidp.wire.proto.RaidpProtos.SuperchunkAnswerKindProto;
import io.hdfsparity.raidp.wire.proto.RaidpProtos.SuperchunkAnswerProto;
import io.hdfsparity.raidp.wire.proto.RaidpProtos.SuperchunkRequestProto;
import java.util.Optional;

/** Translates the question for a block's superchunk between records and protobuf. Stateless. */
final class SuperchunkMessages {
  private SuperchunkMessages() {}

  static SuperchunkRequestProto toProto(SuperchunkRequest r) {
    SuperchunkRequestProto.Builder b =
        SuperchunkRequestProto.newBuilder()
            .setClusterId(r.clusterId())
            .setNodeUuid(r.nodeUuid())
            .setBlockPoolId(r.blockPoolId())
            .setBlockId(r.blockId())
            .setGenerationStamp(r.generationStamp());
    r.storageId().ifPresent(b::setStorageId);
    return b.build();
  }

  static SuperchunkRequest request(SuperchunkRequestProto p) {
    return new SuperchunkRequest(
        p.getClusterId(),
        p.getNodeUuid(),
        p.getBlockPoolId(),
        p.getBlockId(),
        p.getGenerationStamp(),
        p.getStorageId().isEmpty() ? Optional.empty() : Optional.of(p.getStorageId()));
  }

  static SuperchunkAnswerProto toProto(SuperchunkAnswer answer) {
    SuperchunkAnswerProto.Builder b = SuperchunkAnswerProto.newBuilder();
    if (answer instanceof SuperchunkAnswer.Pair pair) {
      return b.setKind(SuperchunkAnswerKindProto.SUPERCHUNK_PAIR)
          .setStorageId(pair.storageId())
          .setSuperchunkId(pair.superchunkId())
          .setEpoch(pair.epoch())
          .build();
    }
    if (answer instanceof SuperchunkAnswer.Refused refused) {
      return b.setKind(SuperchunkAnswerKindProto.SUPERCHUNK_REFUSED)
          .setReason(refused.reason())
          .build();
    }
    return b.setKind(SuperchunkAnswerKindProto.SUPERCHUNK_PLAIN).build();
  }

  static SuperchunkAnswer answer(SuperchunkAnswerProto p) {
    return switch (p.getKind()) {
      case SUPERCHUNK_PAIR ->
          new SuperchunkAnswer.Pair(p.getStorageId(), p.getSuperchunkId(), p.getEpoch());
      case SUPERCHUNK_PLAIN -> new SuperchunkAnswer.Plain();
      case SUPERCHUNK_REFUSED -> new SuperchunkAnswer.Refused(p.getReason());
    };
  }
}

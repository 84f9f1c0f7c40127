/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.wire;

import io.hdfsparity.raidp.wire.message.AdoptRequest;
import io.hdfsparity.raidp.wire.message.ProtectRequest;
import io.hdfsparity.raidp.wire.proto.RaidpProtos.AdoptRequestProto;
import io.hdfsparity.raidp.wire.proto.RaidpProtos.ProtectRequestProto;
import java.io.IOException;
import java.util.OptionalLong;

/** Translates what is asked about protected directories. Stateless. */
final class AdoptionMessages {
  private AdoptionMessages() {}

  static ProtectRequestProto toProto(ProtectRequest r) {
    return ProtectRequestProto.newBuilder()
        .setPath(r.path())
        .setUnprotect(r.change() == ProtectRequest.Change.UNPROTECT)
        .build();
  }

  static ProtectRequest protectRequest(ProtectRequestProto p) {
    return new ProtectRequest(
        p.getPath(),
        p.getUnprotect() ? ProtectRequest.Change.UNPROTECT : ProtectRequest.Change.PROTECT);
  }

  static AdoptRequestProto toProto(AdoptRequest r) {
    AdoptRequestProto.Builder b =
        AdoptRequestProto.newBuilder()
            .setPath(r.path())
            .setSurvey(r.goal() == AdoptRequest.Goal.SURVEY)
            .setWatch(r.action() == AdoptRequest.Action.WATCH);
    r.throttleBytesPerSecond().ifPresent(b::setThrottleBytesPerSecond);
    return b.build();
  }

  /**
   * @throws IOException if a value cannot be used
   */
  static AdoptRequest adoptRequest(AdoptRequestProto p) throws IOException {
    try {
      return new AdoptRequest(
          p.getPath(),
          p.getSurvey() ? AdoptRequest.Goal.SURVEY : AdoptRequest.Goal.ADOPT,
          p.getWatch() ? AdoptRequest.Action.WATCH : AdoptRequest.Action.START,
          p.hasThrottleBytesPerSecond()
              ? OptionalLong.of(p.getThrottleBytesPerSecond())
              : OptionalLong.empty());
    } catch (IllegalArgumentException e) {
      throw new IOException(e.getMessage(), e);
    }
  }
}

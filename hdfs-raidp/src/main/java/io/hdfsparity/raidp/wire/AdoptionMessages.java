/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.wire;

import io.hdfsparity.raidp.wire.message.AdoptRequest;
import io.hdfsparity.raidp.wire.message.BalanceRequest;
import io.hdfsparity.raidp.wire.message.ProtectRequest;
import io.hdfsparity.raidp.wire.proto.RaidpProtos.AdoptRequestProto;
import io.hdfsparity.raidp.wire.proto.RaidpProtos.BalanceRequestProto;
import io.hdfsparity.raidp.wire.proto.RaidpProtos.ProtectRequestProto;
import java.io.IOException;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** Translates what is asked about protected directories. Stateless. */
final class AdoptionMessages {
  private AdoptionMessages() {}

  static ProtectRequestProto toProto(ProtectRequest r) {
    return ProtectRequestProto.newBuilder()
        .setPath(r.path())
        .setUnprotect(r.change() != ProtectRequest.Change.PROTECT)
        .setAll(r.change() == ProtectRequest.Change.UNPROTECT_ALL)
        .build();
  }

  static ProtectRequest protectRequest(ProtectRequestProto p) {
    return new ProtectRequest(
        p.getPath(),
        !p.getUnprotect()
            ? ProtectRequest.Change.PROTECT
            : p.getAll() ? ProtectRequest.Change.UNPROTECT_ALL : ProtectRequest.Change.UNPROTECT);
  }

  static AdoptRequestProto toProto(AdoptRequest r) {
    AdoptRequestProto.Builder b =
        AdoptRequestProto.newBuilder()
            .setPath(r.path())
            .setSurvey(r.goal() == AdoptRequest.Goal.SURVEY)
            .setRelease(r.goal() == AdoptRequest.Goal.RELEASE)
            .setWatch(r.action() == AdoptRequest.Action.WATCH);
    r.replication().ifPresent(b::setReplication);
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
          p.getSurvey()
              ? AdoptRequest.Goal.SURVEY
              : p.getRelease() ? AdoptRequest.Goal.RELEASE : AdoptRequest.Goal.ADOPT,
          p.getWatch() ? AdoptRequest.Action.WATCH : AdoptRequest.Action.START,
          p.hasReplication() ? OptionalInt.of(p.getReplication()) : OptionalInt.empty(),
          p.hasThrottleBytesPerSecond()
              ? OptionalLong.of(p.getThrottleBytesPerSecond())
              : OptionalLong.empty());
    } catch (IllegalArgumentException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  static BalanceRequestProto toProto(BalanceRequest r) {
    BalanceRequestProto.Builder b =
        BalanceRequestProto.newBuilder()
            .setWatch(r.action() == BalanceRequest.Action.WATCH)
            .setPlan(r.action() == BalanceRequest.Action.PLAN)
            .setStop(r.action() == BalanceRequest.Action.STOP)
            .setThresholdPercent(r.thresholdPercent());
    r.throttleBytesPerSecond().ifPresent(b::setThrottleBytesPerSecond);
    return b.build();
  }

  private static BalanceRequest.Action action(BalanceRequestProto p) {
    if (p.getStop()) {
      return BalanceRequest.Action.STOP;
    }
    if (p.getWatch()) {
      return BalanceRequest.Action.WATCH;
    }
    return p.getPlan() ? BalanceRequest.Action.PLAN : BalanceRequest.Action.START;
  }

  /**
   * @throws IOException if a value cannot be used
   */
  static BalanceRequest balanceRequest(BalanceRequestProto p) throws IOException {
    try {
      return new BalanceRequest(
          action(p),
          p.hasThresholdPercent() ? p.getThresholdPercent() : BalanceRequest.DEFAULT_THRESHOLD,
          p.hasThrottleBytesPerSecond()
              ? OptionalLong.of(p.getThrottleBytesPerSecond())
              : OptionalLong.empty());
    } catch (IllegalArgumentException e) {
      throw new IOException(e.getMessage(), e);
    }
  }
}

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.refusal.wire;

import io.hdfsparity.bridge.refusal.Refusal;
import io.hdfsparity.bridge.refusal.wire.proto.RefusalProtos.RefusalProto;

/** Refusals to messages and back. */
public final class RefusalMessages {
  private RefusalMessages() {}

  /** The message of a refusal. */
  public static RefusalProto toProto(Refusal refusal) {
    return RefusalProto.newBuilder()
        .setKind(refusal.kind())
        .setReason(refusal.reason())
        .setRemedy(refusal.remedy())
        .build();
  }

  /** The refusal in a message. */
  public static Refusal fromProto(RefusalProto p) {
    return new Refusal(p.getKind(), p.getReason(), p.getRemedy());
  }
}

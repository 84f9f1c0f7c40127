/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.namenode;

import io.hdfsparity.bridge.refusal.Refusal;
import io.hdfsparity.ecupdate.protocol.Opening;
import io.hdfsparity.ecupdate.protocol.SessionId;
import java.util.Optional;

/**
 * What was decided of a file under the NameNode's lock: a refusal, or all the rest. Immutable.
 *
 * @param read the file
 * @param opened the session that entered the table in the same hold; empty: none was to
 */
record OpenDecision(
    Optional<Refusal> refusal, Optional<SessionLayout.Read> read, Optional<SessionId> opened) {
  static OpenDecision refused(Refusal refusal) {
    return new OpenDecision(Optional.of(refusal), Optional.empty(), Optional.empty());
  }

  static OpenDecision of(SessionLayout.Read read, Optional<SessionId> opened) {
    return new OpenDecision(Optional.empty(), Optional.of(read), opened);
  }

  static OpenDecision of(SessionLayout.Read read, Opening opening) {
    return opening.refusal().map(OpenDecision::refused).orElseGet(() -> of(read, opening.id()));
  }
}

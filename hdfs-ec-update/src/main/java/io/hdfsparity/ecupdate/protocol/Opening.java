/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.protocol;

import io.hdfsparity.bridge.refusal.Refusal;
import java.util.Optional;

/**
 * What came of asking for a session: one of both. Immutable.
 *
 * @param id of the session, which is open
 * @param refusal why there is none
 */
public record Opening(Optional<SessionId> id, Optional<Refusal> refusal) {
  static Opening opened(SessionId id) {
    return new Opening(Optional.of(id), Optional.empty());
  }

  static Opening refused(Refusal why) {
    return new Opening(Optional.empty(), Optional.of(why));
  }
}

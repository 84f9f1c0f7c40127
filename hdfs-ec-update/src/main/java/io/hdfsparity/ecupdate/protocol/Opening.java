/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.protocol;

import io.hdfsparity.bridge.refusal.Refusal;
import java.util.Optional;

/**
 * What came of asking for a session, to open it or to attach it: an id or a refusal. Immutable.
 *
 * @param id of the session, which is open, and whose file is held
 * @param refusal why there is none
 * @param isNew it has entered the table just now; false: refused, or it had been attached before
 */
public record Opening(Optional<SessionId> id, Optional<Refusal> refusal, boolean isNew) {
  static Opening opened(SessionId id) {
    return new Opening(Optional.of(id), Optional.empty(), /* isNew= */ true);
  }

  static Opening attachedBefore(SessionId id) {
    return new Opening(Optional.of(id), Optional.empty(), /* isNew= */ false);
  }

  static Opening refused(Refusal why) {
    return new Opening(Optional.empty(), Optional.of(why), /* isNew= */ false);
  }
}

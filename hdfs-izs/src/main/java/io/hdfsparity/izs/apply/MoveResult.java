/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.apply;

import io.hdfsparity.bridge.refusal.Refusal;
import java.util.Optional;

/**
 * What became of a file. Immutable.
 *
 * @param copiedBytes of its content; 0 when it was not changed
 * @param refusal why it keeps its form; empty: it has the wanted one
 */
public record MoveResult(long copiedBytes, Optional<Refusal> refusal) {
  static MoveResult refused(Refusal refusal) {
    return new MoveResult(0, Optional.of(refusal));
  }
}

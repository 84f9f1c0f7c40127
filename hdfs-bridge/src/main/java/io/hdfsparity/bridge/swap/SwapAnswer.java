/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.swap;

import io.hdfsparity.bridge.refusal.Refusal;
import java.util.Optional;

/**
 * What the NameNode answers to a swap. Immutable.
 *
 * @param outcome what happened
 * @param refusal why nothing happened; empty when the copy is in its place
 */
public record SwapAnswer(Outcome outcome, Optional<Refusal> refusal) {
  /** The copy is in the place of the source, now or by an earlier call. */
  public static final SwapAnswer SWAPPED = new SwapAnswer(Outcome.SWAPPED, Optional.empty());

  /** What happened. */
  public enum Outcome {
    /** Done, and durable. */
    SWAPPED,
    /** The attributes of source and copy differ: copy them again, then ask again. */
    DRESS,
    /** Not yet: ask again. */
    WAIT,
    /** Not this copy of this file. */
    REFUSED
  }

  /** No. */
  public static SwapAnswer refused(Refusal refusal) {
    return new SwapAnswer(Outcome.REFUSED, Optional.of(refusal));
  }

  /** Not yet. */
  public static SwapAnswer wait(Refusal refusal) {
    return new SwapAnswer(Outcome.WAIT, Optional.of(refusal));
  }

  /** For messages; empty when the copy is in its place. */
  public String reason() {
    return refusal.map(each -> each.reason() + "; " + each.remedy()).orElse("");
  }
}

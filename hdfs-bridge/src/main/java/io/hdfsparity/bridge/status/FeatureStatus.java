/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.status;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A feature in a daemon, or one of its parts there. Immutable.
 *
 * @param name as {@code dfs.parity.features} has it
 * @param part different from that of other features; the main part has the feature's name
 * @param reason why it is off or has failed, or what of it does not work; empty: nothing to say
 * @param figures what it says of itself, by name, in its own order
 */
public record FeatureStatus(
    String name, String part, FeatureState state, String reason, Map<String, String> figures) {
  public FeatureStatus {
    figures = Collections.unmodifiableMap(new LinkedHashMap<>(figures));
  }

  public boolean isInService() {
    return state == FeatureState.IN_SERVICE;
  }

  /** State, and the reason where there is one. */
  public String words() {
    return reason.isEmpty() ? state.words() : state.words() + ": " + reason;
  }
}

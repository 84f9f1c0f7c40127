/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.status;

/** How a feature of a daemon is. */
public enum FeatureState {
  OFF("off"),
  STARTING("starting"),
  IN_SERVICE("in service"),
  FAILED("failed closed"),
  STOPPED("stopped"),

  /** Of a newer daemon. */
  UNKNOWN("unknown");

  private final String words;

  FeatureState(String words) {
    this.words = words;
  }

  /** For messages. */
  public String words() {
    return words;
  }

  /** By its name; UNKNOWN for another one. */
  public static FeatureState of(String name) {
    for (FeatureState each : values()) {
      if (each.name().equals(name)) {
        return each;
      }
    }
    return UNKNOWN;
  }
}

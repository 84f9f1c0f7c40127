/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.config;

import static io.hdfsparity.bridge.config.KeyUser.COMMAND;
import static io.hdfsparity.bridge.config.ValueForm.DURATION;

import io.hdfsparity.bridge.config.ConfigKey;
import io.hdfsparity.bridge.config.KeySpec;
import io.hdfsparity.bridge.config.KeyUser;
import io.hdfsparity.bridge.config.ValueForm;
import java.util.Set;

/**
 * Every key of the control of updates in DataNodes, with default and meaning, as in
 * docs/reference/ecupdate-command.md. All start with {@link #PREFIX}; an unknown one under it is an
 * error.
 */
public enum ControlKey implements ConfigKey {
  CLIENT_TIMEOUT(
      "client.timeout",
      DURATION,
      "60s",
      Set.of(COMMAND),
      "How long a command waits for an answer of a DataNode.");

  /** Prefix of all names. */
  public static final String PREFIX = SUITE_PREFIX + "ecupdate.control.";

  private final KeySpec spec;

  ControlKey(
      String suffix, ValueForm form, String defaultValue, Set<KeyUser> users, String meaning) {
    spec =
        new KeySpec(
            SUITE_PREFIX + "ecupdate.control." + suffix, form, defaultValue, users, meaning);
  }

  @Override
  public KeySpec spec() {
    return spec;
  }
}

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.config;

import static io.hdfsparity.bridge.config.KeyUser.COMMAND;
import static io.hdfsparity.bridge.config.KeyUser.DATANODE;
import static io.hdfsparity.bridge.config.ValueForm.ADDRESS;
import static io.hdfsparity.bridge.config.ValueForm.COUNT;
import static io.hdfsparity.bridge.config.ValueForm.DURATION;

import io.hdfsparity.bridge.config.ConfigKey;
import io.hdfsparity.bridge.config.KeySpec;
import io.hdfsparity.bridge.config.KeyUser;
import io.hdfsparity.bridge.config.ValueForm;
import java.util.Set;

/**
 * Every key of the control server in DataNodes, with default and meaning, as in
 * docs/ec-update-command.md. All start with {@link #PREFIX}; an unknown one under it is an error.
 */
public enum ControlKey implements ConfigKey {
  RPC_ADDRESS(
      "rpc-address",
      ADDRESS,
      "0.0.0.0:9885",
      Set.of(DATANODE),
      "Where the control server in the DataNode listens, host:port. Administrators' commands learn"
          + " the port from the session manager, so that it may be 0 for any."),
  HANDLER_COUNT(
      "handler.count", COUNT, "3", Set.of(DATANODE), "RPC handlers of the control server."),
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

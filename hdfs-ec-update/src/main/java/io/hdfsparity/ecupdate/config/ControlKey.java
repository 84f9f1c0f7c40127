/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.config;

/**
 * Every key of the control server in DataNodes, with default and meaning, as in
 * docs/ec-update-command.md. All start with {@link #PREFIX}; an unknown one under it is an error.
 */
public enum ControlKey {
  RPC_ADDRESS(
      "rpc-address",
      "0.0.0.0:9885",
      "Where the control server in the DataNode listens, host:port. Administrators' commands learn"
          + " the port from the session manager, so that it may be 0 for any."),
  HANDLER_COUNT("handler.count", "3", "RPC handlers of the control server."),
  CLIENT_TIMEOUT("client.timeout", "60s", "How long a command waits for an answer of a DataNode.");

  /** Prefix of all names. */
  public static final String PREFIX = "dfs.parity.ecupdate.control.";

  private final String key;
  private final String defaultValue;
  private final String meaning;

  ControlKey(String suffix, String defaultValue, String meaning) {
    this.key = PREFIX + suffix;
    this.defaultValue = defaultValue;
    this.meaning = meaning;
  }

  /** Full name. */
  public String key() {
    return key;
  }

  /** As it would stand in a site file. */
  public String defaultValue() {
    return defaultValue;
  }

  /** For the operator. */
  public String meaning() {
    return meaning;
  }
}

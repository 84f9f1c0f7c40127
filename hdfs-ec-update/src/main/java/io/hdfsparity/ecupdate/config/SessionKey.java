/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.config;

/**
 * Every key of the session manager, with default and meaning; docs/ec-update-sessions.md lists
 * them.
 *
 * <p>All start with {@link #PREFIX}; an unknown one under it is an error.
 */
public enum SessionKey {
  RPC_ADDRESS(
      "rpc-address",
      "0.0.0.0:9881",
      "Where the session manager in the NameNode listens, host:port. With 0.0.0.0 clients and DataNodes take the host of"
          + " the NameNode's own RPC address. With several NameNodes: one key each, followed by .<nameservice>.<namenode"
          + " id>, or one port for all."),
  HANDLER_COUNT("handler.count", "8", "RPC handlers of the session manager."),
  MAX_SESSIONS("max", "1000", "Most sessions at a time."),
  MAX_PER_USER("max.per.user", "200", "Most sessions of one user at a time."),
  LEASE("lease", "60s", "A session that is not renewed for so long is over."),
  FILE_GROUPS(
      "file.groups.max",
      "2000",
      "Most block groups of a file that is opened, up to 20000: all are looked at under one hold of the lock."),
  NODE_REPORT(
      "node.report.interval",
      "2s",
      "How often DataNodes tell that they can update replicas, and learn which sessions are live."),
  NODE_VALIDITY(
      "node.validity",
      "15s",
      "How long a DataNode goes by what it learned; at least three times the interval. For so long a NameNode that has"
          + " become active holds all files."),
  SWEEP_INTERVAL(
      "sweep.interval",
      "1s",
      "Pause between two looks for sessions that are over, and files unfit."),
  SCHEME(
      "scheme",
      "PLR",
      "Update scheme that replicas begin with when they are updated for the first time: FO, FL, PL or PLR."),
  CLIENT_TIMEOUT("client.timeout", "60s", "How long a client waits for an answer.");

  /** Prefix of all names. */
  public static final String PREFIX = "dfs.parity.ecupdate.session.";

  private final String key;
  private final String defaultValue;
  private final String meaning;

  SessionKey(String suffix, String defaultValue, String meaning) {
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

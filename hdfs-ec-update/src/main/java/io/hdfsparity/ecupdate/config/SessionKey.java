/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.config;

import static io.hdfsparity.bridge.config.KeyUser.CLIENT;
import static io.hdfsparity.bridge.config.KeyUser.COMMAND;
import static io.hdfsparity.bridge.config.KeyUser.DATANODE;
import static io.hdfsparity.bridge.config.KeyUser.NAMENODE;
import static io.hdfsparity.bridge.config.ValueForm.COUNT;
import static io.hdfsparity.bridge.config.ValueForm.DURATION;

import io.hdfsparity.bridge.config.ConfigKey;
import io.hdfsparity.bridge.config.KeySpec;
import io.hdfsparity.bridge.config.KeyUser;
import io.hdfsparity.bridge.config.ValueForm;
import java.util.Set;

/**
 * Every key of the session manager, with default and meaning; docs/reference/ecupdate-sessions.md
 * lists them.
 *
 * <p>All start with {@link #PREFIX}; an unknown one under it is an error.
 */
public enum SessionKey implements ConfigKey {
  MAX_SESSIONS("max", COUNT, "1000", Set.of(NAMENODE), "Maximum sessions at a time."),
  MAX_PER_USER(
      "max.per.user", COUNT, "200", Set.of(NAMENODE), "Maximum sessions of one user at a time."),
  LEASE(
      "lease",
      DURATION,
      "60s",
      Set.of(NAMENODE),
      "A session that is not renewed for so long is over."),
  FILE_GROUPS(
      "file.groups.max",
      COUNT,
      "2000",
      Set.of(NAMENODE),
      "Maximum block groups of a file that is opened, up to 20000: all are looked at under one hold of the lock."),
  NODE_REPORT(
      "node.report.interval",
      DURATION,
      "2s",
      Set.of(NAMENODE, DATANODE),
      "How often DataNodes tell that they can update replicas, and learn which sessions are live."),
  NODE_VALIDITY(
      "node.validity",
      DURATION,
      "15s",
      Set.of(NAMENODE, DATANODE),
      "How long a DataNode goes by what it learned; at least three times the interval. A NameNode that has become active"
          + " holds all files for half a lease, at least 9/8 and at most 18/8 of this."),
  SWEEP_INTERVAL(
      "sweep.interval",
      DURATION,
      "1s",
      Set.of(NAMENODE),
      "Pause between two looks for sessions that are over, and files unfit."),
  CLIENT_TIMEOUT(
      "client.timeout",
      DURATION,
      "60s",
      Set.of(CLIENT, COMMAND),
      "How long a client waits for an answer.");

  /** Prefix of all names. */
  public static final String PREFIX = SUITE_PREFIX + "ecupdate.session.";

  private final KeySpec spec;

  SessionKey(
      String suffix, ValueForm form, String defaultValue, Set<KeyUser> users, String meaning) {
    spec =
        new KeySpec(
            SUITE_PREFIX + "ecupdate.session." + suffix, form, defaultValue, users, meaning);
  }

  @Override
  public KeySpec spec() {
    return spec;
  }
}

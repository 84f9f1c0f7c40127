/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.config;

import static io.hdfsparity.bridge.config.KeyUser.DATANODE;
import static io.hdfsparity.bridge.config.ValueForm.COUNT;
import static io.hdfsparity.bridge.config.ValueForm.SIZE;

import io.hdfsparity.bridge.config.ConfigKey;
import io.hdfsparity.bridge.config.KeySpec;
import io.hdfsparity.bridge.config.KeyUser;
import io.hdfsparity.bridge.config.ValueForm;
import java.util.Set;

/**
 * Every key of a DataNode's update channel; docs/reference/ecupdate-datanode.md lists them. All
 * start with {@link #PREFIX}; an unknown one under it is an error.
 */
public enum ServingKey implements ConfigKey {
  ADDRESS(
      "address",
      ValueForm.ADDRESS,
      "0.0.0.0:9879",
      Set.of(DATANODE),
      "Where the update channel listens, host:port. With 0.0.0.0 clients take the address under"
          + " which the DataNode has registered."),
  MAX_CONNECTIONS(
      "connections.max",
      COUNT,
      "4096",
      Set.of(DATANODE),
      "Maximum connections of the update channel at a time."),
  MAX_USER_CONNECTIONS(
      "user.connections.max",
      COUNT,
      "2048",
      Set.of(DATANODE),
      "Of these, most of one user. Without block tokens no user is known, and each update session"
          + " counts for itself: here, and in the keys below."),
  IN_FLIGHT_BYTES(
      "in-flight.bytes",
      SIZE,
      "128M",
      Set.of(DATANODE),
      "Memory for requests that have come and their answers. Beyond it nobody is read from until"
          + " answers have left."),
  USER_IN_FLIGHT_BYTES(
      "user.in-flight.bytes",
      SIZE,
      "64M",
      Set.of(DATANODE),
      "Of these, most of one user. Beyond it that user's connections are not read from."),
  MAX_USER_LOCKS(
      "user.locks.max",
      COUNT,
      "1064960",
      Set.of(DATANODE),
      "Maximum locks of stripes that one user holds on the DataNode; a program that rewrites a block"
          + " group holds one for each stripe.");

  /** Prefix of all names. */
  public static final String PREFIX = SUITE_PREFIX + "ecupdate.datanode.";

  private final KeySpec spec;

  ServingKey(
      String suffix, ValueForm form, String defaultValue, Set<KeyUser> users, String meaning) {
    spec =
        new KeySpec(
            SUITE_PREFIX + "ecupdate.datanode." + suffix, form, defaultValue, users, meaning);
  }

  @Override
  public KeySpec spec() {
    return spec;
  }
}

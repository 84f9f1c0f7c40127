/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.datanode;

import io.hdfsparity.bridge.config.ConfigKey;

/**
 * Every key of a DataNode's update channel; docs/ec-update-datanode.md lists them. All start with
 * {@link #PREFIX}; an unknown one under it is an error.
 */
enum ServingKey implements ConfigKey {
  ADDRESS(
      "address",
      "0.0.0.0:9883",
      "Where the update channel listens, host:port. With 0.0.0.0 clients take the address under"
          + " which the DataNode has registered."),
  MAX_CONNECTIONS("connections.max", "4096", "Most connections of the update channel at a time."),
  MAX_USER_CONNECTIONS(
      "user.connections.max",
      "2048",
      "Of these, most of one user. Without block tokens no user is known, and each update session"
          + " counts for itself: here, and in the keys below."),
  IN_FLIGHT_BYTES(
      "in-flight.bytes",
      "128M",
      "Memory for requests that have come and their answers. Beyond it nobody is read from until"
          + " answers have left."),
  USER_IN_FLIGHT_BYTES(
      "user.in-flight.bytes",
      "64M",
      "Of these, most of one user. Beyond it that user's connections are not read from."),
  MAX_USER_LOCKS(
      "user.locks.max",
      "1064960",
      "Most locks of stripes that one user holds on the DataNode; a program that writes a block"
          + " group anew holds one for each stripe.");

  /** Of all names. */
  static final String PREFIX = "dfs.parity.ecupdate.datanode.";

  private final About about;

  ServingKey(String suffix, String defaultValue, String meaning) {
    about = new About("dfs.parity.ecupdate.datanode." + suffix, defaultValue, meaning);
  }

  @Override
  public About about() {
    return about;
  }
}

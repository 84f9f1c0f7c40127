/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.config;

import java.util.Set;

/**
 * One key of a site file. Implementations are enums: one constant for each key of an area. Their
 * names, defaults and meanings make the reference, {@code docs/reference/keys.md}.
 */
public interface ConfigKey {
  /** All keys of the suite start with this. */
  String SUITE_PREFIX = "dfs.parity.";

  /** What is known of the key. */
  KeySpec spec();

  /** Full name. */
  default String key() {
    return spec().name();
  }

  /** As it would stand in a site file; empty: none. */
  default String defaultValue() {
    return spec().defaultValue();
  }

  /** For the operator. */
  default String meaning() {
    return spec().meaning();
  }

  /** How the value is written. */
  default ValueForm form() {
    return spec().form();
  }

  /** Who reads the key. */
  default Set<KeyUser> users() {
    return spec().users();
  }
}

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.config;

/** One key of a site file. */
public interface ConfigKey {
  /**
   * What is said of a key.
   *
   * @param key full name
   * @param defaultValue as it would stand in a site file
   * @param meaning for the operator
   */
  record About(String key, String defaultValue, String meaning) {}

  /** All of it. */
  About about();

  /** Full name. */
  default String key() {
    return about().key();
  }

  /** As it would stand in a site file. */
  default String defaultValue() {
    return about().defaultValue();
  }

  /** For the operator. */
  default String meaning() {
    return about().meaning();
  }
}

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.config;

import java.util.Set;

/**
 * What is known of a key. Immutable.
 *
 * @param name full name, with the prefix
 * @param form how its value is written
 * @param defaultValue as it would stand in a site file; empty: none
 * @param users daemons and programs that read it, at least one
 * @param meaning for the operator, sentences
 */
public record KeySpec(
    String name, ValueForm form, String defaultValue, Set<KeyUser> users, String meaning) {
  /**
   * @throws IllegalArgumentException unless the name has the suite's prefix, the meaning ends with
   *     a full stop, and there is a user
   */
  public KeySpec {
    users = Set.copyOf(users);
    if (!name.startsWith(ConfigKey.SUITE_PREFIX) || !meaning.endsWith(".") || users.isEmpty()) {
      throw new IllegalArgumentException(
          "Cannot define a key: name="
              + name
              + ", expected the prefix "
              + ConfigKey.SUITE_PREFIX
              + ", users, and a meaning that ends with a full stop");
    }
  }
}

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.config;

/** A key of RAIDP holds a value that cannot be used. The message names key, value and rule. */
public final class RaidpConfigException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  RaidpConfigException(String key, Object value, String rule) {
    super("Cannot use configuration: " + key + "=" + value + ", expected " + rule);
  }
}

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.layout;

/**
 * A layout that cannot be made. The message names the value, the rule that it breaks and what to
 * change.
 */
public final class LayoutRefusedException extends Exception {
  private static final long serialVersionUID = 1L;

  public LayoutRefusedException(String message) {
    super(message);
  }
}

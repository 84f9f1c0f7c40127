/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.mapping;

/** A rule table that cannot be used; the message names file, line and rule. */
public final class MappingException extends Exception {
  private static final long serialVersionUID = 1L;

  MappingException(String message) {
    super(message);
  }
}

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.core.framing;

/**
 * A good file of this format that belongs to another cluster, disk or node: nothing may be written
 * to it.
 */
public final class ForeignOwnerException extends NotOursException {
  private static final long serialVersionUID = 1L;

  public ForeignOwnerException(String message) {
    super(message);
  }
}

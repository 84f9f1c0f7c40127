/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.wire.message;

/** Asks that new blocks below a path are protected by parity, or are not any more. */
public record ProtectRequest(String path, Change change) {
  /** What is asked. */
  public enum Change {
    PROTECT,
    UNPROTECT,
    /** All marks, wherever they are, are removed. */
    UNPROTECT_ALL
  }
}

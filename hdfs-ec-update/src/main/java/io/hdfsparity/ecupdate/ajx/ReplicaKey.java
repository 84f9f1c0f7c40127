/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.ajx;

/** One internal block as a storage node holds it: a file and its checksums. */
public record ReplicaKey(String blockPool, long blockId) {
  @Override
  public String toString() {
    return blockPool + "/" + blockId;
  }
}

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.torture.plan;

/**
 * Something that is broken. Immutable.
 *
 * @param kind what
 * @param node index of the DataNode; 0 if it is none
 */
public record Fault(FaultKind kind, int node) {
  /** As kill dn2. */
  public String describe() {
    return kind.label() + (kind.takesDataNode() ? " dn" + node : "");
  }
}

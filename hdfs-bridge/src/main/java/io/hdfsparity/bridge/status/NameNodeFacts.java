/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.status;

import java.util.List;

/**
 * What only a NameNode knows. Immutable.
 *
 * @param nameservice empty: none is configured
 * @param nameNodeId empty: none is configured
 * @param haState active, standby, observer or initializing, as HDFS names them
 * @param nodes registered DataNodes, at most {@link StatusLimits#MAX_NODES}
 * @param nodesOmitted how many more there are
 */
public record NameNodeFacts(
    String nameservice,
    String nameNodeId,
    String haState,
    boolean isInSafeMode,
    List<RegisteredNode> nodes,
    int nodesOmitted,
    List<EnabledPolicy> policies) {
  public NameNodeFacts {
    nodes = List.copyOf(nodes);
    policies = List.copyOf(policies);
  }

  public boolean isActive() {
    return haState.equals("active");
  }

  /** Whether it is one of several NameNodes that share their edits. */
  public boolean isHighlyAvailable() {
    return !nameNodeId.isEmpty();
  }
}

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.protocol;

/**
 * What a DataNode that can update replicas tells each NameNode, again and again. Immutable.
 *
 * @param node who it is, and where its data channel listens
 * @param incarnation of the sessions that it knows from this NameNode; 0: of none
 * @param appliedVersion of these sessions; no request of a session that is not among them is being
 *     executed or will be
 * @param heedsReplaced whether it goes by {@link NodeAnswer#replaced}
 */
public record NodeReport(
    UpdateNode node, long incarnation, long appliedVersion, boolean heedsReplaced) {
  /** Of a DataNode with this software. */
  public NodeReport(UpdateNode node, long incarnation, long appliedVersion) {
    this(node, incarnation, appliedVersion, /* heedsReplaced= */ true);
  }
}

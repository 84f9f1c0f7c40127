/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.protocol;

import java.io.IOException;
import java.util.Set;

/**
 * What a DataNode does for administrators. Requests are repeatable: what is done already is done
 * again without effect. Thread-safe.
 */
public interface ControlProtocol {
  /** Replicas that a status lists one by one. */
  enum Listed {
    NONE,
    THOSE_NAMED,
    ALL
  }

  /**
   * How the DataNode is.
   *
   * @param blockIds of replicas, with {@link Listed#THOSE_NAMED}
   */
  NodeStatus status(Listed listed, Set<Long> blockIds) throws IOException;

  /**
   * Brings changes into the files of replicas. A call ends after some seconds, whatever is left.
   *
   * @param blockIds of the replicas; empty: all that were admitted to updates
   * @throws org.apache.hadoop.security.AccessControlException unless the caller is a superuser
   */
  ControlOutcome merge(Set<Long> blockIds) throws IOException;

  /**
   * Gives replicas another update scheme, online. A call ends after some seconds, whatever is left.
   *
   * @param scheme FO, FL, PL or PLR
   * @param blockIds of the replicas; those that were not admitted to updates are passed over
   * @throws org.apache.hadoop.security.AccessControlException unless the caller is a superuser
   */
  ControlOutcome convert(String scheme, Set<Long> blockIds) throws IOException;
}

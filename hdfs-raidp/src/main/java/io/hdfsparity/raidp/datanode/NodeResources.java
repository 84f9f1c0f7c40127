/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.datanode;

import java.io.Closeable;
import java.io.IOException;
import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What RAIDP has opened and started in a DataNode. Thread-safe. */
final class NodeResources implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(NodeResources.class);

  private final Deque<Closeable> resources = new ConcurrentLinkedDeque<>();

  /** Closed before all that are there. */
  <C extends Closeable> C closeFirst(C resource) {
    resources.push(resource);
    return resource;
  }

  /** Closed after all that are there. */
  <C extends Closeable> C closeLast(C resource) {
    resources.addLast(resource);
    return resource;
  }

  /** No longer closed here: it is closed already. */
  void forget(Closeable resource) {
    resources.remove(resource);
  }

  /**
   * Closes all.
   *
   * @throws IOException that of the last one that failed; the others are closed all the same
   */
  @Override
  public void close() throws IOException {
    IOException failure = null;
    while (!resources.isEmpty()) {
      try {
        resources.pop().close();
      } catch (IOException e) {
        failure = e;
        LOG.warn("Cannot close a part of RAIDP; closing the others", e);
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}

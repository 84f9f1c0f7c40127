/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.updater;

import io.hdfsparity.ecupdate.ajx.Bounds;
import io.hdfsparity.ecupdate.storage.FileCluster;
import java.io.IOException;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;

/** A session with a cluster of the tests, as a NameNode would have granted it. */
public class TestSession implements StripeSession {
  private static final AtomicInteger NEXT = new AtomicInteger(1);

  private final FileCluster cluster;
  private final SessionTerms terms;
  final AtomicInteger renewals = new AtomicInteger();
  volatile boolean isLost;
  volatile OptionalLong end;

  public TestSession(FileCluster cluster) {
    this(cluster, new Bounds.Failures(1, 1), 1_000, 120_000);
  }

  TestSession(FileCluster cluster, Bounds.Failures demanded, long renewEveryMs, long lostAfterMs) {
    this.cluster = cluster;
    terms = new SessionTerms(NEXT.getAndIncrement(), demanded, renewEveryMs, lostAfterMs);
  }

  @Override
  public FileLayout layout() {
    return cluster.layout();
  }

  @Override
  public SessionTerms terms() {
    return terms;
  }

  @Override
  public Located locate(int group) {
    return new Located(group, cluster.locate(group));
  }

  @Override
  public void renew() throws IOException {
    renewals.incrementAndGet();
    if (isLost) {
      throw new IOException("Cannot renew: the session is gone");
    }
  }

  @Override
  public void end(OptionalLong lastWriteMs) {
    end = lastWriteMs;
  }
}

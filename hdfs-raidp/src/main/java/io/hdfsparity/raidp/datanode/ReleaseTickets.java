/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.datanode;

import io.hdfsparity.core.check.Clock;
import io.hdfsparity.core.check.ErrorMessage;
import java.io.IOException;
import java.util.random.RandomGenerator;

/**
 * Numbers that a manager fetches before it orders a release, and names in the order. So an order
 * that was long on its way, or waited in a node that stood still, is refused: the NameNode may have
 * stepped down since, and the files be protected again, with two replicas. Only this node's clock
 * decides. After a restart no earlier number is valid.
 *
 * <p>Thread-safe.
 */
final class ReleaseTickets {
  /** As long as the manager counts on what it has seen of a file. */
  static final long LIFE_MS = 5_000;

  private static final int MAX_TICKETS = 1 << 12;

  private final RandomGenerator random;
  private final ExpiringMap<Long, Boolean> valid;

  ReleaseTickets(Clock clock, RandomGenerator random) {
    this.random = random;
    this.valid = new ExpiringMap<>(clock, LIFE_MS, MAX_TICKETS);
  }

  synchronized long issue() {
    long ticket = random.nextLong();
    valid.put(ticket, true);
    return ticket;
  }

  void requireValid(long ticket) throws IOException {
    if (valid.get(ticket).isEmpty()) {
      throw new IOException(
          ErrorMessage.to("release replicas")
              .value("ticket", ticket)
              .expected("one of the last " + LIFE_MS + " ms; the manager orders again")
              .message());
    }
  }
}

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.torture.fault;

import io.hdfsparity.localcluster.Daemon;
import io.hdfsparity.localcluster.DaemonRole;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;

/**
 * A daemon's clock that is set. Immutable.
 *
 * @param daemon whose
 * @param seconds by how much; less than 0: back
 */
record ClockJump(Daemon daemon, int seconds) {
  static final int MAX_SECONDS = 600;

  /** One jump in so many is of a NameNode: there are far fewer of them. */
  private static final int NAMENODE_IN = 3;

  /**
   * Draws one, of a NameNode, a DataNode or an Lstor daemon.
   *
   * @param daemons all of a cluster
   */
  static ClockJump draw(List<Daemon> daemons, SplittableRandom random) {
    boolean isOfNameNode = random.nextInt(NAMENODE_IN) == 0;
    List<Daemon> some =
        daemons.stream()
            .filter(
                each ->
                    isOfNameNode
                        ? each.role().isNameNode()
                        : each.role() == DaemonRole.DATANODE || each.role() == DaemonRole.LSTOR)
            .toList();
    Daemon daemon = some.get(random.nextInt(some.size()));
    int seconds = random.nextInt(1, MAX_SECONDS + 1);
    return new ClockJump(daemon, random.nextBoolean() ? seconds : -seconds);
  }

  /** As of dn2 by -312 s. */
  String describe() {
    return String.format(Locale.ROOT, "of %s by %+d s", daemon.name(), seconds);
  }
}

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.ajx;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Section 3.10: looks at each node, and starts a recovery when one is not in normal mode without
 * anybody recovering, or holds a write that has been in its recent list for too long. Age is
 * counted in probes; there is no clock.
 */
final class Monitor {
  private final AjxClient client;
  private Map<Tid, Integer> seen = new HashMap<>();
  private Set<Tid> now = new HashSet<>();
  private int waiting;
  private boolean mustRecover;
  private boolean isHealthy;

  Monitor(AjxClient client) {
    this.client = client;
  }

  void start() {
    waiting = client.shape().blocks();
    mustRecover = false;
    isHealthy = true;
    now = new HashSet<>();
    for (int node = 0; node < client.shape().blocks(); node++) {
      client.calls().call(node, new Request.Probe(), this::onReply);
    }
  }

  private void onReply(Reply reply) {
    Reply.ProbeReply probe = (Reply.ProbeReply) reply;
    now.addAll(probe.recentList());
    isHealthy &= probe.opMode() == OpMode.NORM && probe.lockMode() == LockMode.UNL;
    mustRecover |=
        probe.lockMode() == LockMode.EXP
            || (probe.opMode() != OpMode.NORM && probe.lockMode() == LockMode.UNL);
    if (--waiting == 0) {
      judge();
    }
  }

  private void judge() {
    Map<Tid, Integer> aged = new HashMap<>();
    for (Tid tid : now) {
      int age = seen.getOrDefault(tid, 0) + 1;
      aged.put(tid, age);
      mustRecover |= age > client.options().oldAfter();
    }
    seen = aged;
    if (mustRecover) {
      client.startRecovery();
    }
    client.probed(isHealthy && !mustRecover);
  }
}

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.sim;

import io.hdfsparity.ecupdate.ajx.LockId;
import io.hdfsparity.ecupdate.ajx.LockMode;
import io.hdfsparity.ecupdate.ajx.LogRecord;
import io.hdfsparity.ecupdate.ajx.OpMode;
import io.hdfsparity.ecupdate.ajx.Reply;
import io.hdfsparity.ecupdate.ajx.Request;
import io.hdfsparity.ecupdate.ajx.SlotMachine;
import java.util.Random;
import java.util.Set;

/** A mistake planted between the network and a storage node, which the simulator must find. */
enum Fault {
  NONE,

  /** Adds of writes that a recovery has overtaken are accepted. */
  FORGETS_EPOCH {
    @Override
    Request onRequest(Request request, SlotMachine node, Random random) {
      if (request instanceof Request.AddAll all) {
        return new Request.AddAll(all.delta(), all.parts(), Long.MAX_VALUE);
      }
      return request instanceof Request.Add add
          ? new Request.Add(add.delta(), add.scaling(), add.ntid(), add.otid(), Long.MAX_VALUE)
          : request;
    }
  },

  /** Writes of one block are added in any order. */
  SKIPS_ORDER {
    @Override
    Request onRequest(Request request, SlotMachine node, Random random) {
      return request instanceof Request.Add add
          ? new Request.Add(add.delta(), add.scaling(), add.ntid(), null, add.epoch())
          : request;
    }
  },

  /** An add is acknowledged and not made, now and then. */
  DROPS_ADDS {
    @Override
    Reply instead(Request request, SlotMachine node, Random random) {
      return request instanceof Request.Add && random.nextInt(20) == 0
          ? new Reply.AddReply(Reply.AddStatus.OK, OpMode.NORM, LockMode.UNL)
          : null;
    }
  },

  /** The state for recovery does not say which writes have come. */
  HIDES_RECENT_LIST {
    @Override
    Reply onReply(Reply reply) {
      return reply instanceof Reply.StateReply state
          ? new Reply.StateReply(
              state.opMode(),
              state.epoch(),
              state.consistentSet(),
              state.targetEpoch(),
              state.oldList(),
              Set.of(),
              state.block())
          : reply;
    }
  },

  /** Fig. 6 line 27 as printed: a block in RECONS counts as garbage. */
  HIDES_RECONSTRUCTED_BLOCK {
    @Override
    Reply onReply(Reply reply) {
      return reply instanceof Reply.StateReply state && state.opMode() == OpMode.RECONS
          ? new Reply.StateReply(
              state.opMode(),
              state.epoch(),
              state.consistentSet(),
              state.targetEpoch(),
              state.oldList(),
              state.recentList(),
              null)
          : reply;
    }
  },

  /**
   * Fig. 6 lines 8 and 9 as printed: a node that had been finalized when the recovery crashed
   * counts as one that the recovery did not come to.
   */
  HIDES_FINALIZED {
    @Override
    Reply onReply(Reply reply) {
      return reply instanceof Reply.StateReply state && state.opMode() == OpMode.RECONS
          ? new Reply.StateReply(
              state.opMode(),
              state.epoch(),
              state.consistentSet(),
              state.targetEpoch() + (1L << 40),
              state.oldList(),
              state.recentList(),
              state.block())
          : reply;
    }
  },

  /** Fig. 6 as printed: a recovery may write without holding the lock. */
  IGNORES_HOLDER {
    @Override
    Request onRequest(Request request, SlotMachine node, Random random) {
      LockId holder = node.holder();
      if (holder == null) {
        return request;
      } else if (request instanceof Request.Reconstruct r) {
        return new Request.Reconstruct(r.consistentSet(), r.block(), r.targetEpoch(), holder);
      } else if (request instanceof Request.SetLock s) {
        return new Request.SetLock(s.mode(), holder);
      } else if (request instanceof Request.GetState) {
        return new Request.GetState(holder);
      } else if (request instanceof Request.GetRecent g) {
        return new Request.GetRecent(g.mode(), holder);
      } else if (request instanceof Request.FinalizeRecovery f) {
        return new Request.FinalizeRecovery(f.epoch(), f.lockAfter(), holder);
      }
      return request;
    }
  },

  /** A lock is lost when the node restarts. */
  FORGETS_LOCK {
    @Override
    boolean logs(LogRecord record) {
      return !(record instanceof LogRecord.Locked);
    }
  },

  /** An add is acknowledged and not logged. */
  FORGETS_ADD {
    @Override
    boolean logs(LogRecord record) {
      return !(record instanceof LogRecord.Added);
    }
  },

  /** Replies leave before their records are durable. */
  REPLIES_BEFORE_SYNC;

  Request onRequest(Request request, SlotMachine node, Random random) {
    return request;
  }

  Reply instead(Request request, SlotMachine node, Random random) {
    return null;
  }

  Reply onReply(Reply reply) {
    return reply;
  }

  boolean logs(LogRecord record) {
    return true;
  }
}

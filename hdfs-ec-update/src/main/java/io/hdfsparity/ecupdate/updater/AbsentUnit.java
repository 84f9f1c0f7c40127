/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.updater;

import io.hdfsparity.ecupdate.ajx.Bytes;
import io.hdfsparity.ecupdate.ajx.LockMode;
import io.hdfsparity.ecupdate.ajx.OpMode;
import io.hdfsparity.ecupdate.ajx.Reply;
import io.hdfsparity.ecupdate.ajx.Request;
import java.util.Set;

/**
 * A unit of a group without any byte of it, for which HDFS makes no replica: the data units at the
 * end of a group that is shorter than a stripe. Recovery, garbage collection and the monitor ask
 * all blocks, so somebody has to answer for it: its cell is zeros, nobody ever writes it, and it
 * takes no part in who holds a lock, which the first data block, always there, decides. Immutable.
 *
 * @param cellBytes size of a cell
 */
record AbsentUnit(int cellBytes) {
  Reply answer(Request request) {
    if (request instanceof Request.Probe) {
      return new Reply.ProbeReply(OpMode.NORM, LockMode.UNL, 0, Set.of());
    } else if (request instanceof Request.TryLock) {
      return new Reply.LockReply(true, LockMode.UNL);
    } else if (request instanceof Request.GetState) {
      return new Reply.StateReply(
          OpMode.NORM, 0, Set.of(), 0, Set.of(), Set.of(), Bytes.zeros(cellBytes));
    } else if (request instanceof Request.GetRecent) {
      return new Reply.RecentReply(Set.of());
    } else if (request instanceof Request.CheckTid) {
      return Reply.CheckTidReply.NOCHANGE;
    } else if (request instanceof Request.SetLock
        || request instanceof Request.Reconstruct
        || request instanceof Request.FinalizeRecovery
        || request instanceof Request.GcOld
        || request instanceof Request.GcRecent) {
      return new Reply.Done();
    }
    throw new IllegalArgumentException(
        "Cannot ask a unit without bytes: request=" + request + ", expected none for its bytes");
  }
}

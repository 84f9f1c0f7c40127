/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.channel;

import io.hdfsparity.ecupdate.ajx.Request;
import io.hdfsparity.ecupdate.ajx.SlotMachine;

/** What a request must be allowed to do, and what its answer may take. Stateless. */
final class RequestRules {
  /** For the sessions that are noted at a replica, beside those that were asked about. */
  private static final int NOTED_BYTES = 1 << 14;

  /** Of a member of a set: the number itself as an object, and its entry in a table. */
  private static final long MEMBER_BYTES = 64;

  /** Of a write in an answer: its 20 bytes in a frame, whose array may be twice as long. */
  private static final long TID_BYTES = 40;

  private RequestRules() {}

  static ChannelAccess.Use use(Request request) {
    return request instanceof Request.Read || request instanceof Request.Probe
        ? ChannelAccess.Use.READ
        : ChannelAccess.Use.CHANGE;
  }

  /**
   * Whether a connection may ask that.
   *
   * @param blockPool that the connection is for
   */
  static boolean isAllowed(Message.Ask ask, ChannelAccess.Grant grant, String blockPool) {
    return ask.slot().replica().blockPool().equals(blockPool)
        && isPermitted(ask, grant)
        && isOwn(ask.request(), grant)
        && !(ask.request() instanceof Request.Leave leave && !grant.isOf(leave.session()));
  }

  /** Whether the clients that a request speaks for are those of the connection's session. */
  private static boolean isOwn(Request request, ChannelAccess.Grant grant) {
    if (request instanceof Request.Swap swap) {
      return grant.ownsClient(swap.ntid().client());
    } else if (request instanceof Request.Add add) {
      return grant.ownsClient(add.ntid().client());
    } else if (request instanceof Request.AddAll add) {
      return add.parts().stream().allMatch(part -> grant.ownsClient(part.ntid().client()));
    } else if (request instanceof Request.TryLock lock) {
      return grant.ownsClient(lock.caller().client());
    } else if (request instanceof Request.SetLock lock) {
      return grant.ownsClient(lock.caller().client());
    } else if (request instanceof Request.GetState get) {
      return grant.ownsClient(get.caller().client());
    } else if (request instanceof Request.GetRecent get) {
      return grant.ownsClient(get.caller().client());
    } else if (request instanceof Request.Reconstruct reconstruct) {
      return grant.ownsClient(reconstruct.caller().client());
    } else if (request instanceof Request.FinalizeRecovery finish) {
      return grant.ownsClient(finish.caller().client());
    }
    return true;
  }

  /** Whether the grant still covers what was allowed before. */
  static boolean isPermitted(Message.Ask ask, ChannelAccess.Grant grant) {
    return grant.permits(ask.slot().replica(), use(ask.request()));
  }

  /**
   * Bytes that a request and its answer may take in memory beside its frame: numbers of a set take
   * several times what they take in a frame.
   *
   * @param most payload of an answer, in bytes
   */
  static long memoryBytes(Request request, int most) {
    return replyBytes(request, most) + MEMBER_BYTES * members(request);
  }

  private static int members(Request request) {
    if (request instanceof Request.Reconstruct reconstruct) {
      return reconstruct.consistentSet().size();
    } else if (request instanceof Request.Sessions sessions) {
      return sessions.asked().size();
    }
    return request instanceof Request.CrossOut out ? out.sessions().size() : 0;
  }

  private static long replyBytes(Request request, int most) {
    if (request instanceof Request.Read read) {
      return Math.min(read.lengthBytes(), most);
    } else if (request instanceof Request.Swap swap) {
      return swap.patch().bytes().length();
    } else if (request instanceof Request.Sessions sessions) {
      return Math.min(most, NOTED_BYTES) + (long) Long.BYTES * sessions.asked().size();
    }
    if (request instanceof Request.Probe || request instanceof Request.GetRecent) {
      return Math.min(most, FrameCodec.HEADER_BYTES + TID_BYTES * SlotMachine.MAX_LISTED_TIDS);
    }
    return request instanceof Request.GetState ? most : FrameCodec.HEADER_BYTES;
  }
}

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.updater;

import io.hdfsparity.ecupdate.ajx.ReplicaKey;
import io.hdfsparity.ecupdate.ajx.Reply;
import io.hdfsparity.ecupdate.ajx.Request;
import io.hdfsparity.ecupdate.ajx.SlotKey;

/** Takes requests to storage nodes. Thread-safe. */
public interface NodeCalls {
  /**
   * Hears how a call goes, on a thread that must not be blocked. All but {@link #delayed} end the
   * call: one of them is called, once.
   */
  interface Listener {
    /** The node has answered. */
    void answered(Reply reply);

    /**
     * It is not known whether the request was executed, and it will not be from now on (ADR 0010).
     */
    void lost(String why);

    /**
     * The node has found that the request makes no sense, or these calls have been closed: asking
     * again is of no use.
     */
    void failed(String why);

    /**
     * As {@link #failed}, for ever: HDFS has rebuilt or copied a unit of the group, which takes no
     * more updates.
     */
    default void retired(String why) {
      failed(why);
    }

    /** The call takes longer than it should, because of this. May be called often. */
    void delayed(String why);
  }

  /** Sends a request. Does not block. */
  void call(Endpoint node, SlotKey slot, Request request, Listener listener);

  /**
   * The replica is served elsewhere now, and what is done to the one at this node does not count
   * any more: calls for it end as {@link Listener#lost}.
   */
  void giveUp(Endpoint node, ReplicaKey replica);
}

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.channel;

import io.hdfsparity.ecupdate.ajx.Request;
import io.hdfsparity.ecupdate.ajx.SlotKey;
import io.hdfsparity.ecupdate.updater.NodeCalls;

/**
 * A request that is on its way, or waits to be.
 *
 * @param sentNanos when it was sent; 0 before
 */
record Call(SlotKey slot, Request request, NodeCalls.Listener listener, long sentNanos) {
  Call sentAt(long nanos) {
    return new Call(slot, request, listener, nanos);
  }

  Call to(NodeCalls.Listener other) {
    return new Call(slot, request, other, sentNanos);
  }
}

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.ajx;

/** READ of Fig. 4: ask; while refused, see to recovery and ask again. */
final class ReadOperation {
  private final AjxClient client;
  private final long operation;
  private final int block;
  private final Request.Read request;
  private int attempts;

  ReadOperation(AjxClient client, long operation, int block, int offset, int lengthBytes) {
    this.client = client;
    this.operation = operation;
    this.block = block;
    request = new Request.Read(offset, lengthBytes);
  }

  /** Lines 1 and 5. */
  void start() {
    client.calls().call(block, request, this::onReply);
  }

  private void onReply(Reply reply) {
    Reply.ReadReply read = (Reply.ReadReply) reply;
    if (read.bytes() != null) {
      client.calls().emit(new Output.ReadDone(operation, read.bytes()));
      return;
    }
    if (!read.lockMode().isHeld()) {
      client.startRecovery(); // lines 3 and 4: UNL or EXP, nobody recovers
    }
    client.calls().after(++attempts, this::start);
  }
}

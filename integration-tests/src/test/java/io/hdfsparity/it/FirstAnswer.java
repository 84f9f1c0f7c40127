/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import io.hdfsparity.ecupdate.ajx.Reply;
import io.hdfsparity.ecupdate.updater.NodeCalls;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** What became of a request to a DataNode: empty if it was answered, or else why it was not. */
final class FirstAnswer implements NodeCalls.Listener {
  private final CompletableFuture<String> answer = new CompletableFuture<>();

  String await(long timeoutSeconds) throws Exception {
    return answer.get(timeoutSeconds, TimeUnit.SECONDS);
  }

  @Override
  public void answered(Reply reply) {
    answer.complete("");
  }

  @Override
  public void lost(String why) {
    answer.complete(why);
  }

  @Override
  public void failed(String why) {
    answer.complete(why);
  }

  @Override
  public void delayed(String why) {
    if (!why.contains("leftMs")) { // Quiet time, which passes.
      answer.complete(why);
    }
  }
}

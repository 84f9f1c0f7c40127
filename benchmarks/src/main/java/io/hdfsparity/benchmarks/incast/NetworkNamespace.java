/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.incast;

import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * A named network namespace of Linux, in which single calls can be made: a socket stays in the
 * namespace of the thread that opened it. Thread-safe.
 *
 * @param name as given to {@code ip netns add}
 */
record NetworkNamespace(String name) {
  /**
   * Runs a call in a thread of its own that is in the namespace.
   *
   * @throws IOException when the namespace cannot be entered, or the call fails
   */
  <T> T call(Callable<T> what) throws IOException, InterruptedException {
    FutureTask<T> task =
        new FutureTask<>(
            () -> {
              Libc.enter("/run/netns/" + name);
              return what.call();
            });
    Thread thread = new Thread(task, "in " + name);
    thread.start();
    try {
      return task.get();
    } catch (ExecutionException e) {
      throw new IOException("Cannot work in network namespace " + name, e.getCause());
    }
  }
}

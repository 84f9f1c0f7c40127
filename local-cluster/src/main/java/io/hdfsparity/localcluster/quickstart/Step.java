/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.quickstart;

import java.util.concurrent.Callable;

/**
 * A numbered step of a chapter.
 *
 * @param title asked for when the step begins: there may be what earlier steps have found in it
 */
record Step(Callable<String> title, Action action) {
  /** What is done. */
  interface Action {
    void run() throws Exception;
  }

  static Step of(String title, Action action) {
    return new Step(() -> title, action);
  }
}

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.quickstart;

/**
 * A numbered step of a chapter.
 *
 * @param title asked for when the step begins
 */
record Step(Title title, Action action) {
  /** A title, in which there may be what earlier steps have found. */
  interface Title {
    String text() throws Exception;
  }

  /** What is done. */
  interface Action {
    void run() throws Exception;
  }

  static Step of(String title, Action action) {
    return new Step(() -> title, action);
  }
}

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.torture;

import io.hdfsparity.localcluster.torture.history.OperationKind;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What clients do with one feature. */
interface Workload extends Closeable {
  /** A client; used by one thread. */
  interface Client extends Closeable {
    String name();

    /**
     * Does the next operation, and writes it down. What fails because of a fault is an outcome.
     *
     * @throws IOException if it cannot be written down
     * @throws InterruptedException if the thread is interrupted
     */
    void step() throws IOException, InterruptedException;
  }

  /** Makes directories and files. */
  void prepare() throws IOException;

  /** New clients. */
  List<Client> clients() throws IOException;

  /**
   * Reads all there is, as {@link
   * io.hdfsparity.localcluster.torture.check.HistoryChecker#LAST_READER}.
   */
  void readAll() throws IOException;

  /** What its clients have to get done in every run. */
  Set<OperationKind> expected();

  /**
   * The feature's own check.
   *
   * @return what is right, in a line; empty: it has none
   * @throws WrongException if anything is wrong
   * @throws IOException if it cannot be checked
   */
  Optional<String> verify() throws IOException, WrongException;

  /** A check found something wrong. */
  final class WrongException extends Exception {
    private static final long serialVersionUID = 1L;

    WrongException(String what) {
      super(what);
    }
  }
}

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.quickstart;

import static io.hdfsparity.localcluster.quickstart.Texts.firstLine;
import static io.hdfsparity.localcluster.quickstart.Texts.format;

import java.io.IOException;

/**
 * Why the quickstart cannot go on, in words for the person who started it; printed without a stack
 * trace.
 */
final class QuickstartException extends Exception {
  private static final long serialVersionUID = 1L;
  private final boolean isOfCluster;

  private QuickstartException(boolean isOfCluster, String message, Throwable cause) {
    super(message, cause);
    this.isOfCluster = isOfCluster;
  }

  /** What was given cannot be used: the command line, the files, the room or the ports. */
  static QuickstartException input(String template, Object... values) {
    return input(null, template, values);
  }

  /** The same, for a reason. */
  static QuickstartException input(Throwable cause, String template, Object... values) {
    return new QuickstartException(false, format(template, values), cause);
  }

  /** The cluster does not do what it should. */
  static QuickstartException cluster(String template, Object... values) {
    return cluster(null, template, values);
  }

  /** The same, for a reason. */
  static QuickstartException cluster(Throwable cause, String template, Object... values) {
    return new QuickstartException(true, format(template, values), cause);
  }

  /** Something that the cluster or this machine may not do. */
  interface Attempt<T> {
    T make() throws IOException;
  }

  /**
   * Makes an attempt; if it fails, that is told in one line behind what could not be done.
   *
   * @throws QuickstartException about the cluster, when it fails
   */
  static <T> T attempt(String otherwise, Attempt<T> attempt) throws QuickstartException {
    try {
      return attempt.make();
    } catch (IOException e) {
      throw cluster(e, "%s: %s", otherwise, firstLine(e));
    }
  }

  /**
   * Goes on only where something holds.
   *
   * @throws QuickstartException about the cluster, where it does not
   */
  static void require(boolean holds, String otherwise, Object... values)
      throws QuickstartException {
    if (!holds) {
      throw cluster(otherwise, values);
    }
  }

  /** Whether the logs of the cluster are of interest. */
  boolean isOfCluster() {
    return isOfCluster;
  }
}

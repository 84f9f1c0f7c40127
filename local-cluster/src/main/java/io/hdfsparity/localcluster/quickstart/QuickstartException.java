/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.quickstart;

import static io.hdfsparity.localcluster.quickstart.Texts.format;

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
    return new QuickstartException(false, format(template, values), null);
  }

  /** The same, for a reason. */
  static QuickstartException input(Throwable cause, String template, Object... values) {
    return new QuickstartException(false, format(template, values), cause);
  }

  /** The cluster does not do what it should. */
  static QuickstartException cluster(String template, Object... values) {
    return new QuickstartException(true, format(template, values), null);
  }

  /** The same, for a reason. */
  static QuickstartException cluster(Throwable cause, String template, Object... values) {
    return new QuickstartException(true, format(template, values), cause);
  }

  /** Whether the logs of the cluster are of interest. */
  boolean isOfCluster() {
    return isOfCluster;
  }
}

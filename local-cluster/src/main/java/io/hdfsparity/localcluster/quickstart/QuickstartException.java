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
  private final Kind kind;

  /** Who has to do something about it. */
  enum Kind {
    /** The command line. */
    USAGE,
    /** The files, the room or the ports that were given. */
    INPUT,
    /** The cluster or RAIDP; logs are kept. */
    CLUSTER
  }

  private QuickstartException(Kind kind, String message) {
    super(message);
    this.kind = kind;
  }

  QuickstartException(Kind kind, String message, Throwable cause) {
    super(message, cause);
    this.kind = kind;
  }

  /** The command line is wrong. */
  static QuickstartException usage(String template, Object... values) {
    return new QuickstartException(Kind.USAGE, format(template, values));
  }

  /** The same, for a reason. */
  static QuickstartException usage(Throwable cause, String template, Object... values) {
    return new QuickstartException(Kind.USAGE, format(template, values), cause);
  }

  /** What was given cannot be used. */
  static QuickstartException input(String template, Object... values) {
    return new QuickstartException(Kind.INPUT, format(template, values));
  }

  /** The same, for a reason. */
  static QuickstartException input(Throwable cause, String template, Object... values) {
    return new QuickstartException(Kind.INPUT, format(template, values), cause);
  }

  /** The cluster does not do what it should. */
  static QuickstartException cluster(String template, Object... values) {
    return new QuickstartException(Kind.CLUSTER, format(template, values));
  }

  /** The same, for a reason. */
  static QuickstartException cluster(Throwable cause, String template, Object... values) {
    return new QuickstartException(Kind.CLUSTER, format(template, values), cause);
  }

  Kind kind() {
    return kind;
  }
}

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.core.check.ErrorMessage;
import io.hdfsparity.raidp.wire.message.ScrubRequest.Action;
import java.io.IOException;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/**
 * Options of {@code -fsck} and {@code -scrub}. Immutable.
 *
 * @param action what is asked for
 * @param repair put right what can be
 * @param diskId the disk to scrub; empty: all
 * @param parallel DataNodes that scrub at once, 1 to {@link NodeScrubs#MAX_PARALLEL}
 * @param throttleBytesPerSecond of each DataNode; 0: no limit
 */
record FsckOptions(
    Action action,
    boolean repair,
    Optional<String> diskId,
    int parallel,
    long throttleBytesPerSecond) {
  /**
   * Reads what a client has sent.
   *
   * @param call name of the call
   * @throws IOException that names the argument that is wrong
   */
  static FsckOptions parse(String call, List<String> args) throws IOException {
    Action action = Action.RUN;
    boolean repair = false;
    Optional<String> diskId = Optional.empty();
    int parallel = NodeScrubs.DEFAULT_PARALLEL;
    long throttle = 0;
    boolean isFsck = call.equals("fsck");
    for (Iterator<String> rest = args.iterator(); rest.hasNext(); ) {
      String arg = rest.next();
      if (arg.equals("-watch")) {
        action = Action.WATCH;
      } else if (arg.equals("-stop")) {
        action = Action.STOP;
      } else if (isFsck && arg.equals("-repair")) {
        repair = true;
      } else if (!isFsck && arg.equals("-disk") && rest.hasNext()) {
        diskId = Optional.of(rest.next());
      } else if (arg.equals("-parallel") && rest.hasNext()) {
        parallel = (int) number(call, arg, rest.next(), 1, NodeScrubs.MAX_PARALLEL);
      } else if (arg.equals("-throttle") && rest.hasNext()) {
        throttle = number(call, arg, rest.next(), 0, Long.MAX_VALUE);
      } else {
        throw new IOException(
            "Cannot "
                + call
                + ": argument="
                + arg
                + ", expected one of ["
                + (isFsck ? "-repair" : "-disk")
                + ", -parallel, -throttle, -watch, -stop]");
      }
    }
    return new FsckOptions(action, repair, diskId, parallel, throttle);
  }

  private static long number(String call, String name, String value, long min, long max)
      throws IOException {
    try {
      long number = Long.parseLong(value);
      if (number >= min && number <= max) {
        return number;
      }
    } catch (NumberFormatException e) {
      throw new IOException(refusal(call, name, value, min, max), e);
    }
    throw new IOException(refusal(call, name, value, min, max));
  }

  private static String refusal(String call, String name, String value, long min, long max) {
    return ErrorMessage.to(call)
        .value(name, value)
        .expected("a number from " + min + " to " + max)
        .message();
  }
}

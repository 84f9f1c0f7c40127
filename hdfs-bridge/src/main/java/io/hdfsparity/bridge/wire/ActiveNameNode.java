/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.wire;

import io.hdfsparity.core.check.ErrorMessage;
import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.apache.hadoop.ipc.StandbyException;

/** Finds the active NameNode of several by calling one after the other. Stateless. */
public final class ActiveNameNode {
  private ActiveNameNode() {}

  /** A call at the suite's server of a NameNode. */
  @FunctionalInterface
  public interface Call<T> {
    T at(NameNodeServer server) throws IOException;
  }

  /** What follows when a connection is closed before the answer has come. */
  public enum ClosedConnection {
    /** The next NameNode is called: the call may be executed twice. */
    CALL_NEXT,
    /**
     * The next NameNode is called, and then this one again: the call may be executed twice there.
     * For calls of which the second answer is as good as the first.
     */
    CALL_AGAIN,
    /** The call fails: it may have been executed, and is not idempotent. */
    FAIL
  }

  /**
   * Calls until one is active. A call whose answer was lost may have been executed, and may be
   * executed again.
   *
   * @throws NameNodeNotReadyException what each of them said, when none is active
   * @throws IOException that of the active NameNode
   */
  public static <T> T call(List<NameNodeServer> servers, Call<T> call) throws IOException {
    return call(servers, ClosedConnection.CALL_NEXT, call);
  }

  /**
   * Calls until one is active. Connections that were kept since before a NameNode's restart are
   * closed under the first call on them, which {@link ClosedConnection#CALL_AGAIN} is for.
   *
   * @throws EOFException or {@link SocketException}, when a connection was closed and the call may
   *     not be repeated
   * @throws NameNodeNotReadyException what each of them said, when none is active
   * @throws IOException that of the active NameNode
   */
  public static <T> T call(List<NameNodeServer> servers, ClosedConnection closed, Call<T> call)
      throws IOException {
    StringBuilder answers = new StringBuilder(servers.isEmpty() ? "none is configured" : "");
    IOException last = null;
    Deque<NameNodeServer> toCall = new ArrayDeque<>(servers);
    for (int called = 0; !toCall.isEmpty(); called++) {
      NameNodeServer server = toCall.remove();
      try {
        return call.at(server);
      } catch (StandbyException
          | EOFException
          | SocketException
          | SocketTimeoutException
          | UnknownHostException e) {
        if (wasClosed(e) && closed == ClosedConnection.FAIL) {
          throw e;
        }
        if (wasClosed(e) && closed == ClosedConnection.CALL_AGAIN && called < servers.size()) {
          toCall.add(server);
        }
        answers.append(last == null ? "" : "; ").append(server.address()).append(": ");
        answers.append(String.valueOf(e.getMessage()).lines().findFirst().orElse(""));
        last = e;
      }
    }
    throw new NameNodeNotReadyException(
        ErrorMessage.to("call the active NameNode")
            .value("answers", answers)
            .expected("one that is active and has the feature (dfs.parity.features) in service")
            .message(),
        last);
  }

  /** Whether there was a connection: the call may have been executed. */
  private static boolean wasClosed(IOException failure) {
    return failure instanceof EOFException
        || failure instanceof SocketException
            && !(failure instanceof ConnectException || failure instanceof NoRouteToHostException);
  }
}

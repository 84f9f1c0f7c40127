/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.wire;

import java.io.IOException;
import java.net.ConnectException;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.ipc.RpcNoSuchMethodException;
import org.apache.hadoop.ipc.RpcNoSuchProtocolException;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;

/** Bridges Java's exceptions and those of protobuf services. */
public final class Calls {
  private Calls() {}

  /** A call at a proxy. */
  @FunctionalInterface
  public interface Remote<T> {
    T call() throws ServiceException;
  }

  /** A call at an implementation. */
  @FunctionalInterface
  public interface Local<T> {
    T call() throws IOException;
  }

  /**
   * Runs a call at a proxy; what the other side threw comes out as RemoteException, unwrapped where
   * its class is at hand. A daemon without the feature that serves the protocol is like one that
   * does not listen: that is a ConnectException, as where a feature is not in service there. One
   * that does not know the method is an {@link OlderDaemonException}.
   */
  public static <T> T remote(Remote<T> call) throws IOException {
    try {
      return call.call();
    } catch (ServiceException e) {
      Throwable cause = e.getCause();
      if (cause instanceof RemoteException remote) {
        IOException thrown = remote.unwrapRemoteException();
        if (thrown instanceof RpcNoSuchMethodException) {
          throw older(thrown);
        }
        throw thrown instanceof RpcNoSuchProtocolException ? notServed(thrown) : thrown;
      }
      throw cause instanceof IOException io ? io : new IOException(e);
    }
  }

  private static IOException older(IOException thrown) {
    return new OlderDaemonException(
        "Cannot call: "
            + String.valueOf(thrown.getMessage()).lines().findFirst().orElse("")
            + " expected a daemon with the suite's version of its caller; upgrade it",
        thrown);
  }

  private static IOException notServed(IOException thrown) {
    ConnectException refused =
        new ConnectException(
            "Cannot call: "
                + String.valueOf(thrown.getMessage()).lines().findFirst().orElse("")
                + ", expected a daemon with its feature in service (dfs.parity.features, and the"
                + " daemon's log)");
    refused.initCause(thrown);
    return refused;
  }

  /** Runs an implementation on behalf of a remote caller. */
  public static <T> T local(Local<T> call) throws ServiceException {
    try {
      return call.call();
    } catch (IOException e) {
      throw new ServiceException(e);
    }
  }
}

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.wire;

import org.apache.hadoop.ipc.RpcNoSuchMethodException;

/** A daemon serves the protocol, but not the method that was called: it runs an older version. */
public final class OlderDaemonException extends RpcNoSuchMethodException {
  private static final long serialVersionUID = 1;

  OlderDaemonException(String message, Throwable cause) {
    super(message);
    initCause(cause);
  }
}

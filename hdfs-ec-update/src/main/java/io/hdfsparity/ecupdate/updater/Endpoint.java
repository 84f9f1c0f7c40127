/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.updater;

import io.hdfsparity.core.check.Checks;

/**
 * Where requests for some replicas go, over one connection. Immutable.
 *
 * @param host name or address of the storage node
 * @param port of its data channel
 * @param blockPool of the replicas
 * @param grant name of the token that the connection is opened with, the same before and after the
 *     token is renewed; replicas of one node that need different tokens have different grants
 */
public record Endpoint(String host, int port, String blockPool, String grant) {
  public Endpoint {
    Checks.argument(!host.isEmpty(), "name an endpoint", "host", host, "a name or an address");
    Checks.argument(port > 0 && port <= 0xffff, "name an endpoint", "port", port, "1.." + 0xffff);
  }

  @Override
  public String toString() {
    return host + ":" + port + "/" + blockPool + "/" + grant;
  }
}

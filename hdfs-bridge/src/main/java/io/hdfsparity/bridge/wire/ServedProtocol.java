/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.wire;

import org.apache.hadoop.security.authorize.Service;

/**
 * A protocol as a server serves it. Immutable.
 *
 * @param id its class, and its key in hadoop-policy.xml
 * @param service what answers
 */
public record ServedProtocol(Service id, GuardedService service) {
  /** The same, whose calls a gate can refuse. */
  public ServedProtocol behind(CallGate gate) {
    return new ServedProtocol(id, service.behind(gate));
  }
}

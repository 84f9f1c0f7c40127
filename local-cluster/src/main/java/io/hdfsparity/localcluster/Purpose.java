/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster;

import java.util.List;

/** What a port of a daemon is for. */
public enum Purpose {
  RPC,
  HTTP,
  TRANSFER,
  MANAGER,
  PEER,
  LSTOR;

  /** The ports that a daemon of a role needs. */
  static List<Purpose> of(DaemonRole role, ClusterMode mode) {
    boolean raidp = mode == ClusterMode.RAIDP;
    boolean manager = mode != ClusterMode.STOCK;
    return switch (role) {
      case NAMENODE -> manager ? List.of(RPC, HTTP, MANAGER) : List.of(RPC, HTTP);
      case DATANODE -> raidp ? List.of(TRANSFER, RPC, HTTP, PEER) : List.of(TRANSFER, RPC, HTTP);
      case LSTOR -> List.of(LSTOR);
    };
  }
}

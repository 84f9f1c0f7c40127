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
  /** The suite's server, of all features. */
  PARITY,
  LSTOR,
  UPDATE,
  /** The ResourceManager's for job masters. */
  SCHEDULER,
  /** The ResourceManager's for NodeManagers. */
  TRACKER,
  ADMIN,
  LOCALIZER,
  SHUFFLE;

  /** The ports that a daemon of a role needs. */
  static List<Purpose> of(DaemonRole role, ClusterMode mode) {
    return switch (role) {
      case NAMENODE, PAIRED_NAMENODE ->
          switch (mode) {
            case STOCK -> List.of(RPC, HTTP);
            case RAIDP, IZS, EC_UPDATE, CASO, ALL -> List.of(RPC, HTTP, PARITY);
          };
      case DATANODE ->
          switch (mode) {
            case STOCK -> List.of(TRANSFER, RPC, HTTP);
            case RAIDP, IZS -> List.of(TRANSFER, RPC, HTTP, PARITY);
            case EC_UPDATE, CASO, ALL -> List.of(TRANSFER, RPC, HTTP, PARITY, UPDATE);
          };
      case JOURNALNODE -> List.of(RPC, HTTP);
      case LSTOR -> List.of(LSTOR);
      case RESOURCEMANAGER -> List.of(RPC, HTTP, SCHEDULER, TRACKER, ADMIN);
      case JOBHISTORY -> List.of(RPC, HTTP, ADMIN);
      case NODEMANAGER -> List.of(RPC, HTTP, LOCALIZER, SHUFFLE);
    };
  }
}

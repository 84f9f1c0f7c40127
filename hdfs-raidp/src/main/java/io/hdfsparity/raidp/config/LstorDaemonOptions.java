/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.config;

import java.nio.file.Path;
import java.util.List;

/**
 * What the Lstor daemon is configured with. Immutable, validated.
 *
 * @param lstorDirs directories that hold Lstor files, without repetition
 * @param bindAddress host:port to listen on
 * @param handlerCount RPC handlers
 * @param reportIntervalMs pause between two reports to the manager
 * @param peerTimeoutMs time limit of a call to the manager
 */
public record LstorDaemonOptions(
    List<Path> lstorDirs,
    String bindAddress,
    int handlerCount,
    long reportIntervalMs,
    int peerTimeoutMs) {
  public LstorDaemonOptions {
    lstorDirs = List.copyOf(lstorDirs);
  }
}

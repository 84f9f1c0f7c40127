/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.quickstart;

import static io.hdfsparity.localcluster.quickstart.Texts.size;

import java.util.OptionalLong;

/**
 * What the cluster needs of this machine, and what there is. Pure.
 *
 * @param daemons how many processes it has
 * @param replicaBytes most bytes of replicas on the file system
 * @param lstorBytes bytes of all Lstors
 * @param lstorsInMemory whether they lie in memory, else on the file system
 * @param diskFreeBytes free on the file system
 * @param memoryFreeBytes memory that programs can have, where the system tells
 * @param folder of the cluster, for messages
 */
record Room(
    int daemons,
    long replicaBytes,
    long lstorBytes,
    boolean lstorsInMemory,
    long diskFreeBytes,
    OptionalLong memoryFreeBytes,
    String folder) {
  /** NameNode, logs, and what a file system wants to have left. */
  static final long OTHER_DISK_BYTES = 512L << 20;

  /** A daemon with a small heap; 13 of them and this program were measured at 2.2 GB. */
  private static final long DAEMON_BYTES = 160L << 20;

  private static final long OWN_BYTES = 480L << 20;

  /** Bytes that the file system must have. */
  long diskNeededBytes() {
    return replicaBytes + OTHER_DISK_BYTES + (lstorsInMemory ? 0 : lstorBytes);
  }

  /** Bytes of memory that must be there. */
  long memoryNeededBytes() {
    return processBytes() + (lstorsInMemory ? lstorBytes : 0);
  }

  private long processBytes() {
    return OWN_BYTES + daemons * DAEMON_BYTES;
  }

  /**
   * Refuses when there is too little.
   *
   * @throws QuickstartException naming what is there and what is needed for what
   */
  void require() throws QuickstartException {
    if (diskFreeBytes < diskNeededBytes()) {
      throw QuickstartException.input(
          "Not enough space: %s free, expected %s (replicas %s, %slogs and reserve %s), "
              + "folder=%s; take another folder with --cluster-dir, or fewer files",
          size(diskFreeBytes),
          size(diskNeededBytes()),
          size(replicaBytes),
          lstorsInMemory ? "" : "Lstors, which do not fit into memory, " + size(lstorBytes) + ", ",
          size(OTHER_DISK_BYTES),
          folder);
    }
    if (memoryFreeBytes.isPresent() && memoryFreeBytes.getAsLong() < memoryNeededBytes()) {
      throw QuickstartException.input(
          "Not enough memory: %s available, expected %s (%s daemons %s%s); end other programs",
          size(memoryFreeBytes.getAsLong()),
          size(memoryNeededBytes()),
          daemons,
          size(processBytes()),
          lstorsInMemory ? ", Lstors in memory " + size(lstorBytes) : "");
    }
  }
}

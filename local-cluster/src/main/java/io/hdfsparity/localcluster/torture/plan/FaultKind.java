/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.torture.plan;

import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** What can be broken. Schedules are drawn by the order: new ones go to the end. */
public enum FaultKind {
  /** A DataNode is ended by SIGKILL, and started again when the fault is healed. */
  KILL(true),
  /** A DataNode is stopped by SIGSTOP, and continued by SIGCONT when the fault is healed. */
  STOP(true),
  /** A DataNode is ended by SIGTERM and started again at once. */
  RESTART(true),
  /** The active one of two NameNodes is ended by SIGKILL; the other becomes active. */
  FAILOVER(false),
  /** The only NameNode is ended by SIGTERM and started again at once. */
  NAMENODE_RESTART(false),
  /** A disk of a RAIDP DataNode fails; healing recovers its data and puts an empty one there. */
  DISK_FAIL(true),
  /** Single bits of blocks that a DataNode stores are flipped, and flipped back by healing. */
  BIT_FLIP(true),
  /** Nothing that a DataNode sends arrives anywhere, nor reaches it anything. */
  PARTITION(true),
  /** Nothing that a DataNode sends to a NameNode's RPC port arrives; all others reach it. */
  PARTITION_NAMENODE(true),
  /** A DataNode has no room left on its disks; healing gives it back. */
  DISK_FULL(true),
  /** Clients cannot connect to a DataNode's data port; its update port and all others they can. */
  REFUSE_READERS(true),
  /** Again and again answers of a DataNode to some updaters are lost, and the connections break. */
  REPLY_LOSS(true),
  /** What some connections of updaters send to a DataNode arrives when it is healed, not before. */
  SLOW_LINK(true),
  /** A disk of a RAIDP DataNode and one that shares a superchunk with it fail at once. */
  DISK_PAIR_FAIL(true),
  /** The wall clock of a daemon jumps, and back when the fault is healed; nobody is away. */
  CLOCK(false);

  private static final Set<FaultKind> OF_CLIENTS =
      Collections.unmodifiableSet(EnumSet.of(REFUSE_READERS, REPLY_LOSS, SLOW_LINK));

  private final boolean takesDataNode;

  FaultKind(boolean takesDataNode) {
    this.takesDataNode = takesDataNode;
  }

  /** Whether a DataNode, or a disk of it, is away meanwhile. */
  public boolean takesDataNode() {
    return takesDataNode;
  }

  /**
   * Faults between clients and DataNodes: those reach each other and the NameNode all the while.
   */
  public static Set<FaultKind> ofClients() {
    return OF_CLIENTS;
  }

  /** The name on command lines and in files. */
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** That of a label. */
  public static Optional<FaultKind> named(String label) {
    return Arrays.stream(values()).filter(kind -> kind.label().equals(label)).findFirst();
  }
}

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.namenode;

import static org.apache.hadoop.hdfs.server.common.HdfsServerConstants.MAX_BLOCKS_IN_GROUP;

import io.hdfsparity.bridge.hold.FileHold;
import io.hdfsparity.bridge.verify.GroupLook;
import io.hdfsparity.bridge.verify.GroupLook.State;
import io.hdfsparity.bridge.verify.UnitHolder;
import io.hdfsparity.bridge.verify.VerifiableGroup;
import io.hdfsparity.bridge.verify.VerifiableGroup.Identity;
import io.hdfsparity.bridge.verify.VerifiableGroup.Obstacle;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfoStriped;
import org.apache.hadoop.hdfs.server.blockmanagement.ParityUnits;
import org.jspecify.annotations.Nullable;

/**
 * Block groups of a NameNode, for the verification of their parity: walks them by their ids, which
 * HDFS gives in ascending order, and has wrong parity units rebuilt.
 *
 * <p>Every call holds the lock for a number of look-ups that its caller bounds.
 *
 * <p><b>Crash.</b> {@link #drop} changes nothing durable. After a crash the next NameNode learns
 * from its DataNodes which units are there. One that was not deleted counts again and is found
 * again; one that was deleted is missing, and HDFS rebuilds it.
 *
 * <p>Reaches, package-private: FSDirectory's locks and getInode. Checked for Hadoop 3.5.0.
 * Thread-safe.
 */
public final class ParityGroups {
  private static final String OPERATION = "verifyParity";

  private final NameNode nameNode;
  private final FSNamesystem namesystem;
  private final FSDirectory directory;
  private final NamespaceReader reader;
  private final ParityUnits units;
  private final FileHolders holders;

  /**
   * A part of the walk.
   *
   * @param nextId the first id that was not looked at
   * @param lastId the highest id that was given
   * @param found what was looked at, without what is gone or unwanted
   */
  public record Walk(long nextId, long lastId, List<GroupLook> found) {}

  /** How the rebuild of dropped units goes. */
  public enum Rebuild {
    /** The group is gone. */
    GONE,
    /** Units are missing still. */
    GOING_ON,
    /** All units are there. */
    DONE
  }

  public ParityGroups(NameNode nameNode) {
    this.nameNode = nameNode;
    this.namesystem = nameNode.getNamesystem();
    this.directory = namesystem.getFSDirectory();
    this.reader = new NamespaceReader(namesystem, OPERATION);
    this.units = new ParityUnits(namesystem.getBlockManager());
    this.holders = new FileHolders(nameNode);
  }

  /** Active, and out of safe mode. */
  public boolean isWritable() {
    return nameNode.isActiveState() && !namesystem.isInSafeMode();
  }

  /** When this NameNode became active; empty: it is not active, or in safe mode. */
  public OptionalLong term() {
    return isWritable()
        ? OptionalLong.of(nameNode.getLastHATransitionTime())
        : OptionalLong.empty();
  }

  /** Pool of all blocks of this NameNode. */
  public String blockPool() {
    return namesystem.getBlockPoolId();
  }

  /** A DataNode as it has registered; empty: it has not. */
  public Optional<DatanodeID> registered(String nodeUuid) {
    return Optional.ofNullable(units.registered(nodeUuid));
  }

  /** The highest id that was given to a group. */
  public long lastId() {
    return reader.locked(units::lastGroupId);
  }

  /**
   * Looks at the ids that follow.
   *
   * @param fromId the first of them, or anything between it and the id before
   * @param maxIds looked up at most
   * @param maxClosed wanted groups of closed files at most; of others there can be more
   * @param wanted by the name of the codec
   */
  public Walk walk(long fromId, int maxIds, int maxClosed, Predicate<String> wanted) {
    return reader.locked(
        () -> {
          long last = units.lastGroupId();
          List<GroupLook> found = new ArrayList<>();
          int closed = 0;
          long id = fromId;
          for (int n = 0; n < maxIds && closed < maxClosed && id <= last; n++) {
            GroupLook look = new GroupLook(id, stateOf(units.find(id), wanted));
            if (look.state() == State.WRITTEN || look.state() == State.CLOSED) {
              found.add(look);
            }
            closed += look.state() == State.CLOSED ? 1 : 0;
            id += MAX_BLOCKS_IN_GROUP;
          }
          return new Walk(id, last, List.copyOf(found));
        });
  }

  /** Looks at groups. */
  public List<GroupLook> look(List<Long> ids, Predicate<String> wanted) {
    return reader.locked(
        () -> ids.stream().map(id -> new GroupLook(id, stateOf(units.find(id), wanted))).toList());
  }

  private State stateOf(@Nullable BlockInfoStriped group, Predicate<String> wanted) {
    if (group == null) {
      return State.GONE;
    }
    if (!wanted.test(group.getErasureCodingPolicy().getCodecName())) {
      return State.UNWANTED;
    }
    INodeFile file = fileOf(group);
    if (file == null || group.isComplete() && group.getNumBytes() == 0) {
      return State.GONE;
    }
    return file.isUnderConstruction() || !group.isComplete() ? State.WRITTEN : State.CLOSED;
  }

  private @Nullable INodeFile fileOf(BlockInfoStriped group) {
    INode inode = directory.getInode(group.getBlockCollectionId());
    return inode != null && inode.isFile() ? inode.asFile() : null;
  }

  /** Those of some groups of which a DataNode has a unit, closed ones. */
  public List<VerifiableGroup> heldBy(String nodeUuid, List<Long> groupIds, int max) {
    return reader.locked(
        () -> {
          List<VerifiableGroup> held = new ArrayList<>();
          for (long id : groupIds) {
            BlockInfoStriped group = units.find(id);
            if (group != null && held.size() < max && units.isHeldBy(group, nodeUuid)) {
              VerifiableGroup described = describe(group);
              if (described != null) {
                held.add(described);
              }
            }
          }
          return held;
        });
  }

  /** A group; empty: it is gone, or written. */
  public Optional<VerifiableGroup> describe(long groupId) {
    return reader.locked(
        () -> {
          BlockInfoStriped group = units.find(groupId);
          return group == null ? Optional.empty() : Optional.ofNullable(describe(group));
        });
  }

  private @Nullable VerifiableGroup describe(BlockInfoStriped group) {
    if (stateOf(group, codec -> true) != State.CLOSED) {
      return null;
    }
    INodeFile file = fileOf(group);
    if (file == null) {
      return null;
    }
    Identity identity =
        new Identity(
            group.getBlockId(),
            group.getGenerationStamp(),
            group.getNumBytes(),
            FileFacts.describe(group.getErasureCodingPolicy(), true),
            file.getId(),
            FileMark.updatedMs(file));
    return new VerifiableGroup(
        identity, file.getFullPathName(), units.holders(group), obstacle(group, file));
  }

  private Optional<Obstacle> obstacle(BlockInfoStriped group, INodeFile file) {
    Optional<FileHold> hold = holders.holdOn(file);
    if (hold.isPresent()) {
      return Optional.of(
          new Obstacle(/* isUpdate= */ true, hold.get().reason(file.getFullPathName())));
    }
    return Optional.ofNullable(units.obstacle(group))
        .map(reason -> new Obstacle(/* isUpdate= */ false, reason));
  }

  /**
   * Releases parity units that do not fit the data, all together, so that HDFS rebuilds them from
   * the rest. Looks at everything again first, under the same hold of the lock.
   *
   * @param expected the group as it was compared
   * @param wrong parity units of it
   * @return their replicas; empty: something has changed, nothing was done
   * @throws IOException when this NameNode is not active, or in safe mode
   */
  public List<UnitHolder> drop(VerifiableGroup expected, Collection<Integer> wrong)
      throws IOException {
    Identity identity = expected.identity();
    int dataUnits = identity.policy().dataUnits();
    for (int unit : wrong) {
      if (unit < dataUnits || unit >= identity.policy().units()) {
        throw new IOException(
            "Cannot drop parity: unit="
                + unit
                + ", expected "
                + dataUnits
                + ".."
                + (identity.policy().units() - 1)
                + ", group="
                + identity.groupId());
      }
    }
    NameNodeLock.ALL.writeLock(namesystem);
    try {
      namesystem.checkOperation(NameNode.OperationCategory.WRITE);
      namesystem.checkNameNodeSafeMode("Cannot drop wrong parity");
      BlockInfoStriped group = units.find(identity.groupId());
      VerifiableGroup now;
      directory.readLock();
      try {
        now = group == null ? null : describe(group);
      } finally {
        directory.readUnlock();
      }
      boolean isUnchanged =
          now != null
              && now.identity().equals(identity)
              && now.obstacle().isEmpty()
              && new TreeSet<>(now.holders().stream().map(UnitHolder::toString).toList())
                  .equals(
                      new TreeSet<>(
                          expected.holders().stream().map(UnitHolder::toString).toList()));
      return group != null && isUnchanged && !units.isStale(group)
          ? units.drop(group, wrong)
          : List.of();
    } finally {
      NameNodeLock.ALL.writeUnlock(namesystem, OPERATION);
    }
  }

  /**
   * Has dropped units rebuilt once their nodes have the order to delete them.
   *
   * @param dropped as {@link #drop} has returned them
   * @throws IOException when this NameNode is not active, or in safe mode
   */
  public Rebuild rebuild(long groupId, Collection<UnitHolder> dropped) throws IOException {
    NameNodeLock.ALL.writeLock(namesystem);
    try {
      namesystem.checkOperation(NameNode.OperationCategory.WRITE);
      namesystem.checkNameNodeSafeMode("Cannot rebuild parity");
      BlockInfoStriped group = units.find(groupId);
      if (group == null) {
        return Rebuild.GONE;
      }
      if (units.isDeleting(group, dropped)) {
        return Rebuild.GOING_ON;
      }
      if (units.obstacle(group) == null) {
        return Rebuild.DONE;
      }
      units.rebuild(group);
      return Rebuild.GOING_ON;
    } finally {
      NameNodeLock.ALL.writeUnlock(namesystem, OPERATION);
    }
  }
}

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.namenode;

import io.hdfsparity.bridge.level.CodePolicy;
import io.hdfsparity.bridge.level.CrashPoints;
import io.hdfsparity.bridge.level.CrashPoints.Point;
import io.hdfsparity.bridge.level.LevelOutcome;
import io.hdfsparity.bridge.level.LevelRule;
import io.hdfsparity.bridge.level.LevelRule.Change;
import io.hdfsparity.bridge.level.LevelRule.Refuse;
import io.hdfsparity.bridge.level.StripedFile;
import io.hdfsparity.bridge.refusal.Refusal;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.fs.XAttr;
import org.apache.hadoop.hdfs.DFSUtil;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicyInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockManager;
import org.apache.hadoop.hdfs.server.blockmanagement.LoweredGroups;
import org.apache.hadoop.hdfs.server.blockmanagement.StripedGroups;
import org.apache.hadoop.hdfs.server.namenode.FSDirectory.DirOp;
import org.apache.hadoop.hdfs.util.StripedBlockUtil;
import org.apache.hadoop.security.AccessControlException;

/**
 * Changes the erasure coding policy of closed striped files in place, in the active NameNode: no
 * block is rewritten, a unit is only added or dropped.
 *
 * <p>A change has two steps. {@link #change} checks, logs and applies it in memory under one hold
 * of the lock, so that log and memory never disagree for anybody. After {@link #sync} has made the
 * log durable, {@link #settle} drops units that the policy no longer has and orders those that it
 * has newly.
 *
 * <p><b>Crash.</b> In {@link #change}: see {@link LevelEdits}; memory is lost anyway. An error that
 * is thrown between the first operation and the end of the change would leave a log that says
 * something else than memory, so it ends the NameNode, as a failed journal does. After the log is
 * durable, before {@link #settle}: new units are ordered when the next active NameNode looks
 * through all blocks, surplus ones are found by {@link #surplus}. Before the log is durable no unit
 * is ever deleted.
 *
 * <p>Reaches, package-private: FSNamesystem.checkNameNodeSafeMode, getPermissionChecker,
 * getLeaseManager, logAuditEvent; FSDirectory's locks, checkOwner, updateCount;
 * LeaseManager.getINodeIdWithLeases, removeLease; INodeFile.toCompleteFile. Checked for Hadoop
 * 3.5.0. Thread-safe; what to change is {@link LevelRule}'s decision.
 */
public final class StripedLevels {
  private static final String OPERATION = "setErasureCodingLevel";

  private final NameNode nameNode;
  private final FSNamesystem namesystem;
  private final FSDirectory directory;
  private final BlockManager blocks;
  private final StripedGroups groups;
  private final LoweredGroups lowered;
  private final LevelEdits edits;
  private final FileHolders holders;
  private final CrashPoints points;

  /**
   * @throws IllegalStateException when this Hadoop is another one
   */
  public StripedLevels(NameNode nameNode, CrashPoints points) {
    this.nameNode = nameNode;
    this.namesystem = nameNode.getNamesystem();
    this.directory = namesystem.getFSDirectory();
    this.blocks = namesystem.getBlockManager();
    this.groups = new StripedGroups(blocks);
    this.lowered = new LoweredGroups(blocks, namesystem, this::isWritable);
    this.edits = new LevelEdits(directory, points);
    this.holders = new FileHolders(nameNode);
    this.points = points;
  }

  /** Replay of a change needs FSEditLogLoader without assertions; a NameNode has none. */
  public static boolean replayAsserts() {
    return FSEditLogLoader.class.desiredAssertionStatus();
  }

  /** An upgrade is in progress that may still be rolled back. */
  public boolean isUpgradeOpen() {
    return namesystem.isRollingUpgrade() || !namesystem.isUpgradeFinalized();
  }

  /** Active, and out of safe mode. */
  public boolean isWritable() {
    return nameNode.isActiveState() && !namesystem.isInSafeMode();
  }

  /** All policies, enabled or not. */
  private List<CodePolicy> policies() {
    List<CodePolicy> policies = new ArrayList<>();
    for (ErasureCodingPolicyInfo each : namesystem.getErasureCodingPolicyManager().getPolicies()) {
      policies.add(FileFacts.describe(each.getPolicy(), each.isEnabled()));
    }
    return policies;
  }

  /**
   * Changes files one after the other, on behalf of the caller of the RPC that this thread handles,
   * while {@code goOn} says so; at least one. An error that nobody expects ends the call after
   * those that are done: what was logged has to be made durable, audited and settled all the same.
   * The next call meets the error again, with its file as the first one.
   *
   * @return one outcome for each of the first paths; durable after {@link #sync}
   * @throws IOException when this NameNode cannot change anything: a StandbyException, or it is in
   *     safe mode
   */
  public List<LevelOutcome> change(List<String> paths, LevelRule rule, BooleanSupplier goOn)
      throws IOException {
    List<LevelOutcome> outcomes = new ArrayList<>();
    FSPermissionChecker caller = namesystem.getPermissionChecker();
    FSPermissionChecker.setOperationType(OPERATION);
    NameNodeLock.ALL.writeLock(namesystem);
    try {
      namesystem.checkOperation(NameNode.OperationCategory.WRITE);
      namesystem.checkNameNodeSafeMode("Cannot change the level of files");
      List<CodePolicy> policies = policies();
      directory.writeLock();
      try {
        for (String path : paths) {
          try {
            outcomes.add(changeOrRefuse(caller, path, rule, policies));
          } catch (RuntimeException | Error e) {
            if (outcomes.isEmpty()) {
              throw e;
            }
            break;
          }
          if (!goOn.getAsBoolean()) {
            break;
          }
        }
      } finally {
        directory.writeUnlock();
      }
    } finally {
      NameNodeLock.ALL.writeUnlock(namesystem, OPERATION);
    }
    return outcomes;
  }

  private LevelOutcome changeOrRefuse(
      FSPermissionChecker caller, String path, LevelRule rule, List<CodePolicy> policies) {
    try {
      if (!DFSUtil.isValidName(path)) {
        // Hadoop ends the call of such a path by an AssertionError.
        throw new FileNotFoundException("path=" + path + ", expected an absolute path");
      }
      return change(caller, path, rule, policies);
    } catch (AccessControlException e) {
      return refused(path, "not-owner", e, "run it as owner of the file or as superuser");
    } catch (org.apache.hadoop.hdfs.protocol.FSLimitException e) {
      return refused(path, "directory-limit", e, "raise the limit that it names on all NameNodes");
    } catch (org.apache.hadoop.hdfs.protocol.QuotaExceededException e) {
      return refused(path, "quota", e, "raise the quota (hdfs dfsadmin -setSpaceQuota)");
    } catch (IOException e) {
      return refused(path, "path", e, "give the path of an existing file");
    }
  }

  private static LevelOutcome refused(String path, String kind, IOException e, String remedy) {
    String reason = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
    return LevelOutcome.refused(path, new Refusal(kind, reason, remedy));
  }

  private LevelOutcome change(
      FSPermissionChecker caller, String path, LevelRule rule, List<CodePolicy> policies)
      throws IOException {
    INodesInPath place = directory.resolvePath(caller, path, DirOp.WRITE);
    if (directory.isPermissionEnabled()) {
      directory.checkOwner(caller, place);
    }
    INodeFile file = INodeFile.valueOf(place.getLastINode(), path);
    // A replay deletes the file and creates it again; to a snapshot that is no change of level.
    StripedFile facts = FileFacts.describe(namesystem, place, file);
    LevelRule.Decision decision = rule.decide(facts, policies);
    Optional<Refusal> refusal =
        decision instanceof Refuse refuse ? Optional.of(refuse.refusal()) : Optional.empty();
    Optional<CodePolicy> to = facts.policy();
    int judgedGroups = 0;
    if (decision instanceof Change change) {
      judgedGroups = facts.groups();
      refusal = judgeHolds(file, path);
      if (refusal.isEmpty()) {
        refusal = applyIfSound(place, file, rule, facts, change.target());
      }
      if (refusal.isEmpty()) {
        to = Optional.of(change.target());
      }
    }
    return new LevelOutcome(
        path, file.getId(), facts.groups(), judgedGroups, facts.policy(), to, refusal);
  }

  /** Somebody counts on the units that the file has now. */
  private Optional<Refusal> judgeHolds(INodeFile file, String path) {
    return holders.holdOn(file).map(hold -> hold.refuse("change the level", path));
  }

  /** What costs least is looked at first, and each group last. */
  private Optional<Refusal> applyIfSound(
      INodesInPath place, INodeFile file, LevelRule rule, StripedFile facts, CodePolicy target)
      throws IOException {
    edits.requireReplayable(place, file);
    ErasureCodingPolicy policy =
        namesystem.getErasureCodingPolicyManager().getByID((byte) target.id());
    long moreBytes = spaceBytes(file, policy) - spaceBytes(file);
    directory.updateCount(place, 0, moreBytes, (short) 1, /* checkQuota= */ true);
    boolean isChanged = false;
    try {
      Optional<Refusal> refusal = judgeGroups(rule, facts, file, target);
      if (refusal.isEmpty()) {
        apply(place, file, target, facts.policy().orElseThrow());
        isChanged = true;
      }
      return refusal;
    } finally {
      if (!isChanged) {
        directory.updateCount(place, 0, -moreBytes, (short) 1, /* checkQuota= */ false);
      }
    }
  }

  private Optional<Refusal> judgeGroups(
      LevelRule rule, StripedFile facts, INodeFile file, CodePolicy target) {
    StripedGroups.QueuedDeletes deletes =
        groups.queuedDeletes(facts.policy().orElseThrow().units(), target.units());
    long probes = deletes.probes(facts.groups());
    if (probes > StripedGroups.MAX_PROBES) {
      return Optional.of(
          new Refusal(
              "queued-delete",
              "Cannot change the level: nodesWithQueuedDeletes="
                  + deletes.nodes().size()
                  + ", expected so few that groups="
                  + facts.groups()
                  + " take <= "
                  + StripedGroups.MAX_PROBES
                  + " look-ups under the NameNode's lock, file="
                  + facts.path(),
              "wait until DataNodes have deleted what was released (PendingDeletionBlocks)"));
    }
    boolean isRaise = target.units() > facts.policy().orElseThrow().units();
    for (BlockInfo block : file.getBlocks()) {
      Optional<Refusal> refusal =
          (isRaise ? lowered.refuseRaise(block, facts.path()) : Optional.<Refusal>empty())
              .or(() -> rule.judge(facts, target, groups.describe(block, deletes)));
      if (refusal.isPresent()) {
        return refusal;
      }
    }
    return Optional.empty();
  }

  /** What is done under the lock. */
  StripedGroups groups() {
    return groups;
  }

  private void apply(INodesInPath place, INodeFile file, CodePolicy target, CodePolicy before)
      throws IOException {
    // A node that is offline keeps what is dropped, and nobody may remember that when it is back.
    List<XAttr> xattrs =
        target.parityUnits() < before.parityUnits()
            ? FileMark.withLowered(file)
            : XAttrStorage.readINodeXAttrs(file);
    byte policyId = (byte) target.id();
    ErasureCodingPolicy policy = namesystem.getErasureCodingPolicyManager().getByID(policyId);
    LevelEdits.Prepared prepared = edits.prepare(place, file, policyId, xattrs);
    points.reached(Point.CHECKED);
    try {
      edits.write(prepared);
      edits.setPolicy(file, policyId);
      XAttrStorage.updateINodeXAttrs(file, xattrs, place.getLatestSnapshotId());
      for (BlockInfo block : file.getBlocks()) {
        groups.setPolicy(block, policy);
      }
      points.reached(Point.APPLIED);
    } catch (IOException | RuntimeException | Error e) {
      LevelEdits.terminate("level", prepared.path(), e);
    }
  }

  private static long spaceBytes(INodeFile file) {
    long bytes = 0;
    for (BlockInfo block : file.getBlocks()) {
      bytes +=
          ((org.apache.hadoop.hdfs.server.blockmanagement.BlockInfoStriped) block).spaceConsumed();
    }
    return bytes;
  }

  private static long spaceBytes(INodeFile file, ErasureCodingPolicy policy) {
    long bytes = 0;
    for (BlockInfo block : file.getBlocks()) {
      bytes +=
          StripedBlockUtil.spaceConsumedByStripedBlock(
              block.getNumBytes(),
              policy.getNumDataUnits(),
              policy.getNumParityUnits(),
              policy.getCellSize());
    }
    return bytes;
  }

  /**
   * Makes durable what the outcomes say, and writes the audit log. A file may be as it should be by
   * the change of another caller that is not durable yet. Refusals need no log.
   */
  public void sync(List<LevelOutcome> outcomes) throws IOException {
    if (outcomes.stream().anyMatch(each -> each.refusal().isEmpty())) {
      DurableLog.sync(namesystem, OPERATION);
      points.reached(Point.DURABLE);
    }
    for (LevelOutcome each : outcomes) {
      boolean allowed = each.refusal().map(r -> !r.kind().equals("not-owner")).orElse(true);
      if (each.changed() || !allowed) {
        String to = each.to().map(CodePolicy::name).orElse("none");
        namesystem.logAuditEvent(allowed, OPERATION + " (policy=" + to + ")", each.path());
      }
    }
  }

  /**
   * Second step of a change that is durable: surplus units are dropped, missing ones are ordered.
   * Racks of files that lost units are looked at later, see {@link LoweredGroups}. Files that are
   * gone, or open again, are left to {@link #surplus} and to HDFS.
   *
   * @return how many units were dropped
   */
  public int settle(Collection<Long> inodeIds) {
    int dropped = 0;
    NameNodeLock.ALL.writeLock(namesystem);
    try {
      if (!nameNode.isActiveState()) {
        return 0;
      }
      for (long id : inodeIds) {
        INode node = directory.getInode(id);
        if (node != null && node.isFile() && !node.asFile().isUnderConstruction()) {
          INodeFile file = node.asFile();
          int ofFile = Arrays.stream(file.getBlocks()).mapToInt(groups::dropSurplus).sum();
          if (ofFile == 0) {
            blocks.checkRedundancy(file);
          } else {
            lowered.add(file.getBlocks());
          }
          dropped += ofFile;
        }
      }
    } finally {
      NameNodeLock.ALL.writeUnlock(namesystem, OPERATION);
    }
    return dropped;
  }

  /**
   * Completes files that a crash between the two operations of a change left open: they have all
   * their blocks and the new policy. Missing units are ordered, surplus ones left to {@link
   * #surplus}. Call it in an active NameNode out of safe mode. One that was deleted since, and that
   * a snapshot still has, is left: the operation would name a path that leads elsewhere.
   *
   * <p><b>Crash.</b> The file is still open, and completed by the next call.
   *
   * @return paths of these files
   */
  public List<String> completeInterrupted() throws IOException {
    List<String> paths = new ArrayList<>();
    NameNodeLock.ALL.writeLock(namesystem);
    try {
      namesystem.checkOperation(NameNode.OperationCategory.WRITE);
      namesystem.checkNameNodeSafeMode("Cannot complete an interrupted change of level");
      directory.writeLock();
      try {
        for (long id : List.copyOf(namesystem.getLeaseManager().getINodeIdWithLeases())) {
          INode node = directory.getInode(id);
          if (node != null
              && node.isFile()
              && LevelEdits.isInterrupted(node.asFile())
              && CurrentPlace.of(directory, node).isPresent()) {
            paths.add(complete(node.asFile()));
          }
        }
      } finally {
        directory.writeUnlock();
      }
    } finally {
      NameNodeLock.ALL.writeUnlock(namesystem, OPERATION);
    }
    if (!paths.isEmpty()) {
      DurableLog.sync(namesystem, OPERATION);
    }
    return paths;
  }

  private String complete(INodeFile file) throws IOException {
    String path = file.getFullPathName();
    for (BlockInfo block : file.getBlocks()) {
      groups.complete(block);
    }
    namesystem.getLeaseManager().removeLease(file.getId());
    file.toCompleteFile(file.getModificationTime(), 0, blocks.getMinReplication());
    directory.getEditLog().logCloseFile(path, file);
    blocks.checkRedundancy(file);
    return path;
  }

  /** Storages of all nodes that are alive. */
  public List<StripedGroups.StorageReports> storages() {
    return groups.storages();
  }

  /** Units in a storage that their groups' policies do not have. */
  public List<StripedGroups.SurplusUnit> surplus(StripedGroups.StorageReports where) {
    NameNodeLock.BLOCKS.readLock(namesystem);
    try {
      return groups.surplus(where);
    } finally {
      NameNodeLock.BLOCKS.readUnlock(namesystem, "findSurplusUnits");
    }
  }

  /**
   * Drops surplus units that {@link #surplus} has found. What took them from their groups' policies
   * is made durable first, so that no crash brings back a policy whose units are deleted.
   *
   * @return how many
   */
  public int drop(List<StripedGroups.SurplusUnit> found) throws IOException {
    DurableLog.sync(namesystem, "dropSurplusUnits");
    int dropped = 0;
    NameNodeLock.ALL.writeLock(namesystem);
    try {
      if (!isWritable()) {
        return 0;
      }
      for (StripedGroups.SurplusUnit each : found) {
        int ofGroup = groups.dropSurplus(each);
        if (ofGroup > 0) {
          lowered.add(groups.find(each.groupId()));
        }
        dropped += ofGroup;
      }
    } finally {
      NameNodeLock.ALL.writeUnlock(namesystem, "dropSurplusUnits");
    }
    return dropped;
  }

  /** See {@link LoweredGroups#checkDue}. */
  public void checkLowered() {
    lowered.checkDue();
  }

  /** Groups that wait for a unit, in the whole cluster. */
  public long groupsLackingUnits() {
    return blocks.getLowRedundancyECBlockGroups() + blocks.getPendingReconstructionBlocksCount();
  }

  /** Deletions of units that are queued for nodes, in the whole cluster. */
  public long queuedDeletes() {
    return blocks.getPendingDeletionECBlocks();
  }
}

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hdfsparity.raidp.layout.LayoutPlan;
import io.hdfsparity.raidp.layout.LayoutRefusedException;
import io.hdfsparity.raidp.wire.RaidpAdminProtocol;
import io.hdfsparity.raidp.wire.message.AdoptRequest;
import io.hdfsparity.raidp.wire.message.BalanceRequest;
import io.hdfsparity.raidp.wire.message.FailDiskRequest;
import io.hdfsparity.raidp.wire.message.LstorRebuildRequest;
import io.hdfsparity.raidp.wire.message.LstorRebuildStatus;
import io.hdfsparity.raidp.wire.message.ProtectRequest;
import io.hdfsparity.raidp.wire.message.RecoverRequest;
import io.hdfsparity.raidp.wire.message.TextResponse;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.LongSupplier;
import org.apache.hadoop.hdfs.server.blockmanagement.NameNodeAccess;
import org.apache.hadoop.hdfs.server.blockmanagement.NameNodeAccess.Node;
import org.apache.hadoop.ipc.StandbyException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers administrators. What changes state, or reads every disk, needs superuser rights.
 * Thread-safe.
 */
final class AdminCalls implements RaidpAdminProtocol {
  private static final Logger LOG = LoggerFactory.getLogger(AdminCalls.class);
  private static final int FAILED = -1;
  private final NameNodeAccess access;
  private final HdfsNamespace namespace;
  private final ManagerState state;
  private final LstorRebuildCalls rebuilds;
  private final ProtectionCalls protection;
  private final Balances balances;
  private final Times times;
  private final FsckCalls checks;
  private final DiskFailures failures;

  /**
   * Clocks and pauses.
   *
   * @param pause between two looks of fsck
   * @param clockMs the manager's clock
   * @param wallClockMs time of day, from which ids of superchunks are made
   */
  record Times(Fsck.Pause pause, LongSupplier clockMs, LongSupplier wallClockMs) {}

  AdminCalls(
      NameNodeAccess access,
      HdfsNamespace namespace,
      ManagerState state,
      FsckPeers peers,
      LstorRebuildCalls rebuilds,
      ProtectionCalls protection,
      Balances balances,
      Times times) {
    this.access = access;
    this.namespace = namespace;
    this.state = state;
    this.checks =
        new FsckCalls(
            state.map()::view,
            namespace,
            () -> state.unheard().lacking(namespace.nodes()),
            peers,
            times);
    this.rebuilds = rebuilds;
    this.protection = protection;
    this.balances = balances;
    this.times = times;
    this.failures = new DiskFailures(state);
  }

  @Override
  public TextResponse status(List<String> args) throws IOException {
    noArguments("status", args);
    requireActive("tell the status");
    Documents documents = documents();
    ObjectNode doc =
        documents.status(
            access.isActive(),
            state.isAttached(),
            state.grants().openGrants(),
            state.recovery().status(),
            failures.lacking(),
            state.map().outstanding().size());
    Documents.putMissing(doc, state.missing(namespace.nodes()));
    CoverageLeft.of(state, namespace.nodes()).put(doc.putObject("coverage"));
    doc.put("replicationsLowered", access.loweredFiles());
    balances.put(doc.putObject("balance"));
    state.repair().ifPresent(repair -> Documents.putRepair(doc, repair.progress()));
    return new TextResponse(doc.toString(), 0);
  }

  @Override
  public TextResponse layout(List<String> args) throws IOException {
    noArguments("layout", args);
    requireActive("tell the layout");
    return new TextResponse(documents().layout().toString(), 0);
  }

  @Override
  public TextResponse applyLayout(DryRun dryRun) throws IOException {
    requireActive("apply a layout");
    access.checkSuperuser("raidp.applyLayout");
    try {
      LayoutPlan plan =
          state
              .layout()
              .plan(ShapeOfCluster.byUuid(namespace.nodes()), times.wallClockMs().getAsLong());
      if (dryRun == DryRun.NO) {
        state.layout().apply(plan);
        LOG.info(
            "Applied a layout: new superchunks={} method={}", plan.added().size(), plan.method());
      }
      ObjectNode doc = JsonNodeFactory.instance.objectNode();
      doc.put("applied", dryRun == DryRun.NO);
      doc.put("added", plan.added().size());
      doc.put("method", plan.method().name());
      ClusterView view = state.map().view();
      ArrayNode pairs = doc.putArray("superchunks");
      plan.added()
          .forEach(
              p ->
                  pairs
                      .addObject()
                      .put("id", p.id())
                      .put("leader", view.name(ShapeOfCluster.ref(p.leader())))
                      .put("follower", view.name(ShapeOfCluster.ref(p.follower()))));
      ArrayNode notes = doc.putArray("notes");
      plan.notes().forEach(notes::add);
      return new TextResponse(doc.toString(), 0);
    } catch (LayoutRefusedException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  @Override
  public TextResponse failDisk(FailDiskRequest request) throws IOException {
    requireActive("fail a disk");
    access.checkSuperuser("raidp.failDisk");
    DiskFailures.Declared declared = failures.declare(request);
    LOG.warn(
        "Disk {} of node {} was declared failed by an administrator, {}",
        declared.disk().diskId(),
        declared.disk().nodeUuid(),
        declared
            .unchecked()
            .map(why -> "not checked for last replicas: " + why)
            .orElse("checked for last replicas: none"));
    ObjectNode doc = document(declared.disk()).put("frames", declared.disk().frames());
    declared.unchecked().ifPresent(why -> doc.put("notChecked", why));
    return new TextResponse(doc.toString(), 0);
  }

  @Override
  public TextResponse withdrawFailedDisk(String diskId) throws IOException {
    requireActive("withdraw the failure of a disk");
    access.checkSuperuser("raidp.withdrawFailedDisk");
    if (!state.map().withdrawFailed(diskId)) {
      throw new IOException(
          "Cannot withdraw the failure of a disk: disk="
              + diskId
              + ", expected one that -failDisk has declared failed since this NameNode became active");
    }
    LOG.warn("An administrator has withdrawn that disk {} is failed", diskId);
    DiskView disk = state.map().view().disks().getOrDefault(diskId, DiskView.UNKNOWN);
    return new TextResponse(
        document(disk).put("disk", diskId).put("health", disk.health().name()).toString(), 0);
  }

  private static ObjectNode document(DiskView disk) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("disk", disk.diskId())
        .put("node", disk.nodeUuid())
        .put("path", disk.path());
  }

  @Override
  public TextResponse recover(RecoverRequest request) throws IOException {
    requireActive("recover");
    access.checkSuperuser("raidp.recover");
    state.recovery().recover(request, times.clockMs().getAsLong());
    return recoveryAnswer();
  }

  @Override
  public TextResponse recoveryStatus(List<String> args) throws IOException {
    noArguments("recoveryStatus", args);
    requireActive("tell of a recovery");
    return recoveryAnswer();
  }

  private TextResponse recoveryAnswer() {
    // Before the view: an older one may lack sides that the recovery has brought back since.
    RecoveryStatus status = state.recovery().status();
    OptionalLong missing = state.repair().map(BlockRepair::missing).orElse(OptionalLong.empty());
    ClusterView view = state.map().view();
    Map<String, Node> nodes = ShapeOfCluster.byUuid(namespace.nodes());
    int postponed = new NodesInMaintenance(view, nodes.values()).superchunks().size();
    return RecoveryAnswer.of(status, view, postponed, new Documents(view, nodes), missing);
  }

  @Override
  public TextResponse fsck(List<String> args) throws IOException {
    FsckOptions options = FsckOptions.parse("fsck", args);
    requireActive("check");
    access.checkSuperuser("raidp.fsck");
    return checks.answer(options, Fsck::run);
  }

  @Override
  public TextResponse scrub(List<String> args) throws IOException {
    FsckOptions options = FsckOptions.parse("scrub", args);
    requireActive("scrub");
    access.checkSuperuser("raidp.scrub");
    if (options.diskId().isPresent()
        && !state.map().view().disks().containsKey(options.diskId().get())) {
      throw new IOException(
          "Cannot scrub: disk=" + options.diskId().get() + ", expected one of -status");
    }
    return checks.answer(options, Fsck::scrubOnly);
  }

  @Override
  public TextResponse lstors(List<String> args) throws IOException {
    noArguments("lstors", args);
    requireActive("list Lstors");
    return new TextResponse(documents().lstors().toString(), 0);
  }

  @Override
  public TextResponse rebuildLstor(LstorRebuildRequest request) throws IOException {
    requireActive("rebuild an Lstor");
    access.checkSuperuser("raidp.rebuildLstor");
    LstorRebuildStatus status = rebuilds.run(request);
    if (request.action() == LstorRebuildRequest.Action.START) {
      LOG.info(
          "Rebuild of the Lstor of disk {} was asked for by an administrator", status.diskId());
    }
    ObjectNode doc = JsonNodeFactory.instance.objectNode();
    doc.put("disk", status.diskId())
        .put("phase", status.phase().name())
        .put("counted", status.counted())
        .put("done", status.done())
        .put("total", status.total())
        .put("detail", status.detail());
    return new TextResponse(
        doc.toString(), status.phase() == LstorRebuildStatus.Phase.FAILED ? FAILED : 0);
  }

  @Override
  public TextResponse protect(ProtectRequest request) throws IOException {
    requireActive("change the protection");
    access.checkSuperuser("raidp.protect");
    return protection.protect(request);
  }

  @Override
  public TextResponse adopt(AdoptRequest request) throws IOException {
    requireActive("look at files");
    access.checkSuperuser("raidp.adopt");
    return protection.adopt(request);
  }

  @Override
  public TextResponse balance(BalanceRequest request) throws IOException {
    requireActive("balance");
    access.checkSuperuser("raidp.balance");
    return balances.answer(request);
  }

  private Documents documents() {
    return documents(state.map().view());
  }

  private Documents documents(ClusterView view) {
    return new Documents(view, ShapeOfCluster.byUuid(namespace.nodes()));
  }

  private void requireActive(String operation) throws StandbyException {
    if (!access.isActive()) {
      throw new StandbyException(
          "Cannot " + operation + ": this NameNode is a standby, expected the active one");
    }
  }

  private static void noArguments(String call, List<String> args) throws IOException {
    requireOnly(call, args, List.of());
  }

  private static void requireOnly(String call, List<String> args, List<String> known)
      throws IOException {
    for (String arg : args) {
      if (!known.contains(arg)) {
        throw new IOException(
            "Cannot " + call + ": argument=" + arg + ", expected one of " + known);
      }
    }
  }
}

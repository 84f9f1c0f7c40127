/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.hdfsparity.raidp.config.Coefficients;
import io.hdfsparity.raidp.config.ManagerOptions;
import io.hdfsparity.raidp.wire.message.DiskReport;
import io.hdfsparity.raidp.wire.message.DiskState;
import io.hdfsparity.raidp.wire.message.FrameRef;
import io.hdfsparity.raidp.wire.message.FrameReport;
import io.hdfsparity.raidp.wire.message.LstorReport;
import io.hdfsparity.raidp.wire.message.NodeIdentity;
import io.hdfsparity.raidp.wire.message.NodeReport;
import io.hdfsparity.raidp.wire.message.NodeReportResponse;
import io.hdfsparity.raidp.wire.message.Pairing;
import io.hdfsparity.raidp.wire.message.PeerAddress;
import io.hdfsparity.raidp.wire.message.RebuildOrder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.Server;
import org.apache.hadoop.security.AccessControlException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** How the manager takes in and answers reports of several nodes. */
class NodeReportsTest {
  private static final long DEAD_MS = 20_000;

  private final AtomicLong nowMs = new AtomicLong();
  private boolean failsToBuild;
  private final SuperchunkMap map =
      new SuperchunkMap(
          new ManagerOptions.Silence(10_000, DEAD_MS),
          Coefficients.THREE,
          0,
          (orders, coefficients, frames) -> {
            if (failsToBuild) {
              throw new IllegalStateException("no builder");
            }
            return new ClusterViewBuilder(orders, coefficients, frames);
          });
  private final Grants grants = new Grants(60_000);
  private List<String> unneeded = List.of();
  private final NodeOrders orders =
      new NodeOrders() {
        @Override
        public List<RebuildOrder> rebuilds(String nodeUuid) {
          return List.of();
        }

        @Override
        public List<String> unneededDisks(String nodeUuid) {
          return unneeded;
        }
      };
  private final NodeReports reports =
      new NodeReports(
          map,
          new NodeRoster(Map.of(), addresses -> {}),
          id ->
              Optional.of(
                  new Registrations.Registered(
                      addressOf(id), Set.of(), Set.of(id.substring(1), "of-" + id))),
          grants,
          orders,
          () -> "CID",
          () -> true,
          nowMs::get,
          DEAD_MS);

  private static String addressOf(String nodeUuid) {
    return "192.0.2." + (1 + nodeUuid.charAt(1) - 'a');
  }

  private static FrameReport paired(String storageId, int index, String partner, int freeUnits) {
    int id = 100 * Math.min(storageId.charAt(0), partner.charAt(0)) + index;
    return new FrameReport(
        storageId,
        index,
        Optional.of(new Pairing(id, 1, partner, "n" + partner, 1)),
        new FrameReport.Load(freeUnits, 0, 1, 0, 0),
        false);
  }

  private static NodeReport changes(NodeReport full, OptionalLong receipt, FrameReport... frames) {
    return new NodeReport(
        full.node(),
        frames.length == 0 ? List.of() : List.of(full.disks().get(0).withFrames(List.of(frames))),
        List.of(),
        receipt);
  }

  private NodeReportResponse send(NodeReport report) throws IOException {
    return reports.reportNode(report);
  }

  /** An older report must not overwrite what a newer one says. */
  @Test
  void freeUnitsAreThoseOfTheReportThatTheMapHas() throws Exception {
    send(Reports.node("na", paired("a", 0, "b", 100)));
    List<Thread> senders = new ArrayList<>();
    synchronized (grants) {
      for (int i = 1; i <= 4; i++) {
        NodeReport report = Reports.node("na", paired("a", 0, "b", 100 - i));
        Thread sender = new Thread(() -> sendUnchecked(report));
        sender.start();
        senders.add(sender);
        Awaitility.await().until(() -> sender.getState() == Thread.State.BLOCKED);
      }
    }
    for (Thread sender : senders) {
      sender.join();
    }
    int newest =
        map.view().nodes().get("na").report().disks().get(0).frames().get(0).load().freeUnits();
    FrameRef a = new FrameRef("a", 0);
    assertThat(grants.available(a, a, 0)).isEqualTo(newest);
  }

  private void sendUnchecked(NodeReport report) {
    try {
      send(report);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aReportWithoutChangesCostsTheSameWhateverTheNodeHas() throws IOException {
    long few = bytesOfAnEmptyReport("na", 16);
    long many = bytesOfAnEmptyReport("nb", 16_384);
    assertThat(many).isLessThan(few + 16_384);
  }

  private long bytesOfAnEmptyReport(String node, int frames) throws IOException {
    List<FrameReport> all = new ArrayList<>();
    for (int f = 0; f < frames; f++) {
      all.add(paired(node.substring(1), f, "z", 100));
    }
    NodeReport full = Reports.node(node, all.toArray(FrameReport[]::new));
    OptionalLong receipt = send(full).receipt();
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long fewest = Long.MAX_VALUE;
    for (int i = 0; i < 10; i++) {
      long before = threads.getCurrentThreadAllocatedBytes();
      receipt = send(changes(full, receipt)).receipt();
      fewest = Math.min(fewest, threads.getCurrentThreadAllocatedBytes() - before);
    }
    return fewest;
  }

  @Test
  void whatHasNotChangedIsToldOnceAndThatAPartnerIsGoneEachTime() throws IOException {
    NodeReport a = Reports.node("na", paired("a", 0, "b", 9), paired("a", 1, "c", 9));
    NodeReport b = Reports.node("nb", paired("b", 0, "a", 9));
    OptionalLong receipt = send(a).receipt();
    send(b);
    NodeReportResponse next = send(changes(a, receipt));
    assertThat(next.peers()).as("b is new").containsExactly(new PeerAddress("nb", "host-nb", 2));
    assertThat(next.goneStorageIds()).isEmpty();
    next = send(changes(a, next.receipt()));
    assertThat(next.peers()).isEmpty();
    next = send(changes(a, next.receipt(), paired("a", 0, "b", 8)));
    assertThat(next.peers()).isEmpty();

    NodeIdentity id = b.node();
    send(
        new NodeReport(
            new NodeIdentity("nb", id.hostName(), 1, "elsewhere", 7, "CID", 2),
            b.disks(),
            List.of()));
    next = send(changes(a, next.receipt()));
    assertThat(next.peers()).containsExactly(new PeerAddress("nb", "elsewhere", 7));

    send(Reports.node("nb", DiskState.DISK_FAILED, paired("b", 0, "a", 9)));
    next = send(changes(a, next.receipt()));
    assertThat(next.goneStorageIds()).containsExactly("b");
    next = send(changes(a, next.receipt(), paired("a", 0, "b", 7)));
    assertThat(next.goneStorageIds()).as("a node forgets what is not said").containsExactly("b");
    nowMs.set(DEAD_MS + 1);
    next = send(changes(a, next.receipt()));
    assertThat(next.goneStorageIds()).containsExactly("b", "c");
    send(b);
    next = send(changes(a, next.receipt()));
    assertThat(next.goneStorageIds()).containsExactly("c");

    assertThat(send(a).peers()).as("a full report has it all").hasSize(1);
  }

  /** It may have been told of too few replicas yet. */
  @Test
  void aManagerThatHasJustStartedSaysOfNoDiskThatItIsUnneeded() throws IOException {
    unneeded = List.of("na-d");
    assertThat(send(Reports.node("na", Reports.spare("a", 0))).disks().unneededIds()).isEmpty();
    nowMs.set(DEAD_MS + 1);
    assertThat(send(Reports.node("na", Reports.spare("a", 0))).disks().unneededIds())
        .containsExactly("na-d");
  }

  @Test
  void aNodeWhoseReportFailedIsRefusedForAWhile() throws IOException {
    NodeReport good = Reports.node("na", paired("a", 0, "b", 9));
    OptionalLong receipt = send(good).receipt();
    DiskReport broken =
        new DiskReport("na-d", "/na", DiskState.DISK_FAILED, Optional.empty(), List.of(), null);
    NodeReport failing = new NodeReport(good.node(), List.of(broken), List.of());
    assertThatThrownBy(() -> send(failing)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> send(good))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("node=na")
        .hasMessageContaining("failed in the manager");
    send(Reports.node("nb", paired("b", 0, "a", 9)));
    assertThat(map.view().count(SuperchunkState.ACTIVE)).as("others are taken in").isEqualTo(1);
    nowMs.set(10_000);
    assertThat(send(changes(good, receipt)).receipt()).as("the last good one counts").isPresent();
  }

  /** It stays broken for a while; who reports meanwhile is not refused for longer than that. */
  @Test
  void aNodeIsNotRefusedForWhatAnotherHasBroken() throws IOException {
    NodeReport other = Reports.node("nb", Reports.spare("b", 0));
    map.report(Reports.node("na", Reports.spare("a", 0)), 0);
    map.report(BrokenMapTest.poison("a"), 0);
    assertThatThrownBy(() -> map.declareFailed("na-d")).isInstanceOf(NullPointerException.class);
    failsToBuild = true;
    assertThatThrownBy(() -> send(other))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("Cannot take a report in: node=nb")
        .hasMessageContaining("Cannot rebuild the view");
    failsToBuild = false;
    assertThatThrownBy(() -> send(Reports.node("nc", Reports.spare("c", 0))))
        .as("each attempt costs a view of the whole cluster")
        .hasMessageContaining("the map of superchunks could not be rebuilt");
    nowMs.set(10_000);
    assertThat(send(other).receipt()).isPresent();
    assertThat(send(Reports.node("nc", Reports.spare("c", 0))).receipt()).isPresent();
  }

  /** As the Lstor daemon of a host sends it. */
  private void sendFrom(String host, LstorReport report) throws IOException {
    Server.getCurCall()
        .set(
            new Server.Call(0, 0, null, null, RPC.RpcKind.RPC_PROTOCOL_BUFFER, new byte[0]) {
              @Override
              public InetAddress getHostInetAddress() {
                try {
                  return InetAddress.getByName(addressOf(host));
                } catch (UnknownHostException e) {
                  throw new UncheckedIOException(e);
                }
              }
            });
    try {
      reports.reportLstor(report);
    } finally {
      Server.getCurCall().remove();
    }
  }

  /** The Lstor of a disk that is served on some host. */
  private static LstorReport lstor(String diskId, String nodeUuid, String host) {
    return new LstorReport(
        diskId, "CID", nodeUuid, "host-" + host, 3, false, List.of(), Optional.empty());
  }

  private static NodeReport withDisk(String nodeUuid, String diskId, DiskState state) {
    NodeReport own = Reports.node(nodeUuid, state, Reports.spare("of-" + nodeUuid, 0));
    DiskReport disk = own.disks().get(0);
    DiskReport moved =
        new DiskReport(diskId, disk.path(), state, disk.geometry(), disk.frames(), disk.failure());
    return new NodeReport(own.node(), List.of(moved), List.of());
  }

  private String hostOfLstor(String diskId) {
    return map.view().lstors().get(diskId).report().host();
  }

  /** What it serves as the parity of that disk would be rebuilt into blocks. */
  @Test
  void aNodeCannotServeTheLstorOfAnotherNodesDisk() throws IOException {
    send(withDisk("na", "d", DiskState.DISK_FAILED));
    sendFrom("na", lstor("d", "na", "na"));
    send(Reports.node("nb", Reports.spare("b", 0)));
    assertThatThrownBy(() -> sendFrom("nb", lstor("d", "nb", "nb")))
        .isInstanceOf(AccessControlException.class)
        .hasMessageContaining("address=192.0.2.2, expected 192.0.2.1");
    assertThatThrownBy(() -> sendFrom("nb", lstor("d", "na", "nb")))
        .isInstanceOf(AccessControlException.class);
    assertThat(hostOfLstor("d")).isEqualTo("host-na");
  }

  /** An Lstor names the node that has formatted it. */
  @Test
  void aNodeServesTheLstorOfADiskThatWasPutIntoIt() throws IOException {
    send(withDisk("na", "d", DiskState.DISK_FAILED));
    sendFrom("na", lstor("d", "na", "na"));
    send(withDisk("nb", "d", DiskState.OK));
    sendFrom("nb", lstor("d", "na", "nb"));
    assertThat(hostOfLstor("d")).isEqualTo("host-nb");
  }

  /**
   * The NameNode has restarted, and the DataNode of the disk is down. The disk was moved, and a
   * file was left behind; or a host has invented it.
   */
  @Test
  void anLstorThatTwoHostsServeIsReadAtNeither() throws IOException {
    sendFrom("na", lstor("d", "na", "na"));
    assertThat(map.view().readableLstor("d")).as("nobody else has claimed it").isPresent();
    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(() -> sendFrom("nb", lstor("d", "nb", "nb")))
          .isInstanceOf(AccessControlException.class)
          .hasMessageContainingAll("na at host-na:3", "nb at host-nb:3");
      assertThat(map.view().readableLstor("d")).isEmpty();
      sendFrom("na", lstor("d", "na", "na"));
      assertThat(map.view().readableLstor("d")).isEmpty();
    }
    assertThat(map.view().problems())
        .filteredOn(problem -> problem.kind() == Problem.Kind.LSTOR_FAILED)
        .singleElement()
        .satisfies(
            problem ->
                assertThat(problem.detail())
                    .contains("na at host-na:3", "nb at host-nb:3", "lstor-d"));

    send(withDisk("nb", "d", DiskState.DISK_FAILED));
    sendFrom("nb", lstor("d", "nb", "nb"));
    assertThat(map.view().readableLstor("d")).isPresent();
    assertThat(hostOfLstor("d")).isEqualTo("host-nb");
    assertThat(map.view().problems())
        .noneMatch(problem -> problem.kind() == Problem.Kind.LSTOR_FAILED);
    assertThatThrownBy(() -> sendFrom("na", lstor("d", "na", "na")))
        .isInstanceOf(AccessControlException.class);
  }

  /** It was the only one that was known; now it is known to be wrong. */
  @Test
  void anLstorIsNotReadOnceTheDataNodeOfItsDiskIsAnotherOne() throws IOException {
    sendFrom("na", lstor("d", "na", "na"));
    send(withDisk("nb", "d", DiskState.DISK_FAILED));
    assertThat(map.view().readableLstor("d")).isEmpty();
    assertThatThrownBy(() -> sendFrom("na", lstor("d", "na", "na")))
        .isInstanceOf(AccessControlException.class);
    sendFrom("nb", lstor("d", "nb", "nb"));
    assertThat(map.view().readableLstor("d")).isPresent();
    assertThat(hostOfLstor("d")).isEqualTo("host-nb");
  }

  @Test
  void theOtherHostIsReadWhenAnLstorIsServedAtOneHostOnly() throws IOException {
    sendFrom("na", lstor("d", "na", "na"));
    assertThatThrownBy(() -> sendFrom("nb", lstor("d", "nb", "nb")))
        .isInstanceOf(AccessControlException.class);
    nowMs.addAndGet(DEAD_MS + 1);
    sendFrom("nb", lstor("d", "nb", "nb"));
    assertThat(map.view().readableLstor("d")).isPresent();
    assertThat(hostOfLstor("d")).isEqualTo("host-nb");
  }

  /** It may have been formatted again there; who of the dead has had the disk last is not known. */
  @Test
  void aDeadNodesHostServesTheLstorOfADiskThatWasPutIntoIt() throws IOException {
    for (String last : List.of("na", "nb")) {
      String first = last.equals("na") ? "nb" : "na";
      String diskId = "d-" + last;
      send(withDisk(first, diskId, DiskState.DISK_FAILED));
      send(withDisk(last, diskId, DiskState.DISK_FAILED));
      sendFrom(last, lstor(diskId, last, last));
      assertThat(hostOfLstor(diskId)).isEqualTo("host-" + last);
      send(new NodeReport(Reports.node(first).node(), List.of(), List.of()));
    }
  }
}

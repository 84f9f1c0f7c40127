/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.bridge.wire.Calls;
import io.hdfsparity.bridge.wire.GuardedService;
import io.hdfsparity.bridge.wire.RpcProxies;
import io.hdfsparity.bridge.wire.RpcServers;
import io.hdfsparity.bridge.wire.ServedProtocol;
import io.hdfsparity.raidp.config.LockGranularity;
import io.hdfsparity.raidp.config.RebuildPace;
import io.hdfsparity.raidp.lstor.LstorGeometry;
import io.hdfsparity.raidp.lstor.Run;
import io.hdfsparity.raidp.lstor.SlotCoverage;
import io.hdfsparity.raidp.lstor.SlotEntry;
import io.hdfsparity.raidp.lstor.SlotState;
import io.hdfsparity.raidp.lstor.SlotStatus;
import io.hdfsparity.raidp.wire.message.Assignment;
import io.hdfsparity.raidp.wire.message.BalanceRequest;
import io.hdfsparity.raidp.wire.message.DiskOrders;
import io.hdfsparity.raidp.wire.message.DiskReport;
import io.hdfsparity.raidp.wire.message.DiskState;
import io.hdfsparity.raidp.wire.message.ExpectedBlock;
import io.hdfsparity.raidp.wire.message.FailDiskRequest;
import io.hdfsparity.raidp.wire.message.FrameRef;
import io.hdfsparity.raidp.wire.message.FrameReport;
import io.hdfsparity.raidp.wire.message.HealReport;
import io.hdfsparity.raidp.wire.message.HealRequest;
import io.hdfsparity.raidp.wire.message.ImageKind;
import io.hdfsparity.raidp.wire.message.ImageRequest;
import io.hdfsparity.raidp.wire.message.LstorInfo;
import io.hdfsparity.raidp.wire.message.LstorRebuildRequest;
import io.hdfsparity.raidp.wire.message.LstorRebuildStatus;
import io.hdfsparity.raidp.wire.message.LstorReport;
import io.hdfsparity.raidp.wire.message.LstorSource;
import io.hdfsparity.raidp.wire.message.Mirror;
import io.hdfsparity.raidp.wire.message.NodeIdentity;
import io.hdfsparity.raidp.wire.message.NodeReport;
import io.hdfsparity.raidp.wire.message.NodeReportResponse;
import io.hdfsparity.raidp.wire.message.Pairing;
import io.hdfsparity.raidp.wire.message.PeerAddress;
import io.hdfsparity.raidp.wire.message.RebuildCounts;
import io.hdfsparity.raidp.wire.message.RebuildObstacle;
import io.hdfsparity.raidp.wire.message.RebuildOrder;
import io.hdfsparity.raidp.wire.message.RebuildPhase;
import io.hdfsparity.raidp.wire.message.RebuildStatus;
import io.hdfsparity.raidp.wire.message.RecoverRequest;
import io.hdfsparity.raidp.wire.message.ScrubFinding;
import io.hdfsparity.raidp.wire.message.ScrubReport;
import io.hdfsparity.raidp.wire.message.ScrubRequest;
import io.hdfsparity.raidp.wire.message.SuperchunkAnswer;
import io.hdfsparity.raidp.wire.message.SuperchunkRef;
import io.hdfsparity.raidp.wire.message.SuperchunkRequest;
import io.hdfsparity.raidp.wire.message.TextResponse;
import io.hdfsparity.raidp.wire.proto.RaidpProtos.RaidpNodeService;
import io.hdfsparity.raidp.wire.proto.RaidpProtos.RecoverRequestProto;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.InetSocketAddress;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.StandbyException;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authorize.AuthorizationException;
import org.apache.hadoop.thirdparty.protobuf.BlockingService;
import org.apache.hadoop.thirdparty.protobuf.DescriptorProtos.FileDescriptorProto;
import org.apache.hadoop.thirdparty.protobuf.DescriptorProtos.ServiceDescriptorProto;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.DescriptorValidationException;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.FileDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.MethodDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.ServiceDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.thirdparty.protobuf.RpcController;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Every call of every protocol over a real connection: what goes in comes out on the other side,
 * both ways.
 */
class WireTest {
  private static final InetSocketAddress ANY = new InetSocketAddress("127.0.0.1", 0);
  private static final int TIMEOUT_MS = 10_000;
  private final Configuration conf = new Configuration();
  private final Deque<AutoCloseable> open = new ArrayDeque<>();
  private final List<Object> received = new ArrayList<>();
  private Object answer;

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable each : open) {
      each.close();
    }
  }

  /** Records the arguments of each call and gives the prepared answer. */
  private <T> T recorder(Class<T> protocol) {
    return protocol.cast(
        Proxy.newProxyInstance(
            protocol.getClassLoader(),
            new Class<?>[] {protocol},
            (p, method, args) -> {
              received.clear();
              received.add(method.getName());
              received.addAll(args == null ? List.of() : Arrays.asList(args));
              if (answer instanceof Exception e) {
                throw e;
              }
              return answer;
            }));
  }

  private InetSocketAddress start(RPC.Server server) {
    server.start();
    open.addLast(server::stop);
    return server.getListenerAddress();
  }

  private <T extends AutoCloseable> T client(T client) {
    open.addFirst(client);
    return client;
  }

  private void assertReceived(Object... expected) {
    assertThat(received).containsExactly(expected);
  }

  private static SlotEntry entry(SlotState state) {
    return new SlotEntry(
        3,
        -17L,
        1L << 40,
        List.of(new Run(0, 2), new Run(9, 1)),
        new SlotCoverage((3L << 20) - 5, true, 2, 512, 1),
        new SlotStatus(state, true, false));
  }

  private static FrameReport frame(boolean paired) {
    return new FrameReport(
        "DS-1",
        4,
        paired ? Optional.of(new Pairing(1L << 50, 9, "DS-2", "u2", 1)) : Optional.empty(),
        new FrameReport.Load(7, 1L << 33, 5, 1L << 34, 6),
        paired);
  }

  private RaidpPeerProtocol peer() throws IOException {
    return client(
        new PeerClientTranslator(
            start(
                RpcServers.build(
                    conf, ANY, 2, RaidpProtocols.peer(() -> recorder(RaidpPeerProtocol.class)))),
            conf,
            TIMEOUT_MS));
  }

  @Test
  void peerCalls() throws Exception {
    RaidpPeerProtocol peer = peer();
    SuperchunkRef ref = new SuperchunkRef(1L << 50, 8);
    answer = List.of(new Run(5, 6), new Run(100, 1));
    assertThat(peer.allocate(ref, -3, 7, Optional.of(entry(SlotState.LIMBO)))).isEqualTo(answer);
    assertReceived("allocate", ref, -3L, 7, Optional.of(entry(SlotState.LIMBO)));
    peer.allocate(ref, 4, 1, Optional.empty());
    assertReceived("allocate", ref, 4L, 1, Optional.empty());

    answer = Optional.of(entry(SlotState.LIVE));
    assertThat(peer.covered(ref, 5, 1001, 1L << 35, List.of(new Run(3, 2)))).isEqualTo(answer);
    assertReceived("covered", ref, 5L, 1001L, 1L << 35, List.of(new Run(3, 2)));
    answer = Optional.empty();
    assertThat(peer.covered(ref, 5, 1001, 0, List.of())).isEmpty();

    answer = true;
    assertThat(peer.released(ref, 6)).isTrue();
    assertReceived("released", ref, 6L);

    answer = Long.MIN_VALUE + 7;
    assertThat(peer.releaseTicket()).isEqualTo(Long.MIN_VALUE + 7);
    assertReceived("releaseTicket");
    answer = List.of(6L);
    assertThat(peer.release("DS-9", ref, Map.of(6L, 1001L), -9)).containsExactly(6L);
    assertReceived("release", "DS-9", ref, Map.of(6L, 1001L), -9L);

    answer = List.of(entry(SlotState.RESERVED), entry(SlotState.LIVE));
    assertThat(peer.listEntries("DS-9")).isEqualTo(answer);
    assertReceived("listEntries", "DS-9", OptionalLong.empty());
    assertThat(peer.listEntries("DS-9", OptionalLong.of(1L << 40))).isEqualTo(answer);
    assertReceived("listEntries", "DS-9", OptionalLong.of(1L << 40));

    answer =
        new ScrubReport(
            1L << 36,
            12,
            2,
            List.of(
                new ScrubFinding(
                    "d1", "parity", "differs", true, Optional.of("DS-1"), OptionalLong.of(-8)),
                new ScrubFinding(
                    "d2", "header", "gone", false, Optional.empty(), OptionalLong.empty())));
    ScrubRequest scrub = new ScrubRequest(Optional.of("d1"), true, false);
    assertThat(peer.scrub(scrub)).isEqualTo(answer);
    assertReceived("scrub", scrub);
    for (ScrubRequest each :
        List.of(
            ScrubRequest.watch(),
            ScrubRequest.stop(),
            new ScrubRequest(Optional.empty(), false, true, ScrubRequest.Action.RUN, 1L << 40))) {
      answer = new ScrubReport(1, 2, 3, List.of(), 1L << 33, 1L << 34);
      assertThat(peer.scrub(each)).isEqualTo(answer);
      assertReceived("scrub", each);
    }
    for (LstorRebuildStatus.Phase phase : LstorRebuildStatus.Phase.values()) {
      answer = new LstorRebuildStatus("d1", phase, "units", 1L << 33, 1L << 34, "why");
      LstorRebuildRequest rebuild = new LstorRebuildRequest("d1", LstorRebuildRequest.Action.START);
      assertThat(peer.rebuildLstor(rebuild)).isEqualTo(answer);
      assertReceived("rebuildLstor", rebuild);
    }

    HealRequest heal = new HealRequest("DS-9", -6, 1002, 1L << 33);
    for (HealReport.Outcome outcome : HealReport.Outcome.values()) {
      answer = new HealReport(outcome, "why");
      assertThat(peer.heal(heal)).isEqualTo(answer);
      assertReceived("heal", heal);
    }
  }

  @Test
  void imagesAreCheckedForLength() throws Exception {
    RaidpPeerProtocol peer = peer();
    ImageRequest request =
        new ImageRequest(
            "DS-1", 5, 1001, 1 << 20, ImageKind.META, 7, 3, Optional.of(new SuperchunkRef(9, 4)));
    answer = new byte[] {1, 2, 3};
    assertThat(peer.readImage(request)).containsExactly(1, 2, 3);
    assertReceived("readImage", request);
    answer = new byte[] {1, 2};
    assertThatThrownBy(() -> peer.readImage(request)).hasMessageContaining("bytes=2, expected 3");
  }

  @Test
  void aWrongByteOnTheWireIsFound() {
    byte[] data = {1, 2, 3};
    int crc = WireChecksum.of(data);
    data[1] ^= 4;
    assertThatThrownBy(
            () ->
                WireChecksum.verified(
                    "image",
                    org.apache.hadoop.thirdparty.protobuf.ByteString.copyFrom(data),
                    crc,
                    3))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("as the sender computed it");
  }

  @Test
  void whatTheOtherSideThrowsComesOver() throws Exception {
    RaidpPeerProtocol peer = peer();
    answer = new AccessControlException("no, because of x=1");
    assertThatThrownBy(() -> peer.listEntries("DS-1"))
        .isInstanceOf(AccessControlException.class)
        .hasMessageContaining("no, because of x=1");
  }

  @Test
  void lstorCalls() throws Exception {
    RaidpLstorProtocol lstor =
        client(
            new LstorClientTranslator(
                start(
                    RpcServers.build(
                        conf, ANY, 2, RaidpProtocols.lstor(recorder(RaidpLstorProtocol.class)))),
                conf,
                TIMEOUT_MS));
    answer =
        new LstorInfo(
            "d1",
            "CID",
            LstorGeometry.of(4, 100, 1 << 20),
            List.of(frame(true), frame(false)),
            1L << 33,
            true,
            5,
            6);
    assertThat(lstor.info("d1")).isEqualTo(answer);
    assertReceived("info", "d1");
    answer = List.of(entry(SlotState.LIVE));
    assertThat(lstor.entries("d1", OptionalInt.of(0))).isEqualTo(answer);
    assertReceived("entries", "d1", OptionalInt.of(0));
    lstor.entries("d1", OptionalInt.empty());
    assertReceived("entries", "d1", OptionalInt.empty());
    answer = new byte[] {9, 8};
    assertThat(lstor.readParity("d1", ImageKind.DATA, 1L << 35, 2)).containsExactly(9, 8);
    assertReceived("readParity", "d1", ImageKind.DATA, 1L << 35, 2);
  }

  private InetSocketAddress manager() throws IOException {
    return start(
        RpcServers.build(
            conf,
            ANY,
            2,
            RaidpProtocols.node(recorder(RaidpNodeProtocol.class)),
            RaidpProtocols.admin(recorder(RaidpAdminProtocol.class))));
  }

  @Test
  void reports() throws Exception {
    RaidpNodeProtocol node = client(new NodeClientTranslator(manager(), conf, TIMEOUT_MS));
    NodeReport report =
        new NodeReport(
            new NodeIdentity("u1", "h1", 9866, "p1", 9876, "CID", 77),
            List.of(
                new DiskReport(
                    "d1",
                    "/d1",
                    DiskState.OK,
                    Optional.of(LstorGeometry.of(4, 100, 1 << 20)),
                    List.of(frame(true), frame(false)),
                    Optional.empty()),
                new DiskReport(
                    "d2",
                    "/d2",
                    DiskState.LSTOR_FAILED,
                    Optional.empty(),
                    List.of(),
                    Optional.of("why")),
                new DiskReport(
                    "d3",
                    "/d3",
                    DiskState.DISK_FAILED,
                    Optional.empty(),
                    List.of(),
                    Optional.of("why"))),
            List.of(
                new RebuildStatus(
                    1,
                    2,
                    RebuildPhase.DONE,
                    new RebuildCounts(3, 4, 5, 6),
                    List.of("e"),
                    7,
                    RebuildObstacle.SOURCE_UNANSWERED),
                new RebuildStatus(
                    1L << 62,
                    2,
                    RebuildPhase.RUNNING,
                    new RebuildCounts(3, 4, 5, 6),
                    List.of(),
                    7,
                    RebuildObstacle.NONE),
                new RebuildStatus(
                    1,
                    2,
                    RebuildPhase.FAILED,
                    new RebuildCounts(3, 4, 5, 6),
                    List.of(),
                    7,
                    RebuildObstacle.RECEIVER_FAILED),
                new RebuildStatus(
                    4,
                    2,
                    RebuildPhase.FAILED,
                    RebuildCounts.NONE,
                    List.of(),
                    7,
                    RebuildObstacle.UNKNOWN)));
    answer =
        new NodeReportResponse(
            List.of(
                new Assignment(new FrameRef("DS-1", 9), new Pairing(5, 6, "DS-2", "u2", 1)),
                new Assignment(new FrameRef("DS-3", 0), Pairing.alone(5, 7))),
            List.of(new PeerAddress("u2", "h2", 2)),
            List.of(
                new RebuildOrder(
                    1L << 62,
                    5,
                    6,
                    new FrameRef("DS-1", 700),
                    List.of(
                        new LstorSource(
                            "d9",
                            "h9",
                            3,
                            OptionalInt.of(0),
                            List.of(
                                new Mirror(0, "DS-9", Optional.empty(), Optional.empty()),
                                new Mirror(
                                    1,
                                    "DS-8",
                                    Optional.of("DS-7"),
                                    Optional.of(new PeerAddress("u7", "h7", 4))))),
                        new LstorSource("d8", "h8", 3, OptionalInt.empty(), List.of())),
                    new RebuildPace(4 << 20, LockGranularity.SUPERCHUNK, 1L << 33),
                    List.of(
                        new ExpectedBlock(-1, 2, true, OptionalLong.of(0)),
                        new ExpectedBlock(3, 4, false, OptionalLong.empty())),
                    "BP-1")),
            new DiskOrders(List.of("d4"), List.of("d5", "d6")),
            List.of("DS-2"),
            List.of(new FrameRef("DS-6", 1), new FrameRef("DS-6", 3)),
            true,
            OptionalLong.of(Long.MIN_VALUE));
    assertThat(node.reportNode(report)).isEqualTo(answer);
    assertReceived("reportNode", report);

    NodeReport incremental =
        new NodeReport(report.node(), List.of(), List.of(), OptionalLong.of(0));
    answer =
        new NodeReportResponse(
            List.of(),
            List.of(),
            List.of(),
            DiskOrders.NONE,
            List.of(),
            List.of(),
            false,
            OptionalLong.empty());
    assertThat(node.reportNode(incremental)).isEqualTo(answer);
    assertReceived("reportNode", incremental);

    LstorReport lstor =
        new LstorReport("d1", "CID", "u1", "h1", 3, true, List.of(frame(true)), Optional.of("bad"));
    answer = true;
    assertThat(node.reportLstor(lstor)).isTrue();
    assertReceived("reportLstor", lstor);
  }

  @Test
  void aReportIsNeverTakenForOneOfTheOtherKind() throws Exception {
    NodeReport full =
        new NodeReport(new NodeIdentity("u1", "h1", 1, "h1", 2, "CID", 3), List.of(), List.of());
    NodeReport changes = new NodeReport(full.node(), List.of(), List.of(), OptionalLong.of(5));
    answer = NodeReportResponse.NOTHING_TAKEN_IN;
    RaidpNodeProtocolPB proxy =
        RpcProxies.create(RaidpNodeProtocolPB.class, manager(), conf, TIMEOUT_MS);
    open.addFirst(() -> RPC.stopProxy(proxy));
    assertThatThrownBy(
            () -> Calls.remote(() -> proxy.reportNode(null, ReportMessages.toProto(changes))))
        .hasMessageContaining("basis=5, expected none in a full report")
        .hasMessageContaining("node=u1");
    assertThatThrownBy(
            () -> Calls.remote(() -> proxy.reportChanges(null, ReportMessages.toProto(full))))
        .hasMessageContaining("basis=absent, expected a receipt");
    assertThat(received).isEmpty();
  }

  /** One that takes every report for a full one. */
  @Test
  void aManagerOfAnEarlierVersionIsReportedToInFull() throws Exception {
    NodeServerTranslator translator = new NodeServerTranslator(recorder(RaidpNodeProtocol.class));
    InetSocketAddress earlier =
        start(
            RpcServers.build(
                conf,
                ANY,
                2,
                new ServedProtocol(
                    RaidpProtocols.NODE,
                    GuardedService.of(
                        each -> withoutChanges(RaidpNodeService.newReflectiveBlockingService(each)),
                        translator))));
    RaidpNodeProtocol node = client(new NodeClientTranslator(earlier, conf, TIMEOUT_MS));
    answer = NodeReportResponse.NOTHING_TAKEN_IN;
    NodeReport full =
        new NodeReport(new NodeIdentity("u1", "h1", 1, "h1", 2, "CID", 3), List.of(), List.of());
    NodeReport changes = new NodeReport(full.node(), List.of(), List.of(), OptionalLong.of(5));
    assertThat(node.reportNode(changes).receipt()).as("so the node reports in full").isEmpty();
    assertThat(received).isEmpty();
    node.reportNode(full);
    assertReceived("reportNode", full);
  }

  private static BlockingService withoutChanges(BlockingService service) {
    ServiceDescriptor now = service.getDescriptorForType();
    FileDescriptor file = now.getFile();
    FileDescriptorProto.Builder earlier = file.toProto().toBuilder();
    ServiceDescriptorProto.Builder methods = earlier.getServiceBuilder(now.getIndex());
    methods.removeMethod(now.findMethodByName("reportChanges").getIndex());
    try {
      ServiceDescriptor before =
          FileDescriptor.buildFrom(
                  earlier.build(), file.getDependencies().toArray(FileDescriptor[]::new))
              .findServiceByName(now.getName());
      return new BlockingService() {
        @Override
        public ServiceDescriptor getDescriptorForType() {
          return before;
        }

        @Override
        public Message callBlockingMethod(
            MethodDescriptor method, RpcController controller, Message request)
            throws ServiceException {
          return service.callBlockingMethod(
              now.findMethodByName(method.getName()), controller, request);
        }

        @Override
        public Message getRequestPrototype(MethodDescriptor method) {
          return service.getRequestPrototype(now.findMethodByName(method.getName()));
        }

        @Override
        public Message getResponsePrototype(MethodDescriptor method) {
          return service.getResponsePrototype(now.findMethodByName(method.getName()));
        }
      };
    } catch (DescriptorValidationException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void questionsForASuperchunk() throws Exception {
    RaidpNodeProtocol node = client(new NodeClientTranslator(manager(), conf, TIMEOUT_MS));
    for (Optional<String> named : List.of(Optional.of("DS-1"), Optional.<String>empty())) {
      SuperchunkRequest request = new SuperchunkRequest("CID", "u1", "BP-1", -7, 1L << 40, named);
      for (SuperchunkAnswer each :
          List.of(
              new SuperchunkAnswer.Pair("DS-1", 1L << 50, 9),
              new SuperchunkAnswer.Plain(),
              new SuperchunkAnswer.Refused("why"))) {
        answer = each;
        assertThat(node.superchunkOf(request)).isEqualTo(each);
        assertReceived("superchunkOf", request);
      }
    }
    answer = new StandbyException("standby");
    assertThatThrownBy(
            () ->
                node.superchunkOf(
                    new SuperchunkRequest("CID", "u1", "BP-1", 7, 1, Optional.empty())))
        .isInstanceOf(StandbyException.class);
  }

  @Test
  void adminCalls() throws Exception {
    RaidpAdminProtocol admin = client(new AdminClientTranslator(manager(), conf, TIMEOUT_MS));
    answer = new TextResponse("{}", -1);
    assertThat(admin.status(List.of("a", "b"))).isEqualTo(answer);
    assertReceived("status", List.of("a", "b"));
    admin.layout(List.of());
    assertReceived("layout", List.of());
    admin.applyLayout(RaidpAdminProtocol.DryRun.YES);
    assertReceived("applyLayout", RaidpAdminProtocol.DryRun.YES);
    admin.applyLayout(RaidpAdminProtocol.DryRun.NO);
    assertReceived("applyLayout", RaidpAdminProtocol.DryRun.NO);
    for (FailDiskRequest.Check check : FailDiskRequest.Check.values()) {
      admin.failDisk(new FailDiskRequest("d1", check));
      assertReceived("failDisk", new FailDiskRequest("d1", check));
    }
    admin.withdrawFailedDisk("d1");
    assertReceived("withdrawFailedDisk", "d1");
    admin.recover(RecoverRequest.configured());
    assertReceived("recover", RecoverRequest.configured());
    RecoverRequest all =
        new RecoverRequest(
            OptionalInt.of(1 << 20), Optional.of(LockGranularity.RANGE), OptionalLong.of(0), true);
    admin.recover(all);
    assertReceived("recover", all);
    admin.recoveryStatus(List.of());
    assertReceived("recoveryStatus", List.of());
    admin.fsck(List.of("-repair"));
    assertReceived("fsck", List.of("-repair"));
    admin.scrub(List.of("-disk", "d"));
    assertReceived("scrub", List.of("-disk", "d"));
    admin.lstors(List.of());
    assertReceived("lstors", List.of());
    LstorRebuildRequest watch = new LstorRebuildRequest("d", LstorRebuildRequest.Action.WATCH);
    admin.rebuildLstor(watch);
    assertReceived("rebuildLstor", watch);
  }

  @Test
  void aRecoveryThatNoNodeCouldMakeIsRefused() {
    for (RecoverRequestProto wrong :
        List.of(
            RecoverRequestProto.newBuilder().setChunkBytes(4).build(),
            RecoverRequestProto.newBuilder().setChunkBytes(-65536).build(),
            RecoverRequestProto.newBuilder().setThrottleBytesPerSecond(-1).build(),
            RecoverRequestProto.newBuilder().setThrottleBytesPerSecond(10).build())) {
      assertThatThrownBy(() -> ReportMessages.recoverRequest(wrong))
          .isInstanceOf(IOException.class)
          .hasMessageStartingWith("Cannot recover: ")
          .hasMessageContaining("64k");
    }
  }

  @Test
  void onlyDaemonsMayReadImagesAndParity() throws Exception {
    InetSocketAddress address =
        start(
            RpcServers.build(
                conf, ANY, 2, RaidpProtocols.peer(() -> recorder(RaidpPeerProtocol.class))));
    InetSocketAddress lstor =
        start(
            RpcServers.build(
                conf, ANY, 2, RaidpProtocols.lstor(recorder(RaidpLstorProtocol.class))));
    answer = List.of();
    UserGroupInformation mallory = UserGroupInformation.createRemoteUser("mallory");
    assertThatThrownBy(
            () ->
                mallory.doAs(
                    (PrivilegedExceptionAction<Object>)
                        () ->
                            client(new PeerClientTranslator(address, conf, TIMEOUT_MS))
                                .listEntries("DS-1")))
        .isInstanceOf(AccessControlException.class)
        .hasMessageContaining("user=mallory");
    assertThatThrownBy(
            () ->
                mallory.doAs(
                    (PrivilegedExceptionAction<Object>)
                        () ->
                            client(new LstorClientTranslator(lstor, conf, TIMEOUT_MS))
                                .readParity("d", ImageKind.DATA, 0, 1)))
        .isInstanceOf(AccessControlException.class)
        .hasMessageContaining("user=mallory");
    assertThat(received).as("nothing came through").isEmpty();
  }

  @Test
  void serviceLevelAuthorizationNamesEachProtocol() throws Exception {
    conf.setBoolean("hadoop.security.authorization", true);
    conf.set(RaidpProtocols.ADMIN.getServiceKey(), "alice");
    conf.set(RaidpProtocols.NODE.getServiceKey(), "*");
    conf.set("dfs.cluster.administrators", "alice");
    InetSocketAddress address = manager();
    answer = new TextResponse("{}", 0);
    UserGroupInformation alice = UserGroupInformation.createRemoteUser("alice");
    UserGroupInformation bob = UserGroupInformation.createRemoteUser("bob");
    PrivilegedExceptionAction<Object> call =
        () -> client(new AdminClientTranslator(address, conf, TIMEOUT_MS)).status(List.of());
    assertThat(alice.doAs(call)).isEqualTo(answer);
    assertThatThrownBy(() -> bob.doAs(call))
        .isInstanceOf(AuthorizationException.class)
        .hasMessageContaining("not authorized for protocol")
        .hasMessageContaining("RaidpAdminProtocolPB");
    answer = true;
    assertThatThrownBy(
            () ->
                bob.doAs(
                    (PrivilegedExceptionAction<Object>)
                        () ->
                            client(new NodeClientTranslator(address, conf, TIMEOUT_MS))
                                .reportLstor(
                                    new LstorReport(
                                        "d",
                                        "C",
                                        "u",
                                        "h",
                                        1,
                                        false,
                                        List.of(),
                                        Optional.empty()))))
        .as("let in by the list, and no DataNode")
        .isInstanceOf(AccessControlException.class)
        .hasMessageContaining("user=bob")
        .hasMessageContaining("DataNode");
  }

  @Test
  void aDeadPeerIsNoticedSoon() throws Exception {
    RPC.Server server =
        RpcServers.build(
            conf, ANY, 2, RaidpProtocols.peer(() -> recorder(RaidpPeerProtocol.class)));
    server.start();
    InetSocketAddress address = server.getListenerAddress();
    server.stop();
    long fastestMs = Long.MAX_VALUE;
    // The fastest of three, since the machine may stand still for a while.
    for (int i = 0; i < 3; i++) {
      long startNs = System.nanoTime();
      assertThatThrownBy(
              () -> client(new PeerClientTranslator(address, conf, TIMEOUT_MS)).listEntries("DS-1"))
          .isInstanceOf(IOException.class);
      fastestMs = Math.min(fastestMs, (System.nanoTime() - startNs) / 1_000_000);
    }
    assertThat(fastestMs).isLessThan(5_000);
  }

  @Test
  void whatIsAskedOfABalanceIsKept() throws Exception {
    for (BalanceRequest.Action action : BalanceRequest.Action.values()) {
      BalanceRequest request = new BalanceRequest(action, 2.5, OptionalLong.of(1 << 20));
      assertThat(AdoptionMessages.balanceRequest(AdoptionMessages.toProto(request)))
          .isEqualTo(request);
    }
  }
}

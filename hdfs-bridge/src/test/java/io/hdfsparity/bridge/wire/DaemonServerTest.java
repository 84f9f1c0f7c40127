/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ipc.CallerContext;
import org.apache.hadoop.ipc.ProtocolInfo;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.ipc.Server;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authorize.Service;
import org.apache.hadoop.security.proto.RefreshUserMappingsProtocolProtos.RefreshSuperUserGroupsConfigurationRequestProto;
import org.apache.hadoop.security.proto.RefreshUserMappingsProtocolProtos.RefreshSuperUserGroupsConfigurationResponseProto;
import org.apache.hadoop.security.proto.RefreshUserMappingsProtocolProtos.RefreshUserMappingsProtocolService;
import org.apache.hadoop.security.proto.RefreshUserMappingsProtocolProtos.RefreshUserToGroupsMappingsRequestProto;
import org.apache.hadoop.security.proto.RefreshUserMappingsProtocolProtos.RefreshUserToGroupsMappingsResponseProto;
import org.apache.hadoop.thirdparty.protobuf.RpcController;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.apache.hadoop.tools.proto.GetUserMappingsProtocolProtos.GetGroupsForUserRequestProto;
import org.apache.hadoop.tools.proto.GetUserMappingsProtocolProtos.GetGroupsForUserResponseProto;
import org.apache.hadoop.tools.proto.GetUserMappingsProtocolProtos.GetUserMappingsProtocolService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two protocols of Hadoop's own, served as those of features are. */
@Timeout(120)
class DaemonServerTest {
  private static final int THREADS = 2;
  private static final int TIMEOUT_MS = 60_000;
  private static final Service ASKED = new Service("security.asked.acl", AskedPB.class);
  private static final Service REFRESH = new Service("security.refresh.acl", RefreshPB.class);

  private final Configuration conf = new Configuration();
  private final CountDownLatch blocked = new CountDownLatch(1);
  private final ExecutorService clients = Executors.newCachedThreadPool();
  private final List<AutoCloseable> open = new ArrayList<>();
  private final Asked asked = new Asked();

  /** For administrators. */
  @ProtocolInfo(
      protocolName = "io.hdfsparity.bridge.wire.DaemonServerTest$AskedPB",
      protocolVersion = 1)
  public interface AskedPB extends GetUserMappingsProtocolService.BlockingInterface {}

  /** For daemons and users. */
  @ProtocolInfo(
      protocolName = "io.hdfsparity.bridge.wire.DaemonServerTest$RefreshPB",
      protocolVersion = 1)
  public interface RefreshPB extends RefreshUserMappingsProtocolService.BlockingInterface {}

  /** What administrators call: it blocks, fails, or says what the thread knows of the call. */
  private final class Asked implements AskedPB {
    @Override
    @MayCall(Caller.ADMINISTRATORS)
    public GetGroupsForUserResponseProto getGroupsForUser(
        RpcController unused, GetGroupsForUserRequestProto request) throws ServiceException {
      return Calls.local(() -> answer(request.getUser()));
    }

    private GetGroupsForUserResponseProto answer(String question) throws IOException {
      switch (question) {
        case "block" -> {
          try {
            blocked.await();
          } catch (InterruptedException e) {
            throw new IOException(e);
          }
        }
        case "fail" -> throw new IOException("as asked for");
        case "break" -> throw new IllegalStateException("broken");
        default -> {}
      }
      CallerContext context = CallerContext.getCurrent();
      return GetGroupsForUserResponseProto.newBuilder()
          .addGroups(UserGroupInformation.getCurrentUser().getShortUserName())
          .addGroups(Server.getRemoteUser().getShortUserName())
          .addGroups(context == null ? "" : context.getContext())
          .addGroups(String.valueOf(Server.getRemoteIp()))
          .addGroups(Thread.currentThread().getName())
          .build();
    }
  }

  /** What daemons and users call. */
  private static final class RefreshRecorder implements RefreshPB {
    @Override
    @MayCall(Caller.DAEMONS)
    public RefreshUserToGroupsMappingsResponseProto refreshUserToGroupsMappings(
        RpcController unused, RefreshUserToGroupsMappingsRequestProto request) {
      assertThat(Thread.currentThread().getName()).contains("IPC Server handler");
      return RefreshUserToGroupsMappingsResponseProto.getDefaultInstance();
    }

    @Override
    @MayCall(Caller.USERS)
    public RefreshSuperUserGroupsConfigurationResponseProto refreshSuperUserGroupsConfiguration(
        RpcController unused, RefreshSuperUserGroupsConfigurationRequestProto request) {
      assertThat(Thread.currentThread().getName()).contains("parity-user-call");
      return RefreshSuperUserGroupsConfigurationResponseProto.getDefaultInstance();
    }
  }

  private DaemonServer server(ServedProtocol... protocols) throws IOException {
    DaemonServer server =
        DaemonServer.start(
            conf,
            new DaemonServer.Listening(new InetSocketAddress("127.0.0.1", 0), THREADS, null),
            List.of(protocols),
            List.of(ASKED, REFRESH));
    open.add(server);
    return server;
  }

  private ServedProtocol asked() {
    return new ServedProtocol(
        ASKED,
        GuardedService.of(GetUserMappingsProtocolService::newReflectiveBlockingService, asked));
  }

  private static ServedProtocol told() {
    return new ServedProtocol(
        REFRESH,
        GuardedService.of(
            RefreshUserMappingsProtocolService::newReflectiveBlockingService,
            new RefreshRecorder()));
  }

  private <P> P proxy(Class<P> protocol, DaemonServer server) throws IOException {
    P proxy = RpcProxies.create(protocol, server.address(), conf, TIMEOUT_MS);
    open.add(() -> RPC.stopProxy(proxy));
    return proxy;
  }

  private static List<String> ask(AskedPB server, String question) throws IOException {
    return Calls.remote(
            () ->
                server.getGroupsForUser(
                    null, GetGroupsForUserRequestProto.newBuilder().setUser(question).build()))
        .getGroupsList();
  }

  private static void tell(RefreshPB server) throws IOException {
    Calls.remote(
        () ->
            server.refreshUserToGroupsMappings(
                null, RefreshUserToGroupsMappingsRequestProto.getDefaultInstance()));
  }

  @BeforeEach
  void retryNothing() {
    conf.setInt("ipc.client.connect.max.retries", 0);
  }

  @AfterEach
  void end() throws Exception {
    blocked.countDown();
    for (AutoCloseable each : open) {
      each.close();
    }
    clients.shutdownNow();
  }

  @Test
  void blockedAdministratorsKeepNoDaemonWaiting() throws Exception {
    DaemonServer server = server(asked(), told());
    AskedPB administrators = proxy(AskedPB.class, server);
    List<Future<List<String>>> waiting = new ArrayList<>();
    for (int i = 0; i < 5 * THREADS; i++) {
      waiting.add(clients.submit(() -> ask(administrators, "block")));
    }
    TimeUnit.MILLISECONDS.sleep(300);
    RefreshPB others = proxy(RefreshPB.class, server);

    CompletableFuture.runAsync(
            () -> {
              try {
                for (int i = 0; i < 100; i++) {
                  tell(others);
                }
                Calls.remote(
                    () ->
                        others.refreshSuperUserGroupsConfiguration(
                            null,
                            RefreshSuperUserGroupsConfigurationRequestProto.getDefaultInstance()));
              } catch (IOException e) {
                throw new java.io.UncheckedIOException(e);
              }
            },
            clients)
        .get(10, TimeUnit.SECONDS);

    assertThat(waiting).as("they wait").noneMatch(Future::isDone);
    blocked.countDown();
    for (Future<List<String>> each : waiting) {
      assertThat(each.get(10, TimeUnit.SECONDS)).as("and are answered").hasSize(5);
    }
  }

  /**
   * What Hadoop keeps of the refused call for its answer is not that of the handler's next call.
   */
  @Test
  void aCallForWhichThereIsNoThreadSpoilsNoOther() throws Exception {
    AtomicInteger made = new AtomicInteger();
    CallThreads threads =
        new CallThreads(
            THREADS,
            (work, name) -> {
              if (made.getAndIncrement() == 0) {
                throw new OutOfMemoryError("unable to create native thread");
              }
              return new Thread(work, name);
            });
    DaemonServer server =
        DaemonServer.start(
            conf,
            new DaemonServer.Listening(new InetSocketAddress("127.0.0.1", 0), THREADS, null),
            List.of(asked(), told()),
            List.of(ASKED, REFRESH),
            threads);
    open.add(server);
    AskedPB administrators = proxy(AskedPB.class, server);
    RefreshPB others = proxy(RefreshPB.class, server);
    assertThatThrownBy(() -> ask(administrators, "who"))
        .hasMessageContaining("unable to create native thread");
    for (int i = 0; i < 4 * THREADS; i++) {
      tell(others);
    }
    assertThat(ask(administrators, "who")).hasSize(5);
  }

  @Test
  void whoWaitsWithTooManyOthersIsToldToTryAgain() throws Exception {
    DaemonServer server = server(asked());
    AskedPB proxy = proxy(AskedPB.class, server);
    int room = THREADS * 101;
    List<Future<List<String>>> waiting = new ArrayList<>();
    for (int i = 0; i < room; i++) {
      waiting.add(clients.submit(() -> ask(proxy, "block")));
    }
    org.awaitility.Awaitility.await()
        .untilAsserted(
            () ->
                assertThatThrownBy(
                        () ->
                            clients
                                .submit(() -> ask(proxy, "busy"))
                                .get(500, TimeUnit.MILLISECONDS))
                    .hasCauseInstanceOf(RetriableException.class)
                    .hasMessageContaining("Server is too busy"));
    blocked.countDown();
    for (Future<List<String>> each : waiting) {
      assertThat(each.get(30, TimeUnit.SECONDS)).hasSize(5);
    }
    assertThat(ask(proxy, "again")).hasSize(5);
  }

  @Test
  void aCallIsTheSameInAnotherThread() throws Exception {
    DaemonServer server = server(asked());
    UserGroupInformation alice =
        UserGroupInformation.createUserForTesting("alice", new String[] {"supergroup"});
    List<String> known =
        alice.doAs(
            (java.security.PrivilegedExceptionAction<List<String>>)
                () -> {
                  CallerContext.setCurrent(new CallerContext.Builder("a test").build());
                  try {
                    return ask(proxy(AskedPB.class, server), "who");
                  } finally {
                    CallerContext.setCurrent(null);
                  }
                });
    assertThat(known.subList(0, 4)).containsExactly("alice", "alice", "a test", "/127.0.0.1");
    assertThat(known.get(4)).startsWith("parity-administrator-call");
  }

  @Test
  void errorsReachTheCaller() throws Exception {
    AskedPB proxy = proxy(AskedPB.class, server(asked()));
    assertThatThrownBy(() -> ask(proxy, "fail"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("as asked for");
    assertThatThrownBy(() -> ask(proxy, "break")).hasMessageContaining("broken");
    assertThat(ask(proxy, "again")).hasSize(5);
  }

  @Test
  void strangersAreRefusedBeforeAThreadIsTaken() throws Exception {
    DaemonServer server = server(asked());
    UserGroupInformation mallory =
        UserGroupInformation.createUserForTesting("mallory", new String[] {"people"});
    assertThatThrownBy(
            () ->
                mallory.doAs(
                    (java.security.PrivilegedExceptionAction<List<String>>)
                        () -> ask(proxy(AskedPB.class, server), "who")))
        .isInstanceOf(org.apache.hadoop.security.AccessControlException.class)
        .hasMessageContaining("user=mallory");
  }

  @Test
  void whatIsNotServedIsAsIfNothingListened() throws Exception {
    RefreshPB absent = proxy(RefreshPB.class, server(asked()));
    assertThatThrownBy(() -> tell(absent))
        .isInstanceOf(ConnectException.class)
        .hasMessageContaining("Unknown protocol")
        .hasMessageContaining("dfs.parity.features");

    ServedProtocol closed =
        told()
            .behind(
                () -> {
                  throw new ConnectException("Cannot serve a call: state=failed closed");
                });
    RefreshPB refused = proxy(RefreshPB.class, server(closed));
    assertThatThrownBy(() -> tell(refused))
        .isInstanceOf(ConnectException.class)
        .hasMessageContaining("failed closed");
  }

  @Test
  void serviceLevelAuthorizationKnowsWhatIsNotServed() throws Exception {
    conf.setBoolean("hadoop.security.authorization", true);
    conf.set(REFRESH.getServiceKey(), "nobody");
    DaemonServer server = server(asked(), told());
    assertThat(ask(proxy(AskedPB.class, server), "who")).hasSize(5);
    assertThatThrownBy(() -> tell(proxy(RefreshPB.class, server)))
        .hasMessageContaining("is not authorized");
    conf.set(REFRESH.getServiceKey(), "*");
    DaemonServer without = server(asked());
    assertThatThrownBy(() -> tell(proxy(RefreshPB.class, without)))
        .isInstanceOf(ConnectException.class);
  }
}

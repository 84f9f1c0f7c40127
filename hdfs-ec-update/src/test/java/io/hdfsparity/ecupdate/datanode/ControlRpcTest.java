/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.datanode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.bridge.wire.RpcServers;
import io.hdfsparity.core.check.ManualClock;
import io.hdfsparity.core.gf.GfMatrix;
import io.hdfsparity.ecupdate.ajx.Bytes;
import io.hdfsparity.ecupdate.ajx.CodeTable;
import io.hdfsparity.ecupdate.ajx.Patch;
import io.hdfsparity.ecupdate.ajx.Request;
import io.hdfsparity.ecupdate.ajx.Tid;
import io.hdfsparity.ecupdate.config.StorageKey;
import io.hdfsparity.ecupdate.protocol.ControlOutcome;
import io.hdfsparity.ecupdate.protocol.ControlProtocol.Listed;
import io.hdfsparity.ecupdate.protocol.NodeStatus;
import io.hdfsparity.ecupdate.protocol.ReplicaStatus;
import io.hdfsparity.ecupdate.protocol.SessionId;
import io.hdfsparity.ecupdate.protocol.StorageStatus;
import io.hdfsparity.ecupdate.protocol.UpdateSpace;
import io.hdfsparity.ecupdate.wire.ControlClient;
import io.hdfsparity.ecupdate.wire.ControlProtocols;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authorize.AuthorizationException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Administrators' calls to a storage with engine and files, over Hadoop RPC. */
class ControlRpcTest {
  private static final long DATA = -9_000_000_016L;
  private static final long PARITY = DATA + 4;
  private static final long PLAIN = DATA + 1;
  private static final int CELL_BYTES = 2048;
  private static final int LENGTH_BYTES = 2 * CELL_BYTES;

  @TempDir Path root;
  private final Random random = new Random(6);
  private final ManualClock clock = new ManualClock();
  private OneVolume disk;
  private UpdateVolume volume;
  private RPC.Server server;
  private long tids;

  @BeforeEach
  void start() throws Exception {
    disk = new OneVolume(root);
    for (long blockId : List.of(DATA, PLAIN, PARITY)) {
      byte[] bytes = new byte[LENGTH_BYTES];
      random.nextBytes(bytes);
      disk.add(blockId, bytes);
    }
    open();
    clock.advance(60_000);
    volume.admit(DATA, descriptor(0));
    volume.admit(PARITY, descriptor(4));
    serve(new Configuration(false));
  }

  private void open() throws IOException {
    Configuration conf = new Configuration(false);
    conf.set(StorageKey.LOG_BYTES.key(), "1M");
    conf.set(StorageKey.RECORD_BYTES.key(), "64K");
    conf.set(StorageKey.RESERVED_BYTES.key(), "128K");
    conf.set(StorageKey.DRAIN_DELAY.key(), "1h");
    volume = new UpdateVolume(OneVolume.STORAGE, root, disk, StorageOptions.of(conf), clock);
    volume.start(OneVolume.POOL);
  }

  private void serve(Configuration conf) throws IOException {
    server =
        RpcServers.build(
            conf,
            new InetSocketAddress("127.0.0.1", 0),
            1,
            ControlProtocols.control(
                new ControlCalls(
                    () -> "dn-1",
                    () ->
                        new UpdateReplicas(
                            OneVolume.POOL, List.of(volume), new GivenUpReplicas(Runnable::run)),
                    () -> 3,
                    new SuperuserRule(conf))));
    server.start();
  }

  @AfterEach
  void stop() throws IOException {
    server.stop();
    volume.close();
  }

  private static ReplicaDescriptor descriptor(int block) {
    return new ReplicaDescriptor(
        CodeTable.plain(GfMatrix.cauchyParity(3, 2)),
        block,
        CELL_BYTES,
        LENGTH_BYTES,
        2,
        OneVolume.STAMP,
        "PL");
  }

  private void ask(long blockId, Request request) throws Exception {
    new UpdateReplicas(OneVolume.POOL, List.of(volume), new GivenUpReplicas(Runnable::run))
        .handle(blockId, 1, request)
        .get();
  }

  private void update() throws Exception {
    byte[] bytes = new byte[512];
    random.nextBytes(bytes);
    Patch patch = new Patch(512, Bytes.wrap(bytes));
    Tid tid = new Tid(1, ++tids, 0);
    ask(DATA, new Request.Swap(patch, tid));
    Tid before = tids == 1 ? null : new Tid(1, tids - 1, 0);
    ask(PARITY, new Request.Add(patch, Request.Scaling.BY_CLIENT, tid, before, 0));
  }

  private ControlClient client() throws IOException {
    return new ControlClient(server.getListenerAddress(), new Configuration(false), 120_000);
  }

  private StorageStatus storage(Listed listed, Set<Long> blockIds) throws IOException {
    try (ControlClient client = client()) {
      NodeStatus status = client.status(listed, blockIds);
      assertThat(status.uuid()).isEqualTo("dn-1");
      assertThat(status.blockPool()).isEqualTo(OneVolume.POOL);
      assertThat(status.connections()).isEqualTo(3);
      assertThat(status.storages()).hasSize(1);
      return status.storages().get(0);
    }
  }

  @Test
  void tellsHowReplicasAre() throws Exception {
    update();
    StorageStatus sums = storage(Listed.NONE, Set.of());
    assertThat(sums.storageId()).isEqualTo(OneVolume.STORAGE);
    assertThat(sums.trouble()).isEmpty();
    assertThat(sums.log().bytes()).isBetween(900_000L, 1L << 20);
    assertThat(sums.log().usedBytes()).isBetween(1024L, 16_384L);
    assertThat(sums.admitted()).isEqualTo(2);
    assertThat(sums.withheld()).isZero();
    assertThat(sums.space().overlayBytes()).isEqualTo(1024);
    assertThat(sums.replicas()).isEmpty();
    assertThat(storage(Listed.THOSE_NAMED, Set.of(PARITY, PLAIN)).replicas())
        .containsExactly(
            new ReplicaStatus(
                PARITY,
                4,
                "PL",
                LENGTH_BYTES,
                new UpdateSpace(512, 0, 0),
                "",
                List.of(ReplicaUse.UNKNOWN)));
    assertThat(storage(Listed.ALL, Set.of()).replicas())
        .extracting(ReplicaStatus::blockId)
        .containsExactly(DATA, PARITY);
  }

  @Test
  void tellsWhoHasNotLeft() throws Exception {
    SessionId one = new SessionId(-5);
    SessionId two = new SessionId(7);
    volume.admit(DATA, descriptor(0), one);
    volume.admit(PARITY, descriptor(4), two);
    assertThat(storage(Listed.NONE, Set.of()).sessions())
        .containsExactly(ReplicaUse.UNKNOWN, two, one);
    assertThat(storage(Listed.THOSE_NAMED, Set.of(DATA)).replicas().get(0).sessions())
        .containsExactly(ReplicaUse.UNKNOWN, one);
    volume.leave(DATA, one);
    assertThat(storage(Listed.NONE, Set.of()).sessions()).containsExactly(ReplicaUse.UNKNOWN, two);
  }

  @Test
  void mergesAndConverts() throws Exception {
    update();
    try (ControlClient client = client()) {
      assertThat(client.merge(Set.of())).isEqualTo(new ControlOutcome(2, 0, List.of(), List.of()));
      assertThat(storage(Listed.NONE, Set.of()).space().overlayBytes()).isZero();
      assertThat(client.convert("PLR", Set.of(PARITY, PLAIN)))
          .isEqualTo(new ControlOutcome(1, 1, List.of(), List.of()));
      update();
      assertThat(storage(Listed.ALL, Set.of()).replicas())
          .extracting(ReplicaStatus::scheme)
          .containsExactly("PL", "PLR");
      assertThat(client.merge(Set.of(DATA)).done()).isEqualTo(1);
      assertThatThrownBy(() -> client.convert("RAID", Set.of(PARITY)))
          .hasMessageContaining("scheme=RAID, expected FO, FL, PL or PLR");
    }
    // It is kept, and a session that names the scheme of another day is not refused.
    volume.close();
    open();
    clock.advance(60_000);
    volume.admit(PARITY, descriptor(4));
    assertThat(storage(Listed.THOSE_NAMED, Set.of(PARITY)).replicas().get(0).scheme())
        .isEqualTo("PLR");
  }

  @Test
  void tellsWhyAReplicaIsWithheld() throws Exception {
    volume.close();
    Path descriptor = root.resolve("ecupdate/BP-1/blk_" + PARITY + ".replica");
    byte[] bytes = Files.readAllBytes(descriptor);
    bytes[bytes.length / 2] ^= 1;
    Files.write(descriptor, bytes);
    open();
    StorageStatus status = storage(Listed.ALL, Set.of());
    assertThat(status.withheld()).isEqualTo(1);
    assertThat(status.admitted()).isEqualTo(1);
    assertThat(status.replicas())
        .filteredOn(each -> each.blockId() == PARITY)
        .singleElement()
        .satisfies(each -> assertThat(each.trouble()).contains("blk_" + PARITY));
    try (ControlClient client = client()) {
      assertThat(client.merge(Set.of(PARITY)).absent()).isEqualTo(1);
    }
  }

  private static <T> T as(String user, PrivilegedExceptionAction<T> action) throws Exception {
    return UserGroupInformation.createUserForTesting(user, new String[] {user + "s"}).doAs(action);
  }

  @Test
  void onlyAdministratorsLookAndOnlySuperusersChangeAnything() throws Exception {
    as(
        "alice",
        () -> {
          try (ControlClient client = client()) {
            assertThatThrownBy(() -> client.status(Listed.ALL, Set.of()))
                .isInstanceOf(AccessControlException.class)
                .hasMessageContaining("user=alice");
            assertThatThrownBy(() -> client.merge(Set.of()))
                .isInstanceOf(AccessControlException.class)
                .hasMessageContaining("user=alice");
            return assertThatThrownBy(() -> client.convert("FO", Set.of(PARITY)))
                .isInstanceOf(AccessControlException.class);
          }
        });
    UserGroupInformation root =
        UserGroupInformation.createUserForTesting("bob", new String[] {"supergroup"});
    root.doAs(
        (PrivilegedExceptionAction<Void>)
            () -> {
              try (ControlClient client = client()) {
                assertThat(client.merge(Set.of()).done()).isEqualTo(2);
              }
              return null;
            });
  }

  @Test
  void theServiceLevelAuthorizationSaysWhoMayCall() throws Exception {
    server.stop();
    Configuration conf = new Configuration(false);
    conf.setBoolean(CommonConfigurationKeys.HADOOP_SECURITY_AUTHORIZATION, true);
    conf.set(ControlProtocols.CONTROL.getServiceKey(), "admin");
    conf.set("dfs.cluster.administrators", "admin");
    serve(conf);
    as(
        "alice",
        () -> {
          try (ControlClient client = client()) {
            return assertThatThrownBy(() -> client.status(Listed.NONE, Set.of()))
                .satisfiesAnyOf(
                    e -> assertThat(e).isInstanceOf(AuthorizationException.class),
                    e -> assertThat(e).isInstanceOf(RemoteException.class))
                .hasMessageContaining("alice");
          }
        });
    as(
        "admin",
        () -> {
          try (ControlClient client = client()) {
            return assertThat(client.status(Listed.NONE, Set.of()).uuid()).isEqualTo("dn-1");
          }
        });
  }
}

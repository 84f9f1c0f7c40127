/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static io.hdfsparity.it.MiniKerberos.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hdfsparity.bridge.config.SuiteKey;
import io.hdfsparity.ecupdate.ajx.LockId;
import io.hdfsparity.ecupdate.ajx.LockMode;
import io.hdfsparity.ecupdate.ajx.Reply;
import io.hdfsparity.ecupdate.ajx.Request;
import io.hdfsparity.ecupdate.client.FileUpdates;
import io.hdfsparity.ecupdate.protocol.SessionStatus;
import io.hdfsparity.ecupdate.updater.DegradedReader;
import io.hdfsparity.ecupdate.updater.StripedFileUpdater;
import io.hdfsparity.ecupdate.updater.UpdaterOptions;
import io.hdfsparity.ecupdate.wire.SessionManagers;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockManagerTestUtil;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.hdfs.server.namenode.NameNodeAdapter;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A failover where everybody has to prove who he is, with Kerberos and block tokens, while a lock
 * is held; and one under a program that reads with a unit missing.
 */
@Tag("full")
@Timeout(600)
class EcUpdateSecureFailoverTest {
  private static final Path FILE = new Path("/f");
  private static final int STRIPE_BYTES = MiniUpdates.DATA * MiniUpdates.CELL_BYTES;
  private static final int FILE_BYTES = 3 * STRIPE_BYTES - 12_345;

  /** Of another client than any that locks by itself, in the session of who holds it. */
  private static final int OWN_LOCK = 7;

  private MiniUpdates cluster;
  private UserGroupInformation alice;
  private byte[] twin;

  private static Map<String, String> keys(MiniKerberos kerberos) {
    // The grace is long, so that no test ends because of a slow machine; nothing waits for its end.
    Map<String, String> more = UpdateKeys.sessions("40s");
    more.remove(SuiteKey.NAMENODE_RPC_ADDRESS.key()); // each of the two has its own
    more.putAll(UpdateKeys.lease("300s"));
    more.put("dfs.ha.tail-edits.period", "1");
    more.put("dfs.client.retry.window.base", "50");
    // DataNodes of one process share a connection to the NameNode that is dead.
    more.put("ipc.client.connect.max.retries", "1");
    more.put("ipc.client.connect.retry.interval", "100");
    // It is said which are dead, and when.
    more.put("dfs.namenode.heartbeat.recheck-interval", "600000");
    more.putAll(kerberos.keys());
    return more;
  }

  @Test
  void sessionsAndLocksOutliveAFailover(@TempDir java.nio.file.Path root) throws Exception {
    try (MiniKerberos kerberos = new MiniKerberos(root.resolve("kdc"), "alice")) {
      alice = kerberos.login("alice");
      try (MiniUpdates started = MiniUpdates.startHa(root.resolve("cluster"), 5, keys(kerberos))) {
        cluster = started;
        twin = new byte[FILE_BYTES];
        new Random(1).nextBytes(twin);
        cluster.write(FILE.toString(), twin);
        cluster.fs().setOwner(FILE, "alice", "people");
        cluster.fs().setPermission(FILE, new FsPermission("600"));
        try (FileSystem hers =
            as(
                alice,
                () -> FileSystem.newInstance(cluster.fs().getUri(), cluster.fs().getConf()))) {
          failoverWhileAStripeIsLocked(hers);
          failoverWhileAUnitIsMissing(hers);
        }
      }
    }
  }

  private StripedFileUpdater open(FileSystem hers) {
    StripedFileUpdater[] opened = new StripedFileUpdater[1];
    await("all DataNodes report")
        .ignoreExceptionsInstanceOf(IOException.class)
        .until(
            () -> {
              opened[0] =
                  as(
                      alice,
                      () ->
                          FileUpdates.open(
                              hers, FILE, UpdaterOptions.standard().withOperationMs(300_000)));
              return true;
            });
    return opened[0];
  }

  private List<SessionStatus> sessions() throws IOException {
    return SessionManagers.of(cluster.fs().getConf(), cluster.fs().getUri())
        .callActive(manager -> manager.list(true))
        .stream()
        .filter(each -> each.ended().isEmpty())
        .toList();
  }

  private void write(StripedFileUpdater updater, int position, int seed) throws IOException {
    updater.write(position, ByteBuffer.wrap(bytes(position, seed)));
  }

  /** What is to be written, and is then in the twin. */
  private byte[] bytes(int position, int seed) {
    byte[] bytes = new byte[5000];
    new Random(seed).nextBytes(bytes);
    System.arraycopy(bytes, 0, twin, position, bytes.length);
    return bytes;
  }

  private void failoverWhileAStripeIsLocked(FileSystem hers) throws Exception {
    StripedFileUpdater locks = open(hers);
    write(locks, 100, 2);
    List<SessionStatus> alone = sessions();
    assertThat(alone).hasSize(1);
    LockId lock = new LockId((long) alone.get(0).id().number() << 32 | OWN_LOCK, 1);
    LockId other = new LockId(lock.client() + 1, 1);
    StripedFileUpdater writes = open(hers);
    write(writes, STRIPE_BYTES + 100, 3);
    for (int unit = 0; unit < MiniUpdates.CODE.shape().blocks(); unit++) {
      assertThat(tryLock(unit, lock).isGranted()).isTrue();
    }
    CompletableFuture<Void> waits = writes.writeAsync(200, ByteBuffer.wrap(bytes(200, 4)));

    cluster.cluster().transitionToStandby(0);
    cluster.cluster().transitionToActive(1);
    awaitAttached(
        2,
        () -> {
          write(locks, STRIPE_BYTES + 20_000, 5);
          write(writes, 2 * STRIPE_BYTES + 20_000, 6);
        });
    for (int unit = 0; unit < MiniUpdates.CODE.shape().blocks(); unit++) {
      assertThat(tryLock(unit, other).isGranted()).as("unit %d is free", unit).isFalse();
    }
    assertThat(waits).as("a write to the locked stripe").isNotDone();
    for (int unit = 0; unit < MiniUpdates.CODE.shape().blocks(); unit++) {
      ask(unit, new Request.SetLock(LockMode.UNL, lock));
    }
    waits.get(4, TimeUnit.MINUTES);
    assertReads(locks);
    locks.close();
    writes.close();
    cluster.verify(cluster.group(FILE.toString()));
    as(
        alice,
        () -> {
          try (FSDataInputStream in = hers.open(FILE)) {
            assertThat(Arrays.equals(in.readAllBytes(), twin)).isTrue();
          }
          return null;
        });
  }

  /** What a program does. */
  @FunctionalInterface
  private interface Work {
    void run() throws IOException;
  }

  /** DataNodes go by the earlier NameNode's word until the next one has answered them. */
  private void awaitAttached(int count, Work work) {
    await("attached")
        .atMost(2, TimeUnit.MINUTES)
        .until(
            () -> {
              work.run();
              List<SessionStatus> all = sessions();
              return all.size() == count
                  && all.stream().allMatch(status -> status.grant().attached());
            });
  }

  private void assertReads(StripedFileUpdater updater) throws IOException {
    ByteBuffer found = ByteBuffer.allocate(FILE_BYTES);
    assertThat(updater.read(0, found)).isEqualTo(FILE_BYTES);
    assertThat(found.array()).isEqualTo(twin);
  }

  private Reply.LockReply tryLock(int unit, LockId lock) throws Exception {
    return (Reply.LockReply) ask(unit, new Request.TryLock(LockMode.L1, lock));
  }

  private Reply ask(int unit, Request request) throws Exception {
    CompletableFuture<Reply> answer = new CompletableFuture<>();
    cluster.call(cluster.group(FILE.toString()), unit, /* stripe= */ 0, request, answer::complete);
    return answer.get(2, TimeUnit.MINUTES);
  }

  private void failoverWhileAUnitIsMissing(FileSystem hers) throws Exception {
    String lost = cluster.group(FILE.toString()).nodes()[1];
    DatanodeID id = cluster.node(lost).getDatanodeId();
    cluster.stop(lost);
    for (int i = 0; i < 2; i++) {
      FSNamesystem names = cluster.cluster().getNamesystem(i);
      DFSTestUtil.setDatanodeDead(NameNodeAdapter.getDatanode(names, id));
      BlockManagerTestUtil.checkHeartbeat(names.getBlockManager());
    }
    ByteBuffer found = ByteBuffer.allocate(FILE_BYTES);
    DegradedReader[] opened = new DegradedReader[1];
    await("the unit is known to be missing")
        .ignoreExceptionsInstanceOf(IOException.class)
        .until(
            () -> {
              opened[0] = as(alice, () -> FileUpdates.openDegraded(hers, FILE));
              return true;
            });
    try (DegradedReader reader = opened[0]) {
      reader.read(0, found.limit(STRIPE_BYTES));
      cluster.cluster().transitionToStandby(1);
      cluster.cluster().transitionToActive(0);
      awaitAttached(1, () -> reader.read(0, ByteBuffer.allocate(10)));
      reader.read(STRIPE_BYTES, found.limit(FILE_BYTES));
    }
    assertThat(found.array()).isEqualTo(twin);
    assertThat(sessions()).as("it has closed it").isEmpty();
  }
}

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.bridge.config.SuiteKey;
import io.hdfsparity.bridge.wire.RpcServers;
import io.hdfsparity.raidp.config.LockGranularity;
import io.hdfsparity.raidp.config.RaidpKey;
import io.hdfsparity.raidp.wire.RaidpAdminProtocol;
import io.hdfsparity.raidp.wire.RaidpNodeProtocol;
import io.hdfsparity.raidp.wire.RaidpProtocols;
import io.hdfsparity.raidp.wire.message.FailDiskRequest;
import io.hdfsparity.raidp.wire.message.RecoverRequest;
import io.hdfsparity.raidp.wire.message.TextResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.reflect.Proxy;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.StandbyException;
import org.apache.hadoop.security.AccessControlException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The command line against a real RPC server with prepared answers. */
class RaidpAdminTest {
  private final Configuration conf = new Configuration();
  private final List<RPC.Server> servers = new ArrayList<>();
  private final List<List<Object>> calls = new ArrayList<>();
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private final List<Object> answers = new ArrayList<>();

  @BeforeEach
  void start() throws IOException {
    conf.set("fs.defaultFS", "hdfs://127.0.0.1:1");
    conf.set(SuiteKey.NAMENODE_RPC_ADDRESS.key(), "127.0.0.1:" + manager(answers));
  }

  @AfterEach
  void stop() {
    servers.forEach(RPC.Server::stop);
  }

  /** A manager that gives its answers one after the other, the last one for ever. */
  private int manager(List<Object> its) throws IOException {
    RaidpAdminProtocol admin =
        proxy(
            RaidpAdminProtocol.class,
            (method, args) -> {
              List<Object> call = new ArrayList<>(List.of(method));
              call.addAll(Arrays.asList(args));
              calls.add(call);
              Object answer = its.size() > 1 ? its.remove(0) : its.get(0);
              if (answer instanceof IOException e) {
                throw e;
              }
              return answer;
            });
    RPC.Server server =
        RpcServers.build(
            new Configuration(),
            new InetSocketAddress("127.0.0.1", 0),
            1,
            RaidpProtocols.node(proxy(RaidpNodeProtocol.class, (method, args) -> true)),
            RaidpProtocols.admin(admin));
    server.start();
    servers.add(server);
    return server.getListenerAddress().getPort();
  }

  private interface Handler {
    Object call(String method, Object[] args) throws IOException;
  }

  private static <T> T proxy(Class<T> type, Handler handler) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (p, method, args) -> handler.call(method.getName(), args)));
  }

  private int run(String... args) {
    return new RaidpAdmin(conf, new PrintStream(out, true), new PrintStream(err, true)).run(args);
  }

  private String out() {
    return out.toString(StandardCharsets.UTF_8);
  }

  private String err() {
    return err.toString(StandardCharsets.UTF_8);
  }

  private void answer(String json, int exitCode) {
    answers.add(new TextResponse(json, exitCode));
  }

  @Test
  void withoutACommandItShowsItsUsage() {
    assertThat(run()).isEqualTo(-1);
    assertThat(err())
        .startsWith("Usage: hdfs raidp")
        .contains("[-fsck [-repair] [-parallel NODES]")
        .contains("-plan");
    assertThat(run("-nonsense")).isEqualTo(-1);
    assertThat(err()).contains("nonsense: Unknown command");
  }

  @Test
  void helpIsNoError() {
    assertThat(run("-help")).isZero();
    assertThat(out()).contains("Brings all superchunks back to two replicas");
    assertThat(run("-help", "failDisk")).isZero();
    assertThat(run("-help", "nonsense")).isEqualTo(-1);
    assertThat(calls).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "-status,-x",
    "-layout,-dryRun",
    "-scrub,-disk",
    "-failDisk,",
    "-recover,-lock",
    "-fsck,now"
  })
  void wrongArgumentsShowTheCommandsUsage(String command, String argument) {
    assertThat(argument == null ? run(command) : run(command, argument)).isEqualTo(-1);
    assertThat(err()).contains("Usage: hdfs raidp [" + command);
    assertThat(calls).isEmpty();
  }

  /** The NameNode would pair superchunks anew before a DataNode refused to rebuild them so. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "-chunkSize | 4 | multiple of 64k up to 64m",
        "-chunkSize | 0 | multiple of 64k up to 64m",
        "-chunkSize | 100000 | multiple of 64k up to 64m",
        "-chunkSize | 65m | multiple of 64k up to 64m",
        "-chunkSize | 4g | multiple of 64k up to 64m",
        "-chunkSize | four | expected bytes",
        "-throttle | -1 | 0, or at least 64k",
        "-throttle | 10 | 0, or at least 64k",
        "-throttle | fast | expected bytes",
        "-lock | disk | range or superchunk",
      })
  void aRecoveryThatNoNodeCouldMakeIsNotBegun(String option, String value, String rule) {
    assertThat(run("-recover", option, value)).isEqualTo(-1);
    assertThat(err()).contains(rule).contains(value.equals("4g") ? "4294967296" : "");
    assertThat(calls).isEmpty();
  }

  @Test
  void statusAsTextAndAsJson() {
    String json =
        "{\"active\":true,\"placementAttached\":false,\"superchunks\":{\"total\":5,\"active\":3,\"degraded\":1,"
            + "\"lost\":1},\"problems\":[{\"kind\":\"SUPERSEDED\",\"subject\":\"DS-1\",\"detail\":\"old\"}]}";
    answer(json, 0);
    assertThat(run("-status")).isZero();
    assertThat(out())
        .contains("NOT attached")
        .contains("Superchunks: 5, active 3, degraded 1, lost 1")
        .contains("SUPERSEDED DS-1: old");
    out.reset();
    assertThat(run("-status", "-json")).isZero();
    assertThat(out().replaceAll("\\s", "")).isEqualTo(json);
    assertThat(calls).containsExactly(List.of("status", List.of()), List.of("status", List.of()));
  }

  @Test
  void whatAMutationNeedsReachesTheManager() {
    answer("{}", 0);
    run("-layout", "-apply");
    run("-layout", "-apply", "-dryRun");
    run("-layout");
    run("-failDisk", "d1");
    run("-failDisk", "d1", "-force", "-json");
    run("-failDisk", "d1", "-undo");
    run("-fsck", "-repair");
    run("-fsck", "-parallel", "4", "-throttle", "2", "-json");
    run("-scrub", "-disk", "d1");
    run("-lstor");
    run("-recover", "-chunkSize", "64m", "-lock", "superchunk", "-throttle", "10m", "-acceptLoss");
    run("-recover");
    assertThat(calls)
        .containsExactly(
            List.of("applyLayout", RaidpAdminProtocol.DryRun.NO),
            List.of("applyLayout", RaidpAdminProtocol.DryRun.YES),
            List.of("layout", List.of()),
            List.of("failDisk", new FailDiskRequest("d1", FailDiskRequest.Check.OTHER_REPLICAS)),
            List.of("failDisk", new FailDiskRequest("d1", FailDiskRequest.Check.NONE)),
            List.of("withdrawFailedDisk", "d1"),
            List.of("fsck", List.of("-repair")),
            List.of("fsck", List.of("-parallel", "4", "-throttle", "2097152")),
            List.of("scrub", List.of("-disk", "d1")),
            List.of("lstors", List.of()),
            List.of(
                "recover",
                new RecoverRequest(
                    OptionalInt.of(64 << 20),
                    Optional.of(LockGranularity.SUPERCHUNK),
                    OptionalLong.of(10 << 20),
                    true)),
            List.of("recover", RecoverRequest.configured()));
    assertThat(err()).isEmpty();
  }

  @Test
  void whatIsForcedIsNotTakenBack() {
    assertThat(run("-failDisk", "d1", "-force", "-undo")).isEqualTo(-1);
    assertThat(err()).contains("-undo goes without -force", "Usage: hdfs raidp [-failDisk");
    assertThat(calls).isEmpty();
  }

  @Test
  void aDiskThatWasNotCheckedIsSaidToBeSo() {
    answer("{\"disk\":\"d1\",\"node\":\"u1\",\"frames\":4}", 0);
    assertThat(run("-failDisk", "d1")).isZero();
    assertThat(out()).contains("Disk d1 of node u1 is out of service").doesNotContain("ot checked");
    answers.clear();
    answer("{\"disk\":\"d1\",\"notChecked\":\"it was declared failed before\"}", 0);
    assertThat(run("-failDisk", "d1")).isZero();
    assertThat(out()).contains("Not checked for last replicas: it was declared failed before");
  }

  @Test
  void aDiskThatIsBackIsShownAsItIs() {
    answer("{\"disk\":\"d1\",\"node\":\"u1\",\"health\":\"DEAD\"}", 0);
    assertThat(run("-failDisk", "d1", "-undo")).isZero();
    assertThat(out()).contains("Disk d1 of node u1", "is DEAD", "restart its DataNode");
  }

  @Test
  void findingsMakeFsckFail() {
    answer(
        "{\"healthy\":false,\"blocks\":9,\"findings\":[{\"kind\":\"STRAY\",\"superchunk\":4,\"block\":5,"
            + "\"detail\":\"outside\",\"repaired\":true}]}",
        -1);
    assertThat(run("-fsck")).isEqualTo(-1);
    assertThat(out())
        .contains("STRAY superchunk 4 block 5: outside (repaired)")
        .contains("Status: CORRUPT");
  }

  @Test
  void aRefusalIsOneLine() {
    answers.add(
        new AccessControlException("Access denied for user bob. Superuser privilege is required"));
    assertThat(run("-failDisk", "d1")).isEqualTo(-1);
    assertThat(err().lines())
        .containsExactly("failDisk: Access denied for user bob. Superuser privilege is required");
  }

  @Test
  void noManagerIsNamed() throws IOException {
    int port;
    try (ServerSocket socket = new ServerSocket(0)) {
      port = socket.getLocalPort();
    }
    // Not the address of a server that was stopped: a connection to that may still be open.
    conf.set(SuiteKey.NAMENODE_RPC_ADDRESS.key(), "127.0.0.1:" + port);
    assertThat(run("-status")).isEqualTo(-1);
    assertThat(err())
        .startsWith("status: Cannot call the active NameNode: answers=")
        .contains(conf.get(SuiteKey.NAMENODE_RPC_ADDRESS.key()));
  }

  @Test
  void anUnknownKeyIsNamed() {
    conf.set(RaidpKey.PREFIX + "frme.size", "1g");
    assertThat(run("-status")).isEqualTo(-1);
    assertThat(err()).contains("dfs.parity.raidp.frme.size=1g");
  }

  @Test
  void theActiveOneOfTwoIsFound() throws IOException {
    List<Object> standby = new ArrayList<>(List.of(new StandbyException("standby")));
    int standbyPort = manager(standby);
    String active = conf.get(SuiteKey.NAMENODE_RPC_ADDRESS.key());
    conf.unset(SuiteKey.NAMENODE_RPC_ADDRESS.key());
    conf.set("fs.defaultFS", "hdfs://ns");
    conf.set("dfs.nameservices", "ns");
    conf.set("dfs.ha.namenodes.ns", "a,b");
    conf.set("dfs.namenode.rpc-address.ns.a", "127.0.0.1:1");
    conf.set("dfs.namenode.rpc-address.ns.b", "127.0.0.1:2");
    conf.set(SuiteKey.NAMENODE_RPC_ADDRESS.key() + ".ns.a", "127.0.0.1:" + standbyPort);
    conf.set(SuiteKey.NAMENODE_RPC_ADDRESS.key() + ".ns.b", active);
    answer("{\"disk\":\"d1\"}", 0);
    assertThat(run("-failDisk", "d1")).isZero();
    assertThat(calls).hasSize(2);
    answers.clear();
    answers.add(new StandbyException("me too"));
    assertThat(run("-failDisk", "d1")).isEqualTo(-1);
    assertThat(err()).contains("standby").contains("me too");
  }

  @Test
  void progressIsWatchedUntilDone() {
    answer("{\"state\":\"RUNNING\",\"bytesTotal\":0}", 0);
    answers.add(new IOException("the NameNode restarts"));
    answer(
        "{\"state\":\"RUNNING\",\"bytesTotal\":100,\"bytesDone\":50,\"bytesPerSecond\":10,\"etaMs\":5000,"
            + "\"lost\":1,\"degraded\":2,\"superchunks\":[{\"phase\":\"DONE\"},{\"phase\":\"COPYING\"}]}",
        0);
    answer("{\"state\":\"DONE\",\"bytesTotal\":100,\"bytesDone\":100,\"superchunks\":[]}", 0);
    assertThat(run("-recover", "-progress")).isZero();
    assertThat(out()).contains("100% 100 B of 100 B").contains("DONE");
    assertThat(calls).first().isEqualTo(List.of("recover", RecoverRequest.configured()));
    assertThat(calls).hasSize(4);
  }

  /** The new active NameNode knows nothing of the recovery, and begins none by itself. */
  @Test
  void aRecoveryThatTheNameNodeHasForgottenIsBegunAgain() {
    answer("{\"state\":\"RUNNING\",\"bytesTotal\":0}", 0);
    answer("{\"state\":\"RUNNING\",\"lost\":1,\"degraded\":2}", 0);
    answers.add(new IOException("the NameNode restarts"));
    answer("{\"state\":\"IDLE\",\"lost\":1,\"degraded\":2}", 0);
    answers.add(new StandbyException("not yet"));
    answer("{\"state\":\"RUNNING\",\"lost\":1,\"degraded\":2}", 0);
    answer("{\"state\":\"DONE\",\"lost\":0,\"degraded\":0}", 0);
    assertThat(run("-recover", "-progress", "-throttle", "10m")).isZero();
    RecoverRequest asked =
        new RecoverRequest(
            OptionalInt.empty(), Optional.empty(), OptionalLong.of(10L << 20), false);
    assertThat(calls)
        .extracting(call -> call.get(0))
        .containsExactly(
            "recover",
            "recoveryStatus",
            "recoveryStatus",
            "recoveryStatus",
            "recover",
            "recover",
            "recoveryStatus");
    assertThat(calls)
        .filteredOn(call -> call.get(0).equals("recover"))
        .allMatch(call -> call.get(1).equals(asked));
    assertThat(out()).contains("The NameNode has forgotten the recovery; it is begun again");
  }

  @Test
  void aRecoveryThatIsForgottenAgainAndAgainHasFailed() {
    answer("{\"state\":\"RUNNING\",\"lost\":1,\"degraded\":2}", 0);
    answer("{\"state\":\"IDLE\",\"lost\":1,\"degraded\":2}", 0);
    assertThat(run("-recover", "-progress")).isEqualTo(-1);
    assertThat(err()).contains("recover: Cannot see the recovery through: restarts=");
  }

  /** Superchunks are paired before their blocks have come to the new side. */
  @Test
  void aRecoveryIsWatchedUntilNoReplicaIsMissing() {
    answer("{\"state\":\"RUNNING\"}", 0);
    answer("{\"state\":\"DONE\",\"replicasMissing\":7}", 0);
    answer("{\"state\":\"DONE\",\"replicasMissing\":1}", 0);
    answer("{\"state\":\"DONE\",\"replicasMissing\":0}", 0);
    assertThat(run("-recover", "-progress")).isZero();
    assertThat(calls).hasSize(4);
    assertThat(out()).contains("DONE, 7 replicas missing").endsWith("0 degraded, DONE\n");
  }

  /** A NameNode that has become the active one counts them when it has looked at all blocks. */
  @Test
  void aRecoveryIsWatchedUntilMissingReplicasAreCounted() {
    answer("{\"state\":\"RUNNING\"}", 0);
    answer("{\"state\":\"DONE\",\"replicasCounted\":false}", 0);
    answer("{\"state\":\"DONE\",\"replicasCounted\":true,\"replicasMissing\":7}", 0);
    answer("{\"state\":\"DONE\",\"replicasCounted\":true,\"replicasMissing\":0}", 0);
    assertThat(run("-recover", "-progress")).isZero();
    assertThat(calls).hasSize(4);
    assertThat(out())
        .contains("DONE, missing replicas are not counted yet")
        .endsWith("0 degraded, DONE\n");
  }

  @Test
  void replicasThatAreNotMadeMakeTheRecoveryFail() throws Exception {
    PrintStream to = new PrintStream(out, true);
    TextResponse stuck = new TextResponse("{\"state\":\"DONE\",\"replicasMissing\":7}", 0);
    RecoveryWatch watch =
        new RecoveryWatch(
            () -> stuck,
            () -> stuck,
            to,
            RecoveryWatch.Style.LINES,
            new RecoveryWatch.Limits(1, 1_000, 5, 3));
    assertThat(watch.untilOver().exitCode()).isEqualTo(-1);
    assertThat(out()).contains("replicasMissing=7").contains("hdfs raidp -status");
  }

  @Test
  @Timeout(20)
  void replicasThatAreNeverCountedMakeTheRecoveryFail() throws Exception {
    PrintStream to = new PrintStream(out, true);
    TextResponse stuck = new TextResponse("{\"state\":\"DONE\",\"replicasCounted\":false}", 0);
    RecoveryWatch watch =
        new RecoveryWatch(
            () -> stuck,
            () -> stuck,
            to,
            RecoveryWatch.Style.LINES,
            new RecoveryWatch.Limits(1, 1_000, 5, 3));
    assertThat(watch.untilOver().exitCode()).isEqualTo(-1);
    assertThat(out()).contains("missing replicas were not counted within");
  }

  @Test
  void aLineOfProgressSaysItAll() throws Exception {
    assertThat(
            RecoveryWatch.line(
                new com.fasterxml.jackson.databind.ObjectMapper()
                    .readTree(
                        "{\"state\":\"RUNNING\",\"bytesTotal\":2097152,\"bytesDone\":1048576,\"bytesPerSecond\":1024,\"etaMs\":61000,"
                            + "\"lost\":1,\"degraded\":2,\"superchunks\":[{\"phase\":\"DONE\"},{\"phase\":\"COPYING\"}]}")))
        .isEqualTo(
            "[###############---------------] 50% 1.0 MiB of 2.0 MiB, 1.0 KiB/s, ETA 01:01, moves 1 of 2, 1 lost,"
                + " 2 degraded, RUNNING");
  }

  @Test
  void leavingTheWatchSaysThatTheRecoveryGoesOn() throws Exception {
    answer("{\"state\":\"RUNNING\",\"bytesTotal\":100}", 0);
    int[] code = new int[1];
    Thread watcher = new Thread(() -> code[0] = run("-recover", "-progress"));
    watcher.start();
    org.awaitility.Awaitility.await().until(() -> calls.size() > 2);
    watcher.interrupt();
    watcher.join();
    assertThat(code[0]).isEqualTo(-1);
    assertThat(out())
        .contains(
            "Recovery continues in the NameNode; watch it again with: hdfs raidp -recover -progress");
  }

  @Test
  void planNeedsNoCluster() {
    servers.forEach(RPC.Server::stop);
    assertThat(run("-plan", "-nodes", "6", "-disks", "2", "-json")).isZero();
    assertThat(out()).contains("superchunks");
  }
}

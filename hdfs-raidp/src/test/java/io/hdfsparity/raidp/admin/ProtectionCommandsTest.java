/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.bridge.config.SuiteKey;
import io.hdfsparity.bridge.wire.RpcServers;
import io.hdfsparity.raidp.wire.RaidpAdminProtocol;
import io.hdfsparity.raidp.wire.RaidpNodeProtocol;
import io.hdfsparity.raidp.wire.RaidpProtocols;
import io.hdfsparity.raidp.wire.message.AdoptRequest;
import io.hdfsparity.raidp.wire.message.AdoptRequest.Action;
import io.hdfsparity.raidp.wire.message.AdoptRequest.Goal;
import io.hdfsparity.raidp.wire.message.BalanceRequest;
import io.hdfsparity.raidp.wire.message.ProtectRequest;
import io.hdfsparity.raidp.wire.message.ProtectRequest.Change;
import io.hdfsparity.raidp.wire.message.TextResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.reflect.Proxy;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.security.AccessControlException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The commands about protected directories, against an RPC server with prepared answers. */
class ProtectionCommandsTest {
  private static final String MARKED =
      "{\"path\":\"/a\",\"mark\":\"PROTECTED\",\"markedPath\":\"/\"}";
  private static final String DONE =
      "{\"path\":\"/a\",\"mark\":\"PROTECTED\",\"markedPath\":\"/\",\"state\":\"DONE\","
          + "\"files\":{\"COVERED\":{\"count\":3,\"bytes\":2048},"
          + "\"HELD_BY_SNAPSHOT\":{\"count\":1,\"bytes\":1024}},"
          + "\"blocks\":{\"COVERED\":{\"count\":4,\"bytes\":2048}},"
          + "\"done\":{\"count\":4,\"bytes\":3072},\"unitBytes\":1048576}";

  private final Configuration conf = new Configuration();
  private final List<Object> calls = new ArrayList<>();
  private final List<Object> answers = new ArrayList<>();
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private RPC.Server server;

  @BeforeEach
  void start() throws IOException {
    server =
        RpcServers.build(
            new Configuration(),
            new InetSocketAddress("127.0.0.1", 0),
            1,
            RaidpProtocols.node(proxy(RaidpNodeProtocol.class)),
            RaidpProtocols.admin(proxy(RaidpAdminProtocol.class)));
    server.start();
    conf.set("fs.defaultFS", "hdfs://127.0.0.1:1");
    conf.set(
        SuiteKey.NAMENODE_RPC_ADDRESS.key(), "127.0.0.1:" + server.getListenerAddress().getPort());
  }

  @AfterEach
  void stop() {
    server.stop();
  }

  private <T> T proxy(Class<T> type) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (p, method, args) -> {
              calls.add(args[0]);
              Object answer = answers.size() > 1 ? answers.remove(0) : answers.get(0);
              if (answer instanceof IOException e) {
                throw e;
              }
              return new TextResponse((String) answer, 0);
            }));
  }

  private int run(String... args) {
    return new RaidpAdmin(conf, new PrintStream(out, true), new PrintStream(err, true)).run(args);
  }

  private String out() {
    return out.toString(StandardCharsets.UTF_8);
  }

  private static AdoptRequest request(Goal goal, Action action, long... throttle) {
    return new AdoptRequest(
        "/a",
        goal,
        action,
        OptionalInt.empty(),
        throttle.length == 0 ? OptionalLong.empty() : OptionalLong.of(throttle[0]));
  }

  @Test
  void aMarkIsSetAndWhatItDoesNotChangeIsSaid() {
    answers.add(MARKED);
    assertThat(run("-protect", "/a")).isZero();
    assertThat(out()).contains("Path /a: new blocks are protected, as / is marked", "-adopt");
    assertThat(run("-unprotect", "/a")).isZero();
    assertThat(out()).contains("stay covered", "-release");
    assertThat(calls)
        .containsExactly(
            new ProtectRequest("/a", Change.PROTECT), new ProtectRequest("/a", Change.UNPROTECT));
  }

  @Test
  void anAdoptionIsWatchedAndStartedAgainWhenItIsGone() {
    answers.add(MARKED);
    answers.add("{\"state\":\"RUNNING\"}");
    answers.add("{\"state\":\"GONE\"}");
    answers.add("{\"state\":\"RUNNING\"}");
    answers.add(DONE);
    assertThat(run("-protect", "/a", "-adopt", "-progress", "-throttle", "5")).isZero();
    assertThat(out())
        .contains("started again", "covered: 2 replicas + parity: 3, 2.0 KiB", "snapshot holds");
    AdoptRequest start = request(Goal.ADOPT, Action.START, 5 << 20);
    AdoptRequest watch = request(Goal.ADOPT, Action.WATCH);
    assertThat(calls)
        .containsExactly(new ProtectRequest("/a", Change.PROTECT), start, watch, start, watch);
  }

  private static BalanceRequest balance(
      BalanceRequest.Action action, double threshold, long... throttle) {
    return new BalanceRequest(
        action,
        threshold,
        throttle.length == 0 ? OptionalLong.empty() : OptionalLong.of(throttle[0]));
  }

  @Test
  void aBalanceIsWatchedUntilItIsOver() {
    answers.add("{\"state\":\"RUNNING\",\"joined\":false}");
    answers.add(
        "{\"state\":\"DONE\",\"outcome\":\"BALANCED\",\"moved\":{\"count\":3,\"bytes\":2048},"
            + "\"before\":{\"lowestPercent\":0,\"meanPercent\":20.5,\"highestPercent\":31}}");
    assertThat(run("-balance", "-threshold", "2.5", "-throttle", "5", "-progress")).isZero();
    assertThat(out())
        .contains("every disk is within the threshold", "Blocks moved: 3, 2.0 KiB", "mean 20.5 %");
    assertThat(calls)
        .containsExactly(
            balance(BalanceRequest.Action.START, 2.5, 5 << 20),
            balance(BalanceRequest.Action.WATCH, 2.5));
  }

  /** A failover ends it: no other one is started unasked. */
  @Test
  void aBalanceThatIsGoneIsSaidSo() {
    answers.add("{\"state\":\"RUNNING\"}");
    answers.add("{\"state\":\"NONE\"}");
    assertThat(run("-balance", "-progress")).isEqualTo(-1);
    assertThat(err.toString(StandardCharsets.UTF_8))
        .contains("the balance has ended", "again to go on");
    assertThat(calls)
        .containsExactly(
            balance(BalanceRequest.Action.START, 10), balance(BalanceRequest.Action.WATCH, 10));
  }

  @Test
  void aBalanceIsOnlyPlanned() {
    answers.add(
        "{\"state\":\"PLANNED\",\"plannedBytes\":2048,\"copiedBytes\":4096,\"moves\":2,"
            + "\"balanced\":false,\"disks\":[{\"id\":\"d1\",\"beforePercent\":50.0,"
            + "\"afterPercent\":40.04}]}");
    assertThat(run("-balance", "-dryRun")).isZero();
    assertThat(out())
        .contains(
            "Would move 2.0 KiB in 2 moves, and copy 4.0 KiB",
            "Disk d1: 50.0 % now, 40.0 % then",
            "-layout -apply");
    assertThat(calls).containsExactly(balance(BalanceRequest.Action.PLAN, 10));
  }

  @ParameterizedTest
  @CsvSource({
    "'-balance -threshold 0', '-threshold=0, expected'",
    "'-balance -threshold 101', '-threshold=101, expected'",
    "'-balance -threshold x', '-threshold=x, expected'",
    "'-balance -throttle -1', '-throttle=-1, expected'",
    "'-balance -dryRun -progress', '-dryRun moves nothing'",
    "'-balance -stop -progress', '-stop stands alone'",
    "'-balance -stop -threshold 5', '-stop stands alone'",
    "'-balance /a', '/a'",
  })
  void aBalanceIsNotStartedByMistake(String line, String said) {
    answers.add("{}");
    assertThat(run(line.split(" "))).isEqualTo(-1);
    assertThat(err.toString(StandardCharsets.UTF_8)).contains(said);
    assertThat(calls).isEmpty();
  }

  @Test
  void aBalanceIsStopped() {
    answers.add("{\"state\":\"RUNNING\",\"moved\":{\"count\":3,\"bytes\":2048}}");
    answers.add("{\"state\":\"DONE\",\"outcome\":\"BALANCED\"}");
    assertThat(run("-balance", "-stop")).isZero();
    assertThat(out()).contains("Stopping: moved 2.0 KiB", "their old superchunks");
    assertThat(run("-balance", "-stop")).isZero();
    assertThat(out()).contains("No balance is running");
    assertThat(calls)
        .containsExactly(
            balance(BalanceRequest.Action.STOP, 10), balance(BalanceRequest.Action.STOP, 10));
  }

  @Test
  void aBalanceThatHasFailedNamesTheLog() {
    answers.add("{\"state\":\"DONE\",\"outcome\":\"FAILED\"}");
    assertThat(run("-balance", "-progress")).isZero();
    assertThat(out()).contains("the NameNode's log says why");
  }

  @Test
  void aReleaseUnmarksAndIsWatched() {
    answers.add("{\"path\":\"/\",\"mark\":\"NONE\",\"cleared\":2}");
    answers.add("{\"state\":\"RUNNING\",\"goal\":\"RELEASE\"}");
    answers.add(
        "{\"path\":\"/\",\"mark\":\"NONE\",\"state\":\"DONE\",\"goal\":\"RELEASE\","
            + "\"files\":{\"RELEASED\":{\"count\":3,\"bytes\":2048},"
            + "\"FEWER_IN_SNAPSHOT\":{\"count\":1,\"bytes\":1024}},"
            + "\"done\":{\"count\":4,\"bytes\":3072},"
            + "\"newlyCovered\":{\"count\":5,\"bytes\":2048},"
            + "\"coverage\":{\"none\":false,\"blocks\":2,\"units\":7,\"silentNodes\":1}}");
    assertThat(run("-unprotect", "-all", "-release", "-replication", "4", "-progress")).isZero();
    assertThat(out())
        .contains(
            "released: plain replicas, no parity: 3, 2.0 KiB",
            "a snapshot asks for fewer replicas",
            "blocks released by this run: 5",
            "Covered: 2 replicas, 7 units taken; nodes that do not report: 1");
    assertThat(calls)
        .containsExactly(
            new ProtectRequest("/", Change.UNPROTECT_ALL),
            new AdoptRequest(
                "/", Goal.RELEASE, Action.START, OptionalInt.of(4), OptionalLong.empty()),
            new AdoptRequest(
                "/", Goal.RELEASE, Action.WATCH, OptionalInt.empty(), OptionalLong.empty()));
  }

  @Test
  void whenNothingIsCoveredThePluginMayGo() {
    answers.add("{\"path\":\"/\",\"mark\":\"NONE\",\"coverage\":{\"none\":true}}");
    assertThat(run("-unprotect", "-all")).isZero();
    assertThat(out()).contains("Covered: nothing; RAIDP can be taken out");
  }

  @Test
  void anAdoptionThatIsOnlyStartedSaysHowToWatchIt() {
    answers.add(MARKED);
    answers.add("{\"state\":\"RUNNING\",\"joined\":true}");
    assertThat(run("-protect", "/a", "-adopt")).isZero();
    assertThat(out()).contains("Already running", "-adopt -progress");
  }

  @Test
  void aStatusAndADryRunCountAndMarkNothing() {
    answers.add(DONE);
    assertThat(run("-status", "/a")).isZero();
    assertThat(run("-protect", "/a", "-dryRun", "-adopt")).isZero();
    AdoptRequest survey = request(Goal.SURVEY, Action.START);
    assertThat(calls).containsExactly(survey, survey);
    out.reset();
    assertThat(run("-status", "/a", "-json")).isZero();
    assertThat(out().replaceAll("\\s", "")).isEqualTo(DONE);
  }

  @Test
  void aPathCannotControlTheTerminal() {
    answers.add(MARKED.replace("\"/a\"", "\"/a\\u001b[2J\\nPath /b: fine\""));
    assertThat(run("-protect", "/a")).isZero();
    assertThat(out()).doesNotContain("\u001b").contains("/a\\u001b[2J\\nPath");
  }

  @Test
  void aRefusalIsOneLine() {
    answers.add(new AccessControlException("Access denied for user bob"));
    assertThat(run("-status", "/a")).isEqualTo(-1);
    assertThat(err.toString(StandardCharsets.UTF_8).lines())
        .containsExactly("status: Access denied for user bob");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "-protect | PATH is missing",
        "-unprotect | PATH is missing",
        "-protect /a -progress | needs -adopt",
        "-protect /a -throttle 5 | needs -adopt",
        "-protect /a -adopt -throttle fast | MB a second",
        "-protect /a -adopt -throttle -1 | MB a second",
        "-protect /a -adopt -throttle 9999999999999 | MB a second",
        "-unprotect /a -replication 3 | needs -release",
        "-unprotect /a -progress | needs -release",
        "-unprotect /a -release -replication 2 | expected at least 3",
        "-unprotect /a -release -replication many | expected at least 3",
        "-unprotect -all /a | unknown argument /a",
        "-protect /a /b | unknown argument /b",
        "-status /a -adopt | unknown argument -adopt",
      })
  void wrongArgumentsReachNoManager(String line, String rule) {
    assertThat(run(line.split(" "))).isEqualTo(-1);
    assertThat(err.toString(StandardCharsets.UTF_8)).contains(rule);
    assertThat(calls).isEmpty();
  }
}

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.bridge.doctor.CallFailure;
import io.hdfsparity.bridge.doctor.DaemonAnswer;
import io.hdfsparity.bridge.doctor.DaemonKind;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class DaemonPollTest {
  private static final int SILENT = 200;

  private static DaemonPoll.Target target(String host, int port) {
    return new DaemonPoll.Target(
        DaemonKind.DATANODE,
        host + ":" + port,
        new InetSocketAddress(host, port),
        DaemonPoll.Preparation.NONE);
  }

  /** A socket that nobody accepts at is a host that hangs; all of 127/8 is this host. */
  @Test
  void daemonsThatHangAreAskedTogetherAndEachIsNamed() throws Exception {
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int closedPort;
    try (ServerSocket once = new ServerSocket(0)) {
      closedPort = once.getLocalPort();
    }
    try (ServerSocket hanging = new ServerSocket(0, SILENT);
        DaemonPoll poll =
            new DaemonPoll(
                new Configuration(), new PrintStream(err, true, StandardCharsets.UTF_8))) {
      List<DaemonPoll.Target> targets = new ArrayList<>();
      targets.add(target("127.0.0.1", closedPort));
      for (int i = 1; i <= SILENT; i++) {
        targets.add(target("127.0.1." + i, hanging.getLocalPort()));
      }
      List<DaemonAnswer> answers = poll.ask(targets);
      assertThat(answers).hasSize(SILENT + 1);
      for (int i = 0; i <= SILENT; i++) {
        assertThat(answers.get(i).address()).isEqualTo(targets.get(i).address());
        assertThat(answers.get(i).failure().orElseThrow().cause())
            .as("%s: %s", answers.get(i).address(), answers.get(i).failure())
            .isEqualTo(i == 0 ? CallFailure.Cause.REFUSED : CallFailure.Cause.TIMEOUT);
      }
    }
    assertThat(err.toString(StandardCharsets.UTF_8)).contains("of 201 DataNodes asked");
  }
}

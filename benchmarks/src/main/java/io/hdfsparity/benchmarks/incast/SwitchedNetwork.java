/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.incast;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A switch with a client and helpers, each at a port of its own, made of network namespaces and
 * virtual Ethernet. Links have one rate; what the switch keeps for the client is limited, and what
 * does not fit is dropped. Segments are as large as on Ethernet. All of it ends with the
 * benchmark's own namespaces. Not thread-safe.
 *
 * <p>The switch routes. A bridge would leave packets in the account of the socket that sent them
 * until the client has them, and TCP sends no more than a little into its own host's queues (TCP
 * small queues): no buffer would ever overflow. Only IP's receive path ends that account.
 */
final class SwitchedNetwork {
  private static final String CLIENT_PORT = "client";
  private static final String SWITCH = "switch";
  private static final Pattern DROPPED = Pattern.compile("dropped (\\d+)");
  private static final int HOST_QUEUE_BYTES = 4 << 20;
  private static final Path NETSTAT = Path.of("/proc/thread-self/net/netstat");

  private final List<NetworkNamespace> helpers = new ArrayList<>();

  /**
   * Makes it.
   *
   * @param helperCount at most 200
   * @param mbit rate of each link
   * @param bufferBytes what the switch keeps for the client
   */
  SwitchedNetwork(int helperCount, int mbit, int bufferBytes)
      throws IOException, InterruptedException {
    run("ip netns add " + SWITCH);
    new NetworkNamespace(SWITCH)
        .call(
            () -> {
              setting("ip_forward", "1");
              return null;
            });
    run("ip link add up0 type veth peer name " + CLIENT_PORT + " netns " + SWITCH);
    run("ip addr add " + address(0) + "/24 dev up0");
    plug(CLIENT_PORT, 0);
    run("ip link set up0 up gso_max_segs 1");
    // The client's acknowledgements are not held back: the least timeout is shorter than that.
    run("ip route add default via " + portAddress(0) + " quickack 1");
    run(limit("tc -n " + SWITCH, CLIENT_PORT, mbit, bufferBytes));
    for (int host = 1; host <= helperCount; host++) {
      addHelper(host, mbit);
    }
  }

  private void addHelper(int host, int mbit) throws IOException, InterruptedException {
    NetworkNamespace helper = new NetworkNamespace("helper" + host);
    String own = "ip -n " + helper.name();
    String port = "port" + host;
    run("ip netns add " + helper.name());
    run(
        "ip -n "
            + SWITCH
            + " link add "
            + port
            + " type veth peer name up0 netns "
            + helper.name());
    run(own + " addr add " + address(host) + "/24 dev up0");
    plug(port, host);
    run(own + " link set up0 up gso_max_segs 1");
    run(own + " route add default via " + portAddress(host));
    // A host's own queue is memory.
    run(limit("tc -n " + helper.name(), "up0", mbit, HOST_QUEUE_BYTES));
    helper.call(
        () -> {
          setting("tcp_congestion_control", "reno");
          setting("tcp_no_metrics_save", "1");
          return null;
        });
    helpers.add(helper);
  }

  private static String limit(String tc, String device, int mbit, int bufferBytes) {
    return tc
        + " qdisc add dev "
        + device
        + " root tbf rate "
        + mbit
        + "mbit burst 16kb limit "
        + bufferBytes;
  }

  private static void plug(String port, int host) throws IOException, InterruptedException {
    run("ip -n " + SWITCH + " addr add " + portAddress(host) + "/24 dev " + port);
    run("ip -n " + SWITCH + " link set " + port + " up gso_max_segs 1");
  }

  /** Of the calling thread's namespace. */
  private static void setting(String name, String value) throws IOException {
    Files.writeString(Path.of("/proc/sys/net/ipv4", name), value);
  }

  /** An address: 0 is the client, helpers count from 1. */
  static String address(int host) {
    return "10.77." + host + ".2";
  }

  /** The switch's address at the same link. */
  private static String portAddress(int host) {
    return "10.77." + host + ".1";
  }

  /** Helpers in order of their addresses. */
  List<NetworkNamespace> helpers() {
    return List.copyOf(helpers);
  }

  /** Sets how helpers repeat what was lost; holds for connections made from now on. */
  void use(Retransmission how) throws IOException, InterruptedException {
    for (int host = 1; host <= helpers.size(); host++) {
      NetworkNamespace helper = helpers.get(host - 1);
      String route = " route change default via " + portAddress(host);
      run("ip -n " + helper.name() + route + " rto_min " + how.rtoMinMs() + "ms");
      helper.call(
          () -> {
            setting("tcp_early_retrans", how.probes() ? "3" : "0");
            return null;
          });
    }
  }

  /**
   * What has happened so far.
   *
   * @param dropped packets that the switch had no room for
   * @param timeouts of helpers
   */
  record Losses(long dropped, long timeouts) {
    Losses since(Losses earlier) {
      return new Losses(dropped - earlier.dropped, timeouts - earlier.timeouts);
    }
  }

  Losses losses() throws IOException, InterruptedException {
    long timeouts = 0;
    for (NetworkNamespace helper : helpers) {
      timeouts += helper.call(() -> counter(Files.readAllLines(NETSTAT), "TcpExt:", "TCPTimeouts"));
    }
    String text = run("tc -n " + SWITCH + " -s qdisc show dev " + CLIENT_PORT);
    Matcher dropped = DROPPED.matcher(text);
    if (!dropped.find()) {
      throw new IOException("Cannot measure: expected the count of dropped packets in " + text);
    }
    return new Losses(Long.parseLong(dropped.group(1)), timeouts);
  }

  /** The shortest timeout of a helper's connections that the kernel says it has set, in ms. */
  double rtoMs() throws IOException, InterruptedException {
    String text = run("ip netns exec " + helpers.get(0).name() + " ss -tin state established");
    Matcher rto = Pattern.compile(" rto:([0-9.]+)").matcher(text);
    double least = Double.NaN;
    while (rto.find()) {
      double ms = Double.parseDouble(rto.group(1));
      least = Double.isNaN(least) ? ms : Math.min(least, ms);
    }
    return least;
  }

  /** Names are in one line, values in the next one. */
  static long counter(List<String> lines, String group, String name) throws IOException {
    for (int i = 0; i + 1 < lines.size(); i += 2) {
      List<String> names = Arrays.asList(lines.get(i).split(" "));
      int at = names.indexOf(name);
      if (names.get(0).equals(group) && at > 0) {
        return Long.parseLong(lines.get(i + 1).split(" ")[at]);
      }
    }
    throw new IOException("Cannot measure: counter=" + name + ", expected one of " + lines);
  }

  private static String run(String command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command.split(" ")).redirectErrorStream(true).start();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    int exit = process.waitFor();
    if (exit != 0) {
      throw new IOException(
          "Cannot make the network: command="
              + command
              + ", exit="
              + exit
              + ", expected 0: "
              + text);
    }
    return text;
  }
}

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.macro;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Bytes that crossed the loopback interface of the benchmark's own network namespace, IP and TCP
 * headers, acknowledgements and all control traffic included. {@code bin/hdfs-parity-bench} sorts
 * the packets into classes of an HTB queue: {@code 1:fe} to or from the client's data address,
 * {@code 1:1xx} into node xx, {@code 1:2xx} out of node xx to what is no node, {@code 1:1} all else
 * (client and NameNode, and what a node sends to itself: a rebuilt unit of an erasure-coded file is
 * written like that).
 *
 * @param nodeBytes between nodes, and between nodes and the NameNode
 * @param clientBytes data of the client: on a real cluster the task runs on the node that keeps the
 *     first replica, and this does not cross the network
 * @param leavingBytes those of {@code nodeBytes} that went to what is no node
 */
public record Wire(long nodeBytes, long clientBytes, long leavingBytes) {
  /** The address that clients of a benchmark send and fetch data from. */
  public static final String CLIENT_ADDRESS = "127.0.0.254";

  private static final Pattern CLASS =
      Pattern.compile("class htb 1:([0-9a-f]+) [^\n]*\n\\s*Sent (\\d+) bytes");

  /**
   * Reads the counters; zeros where there are none.
   *
   * @throws IOException when {@code tc} fails
   */
  public static Wire read() throws IOException, InterruptedException {
    if (!Machine.ownNetwork()) {
      return new Wire(0, 0, 0);
    }
    Process process =
        new ProcessBuilder("tc", "-s", "class", "show", "dev", "lo")
            .redirectErrorStream(true)
            .start();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    int exit = process.waitFor();
    if (exit != 0) {
      throw new IOException(
          "Cannot count network bytes: tc exit=" + exit + ", expected 0: " + text);
    }
    return parse(text);
  }

  static Wire parse(String text) throws IOException {
    long nodes = 0;
    long client = 0;
    long leaving = 0;
    boolean any = false;
    Matcher matcher = CLASS.matcher(text);
    while (matcher.find()) {
      any = true;
      String id = matcher.group(1);
      long bytes = Long.parseLong(matcher.group(2));
      if (id.equals("fe")) {
        client += bytes;
      } else if (id.length() == 3) {
        nodes += bytes;
        leaving += id.startsWith("2") ? bytes : 0;
      }
    }
    if (!any) {
      throw new IOException("Cannot count network bytes: classes=0, expected those of lo: " + text);
    }
    return new Wire(nodes, client, leaving);
  }

  /** The growth since an earlier reading. */
  public Wire since(Wire earlier) {
    return new Wire(
        nodeBytes - earlier.nodeBytes,
        clientBytes - earlier.clientBytes,
        leavingBytes - earlier.leavingBytes);
  }

  /** What went into nodes. */
  public long betweenNodesBytes() {
    return nodeBytes - leavingBytes;
  }
}

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it.clients;

import java.util.Arrays;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** Why a client is refused, each with what it is told and where that is explained. */
enum Reason {
  CODEC_UNKNOWN(
      cell -> cell.kind().label().startsWith("IZS"),
      "CodecUtil|Cannot read the array length because \"<local\\d>\" is null",
      "NullPointerException ... at org.apache.hadoop.io.erasurecode.CodecUtil",
      "Hadoop's client looks the codec up by name, and does not find `izs` without the suite's jar. The NameNode"
          + " cannot refuse it with a better message: a client with the jar looks the same to it. A client that"
          + " creates a file fails after HDFS has created it: an empty file may be left, and a file that it"
          + " overwrites is gone.",
      "izs.md"),
  APPEND_WITHOUT_NEW_BLOCK(
      cell -> cell.kind().isStriped(),
      "Append on EC file without new block is not supported",
      "Append on EC file without new block is not supported. Use NEW_BLOCK create flag",
      "HDFS appends to erasure-coded files by new block groups only, and WebHDFS has no way to ask for"
          + " one. It is so on plain HDFS.",
      "izs.md"),
  CODEC_NOT_DECODED(
      cell -> cell.kind().label().startsWith("IZS") && cell.nodeIsDead(),
      "UnsupportedErasureCodingPolicy\\(\"codec: izs\"\\)",
      "UnsupportedErasureCodingPolicy(\"codec: izs\")",
      "hdfs-native reads the data units, and decodes Reed-Solomon only.",
      "izs.md"),
  CODEC_NOT_COMPUTED(
      cell -> cell.kind().label().startsWith("IZS"),
      "Cannot write a file: client=.*expected a client that computes codec",
      "Cannot write a file: client=..., policy=IZS-..., expected a client that computes codec izs",
      "The client would write Reed-Solomon parity into an IZS file. The NameNode refuses that.",
      "izs.md"),
  REPLICAS_ONLY(
      cell -> cell.kind().isStriped(),
      "Cannot write a file: client=.*expected a client that writes erasure-coded files",
      "Cannot write a file: client=..., policy=..., expected a client that writes erasure-coded files, ...",
      "The client knows no block groups. It would write the same replica to all DataNodes of one, could not"
          + " close the file, and would leave one that nobody can read. The NameNode refuses that"
          + " (`dfs.parity.namenode.replicas-only.clients`).",
      "../adr/0024-client-guard.md"),
  GROUP_NOT_READ(
      cell -> cell.kind().isStriped() && cell.client().startsWith(Reason.GO),
      "Replica ?[Nn]ot ?[Ff]ound|Offset 0 and length|connection refused",
      "Offset 0 and length ... don't match block; Replica not found for ...; connection refused",
      "The client knows no block groups, and asks a DataNode for the whole of one. DataNodes refuse that, or do"
          + " not have what it asks for. It is so on plain HDFS. Read such files by another client, or by WebHDFS.",
      ""),
  REORDERED_READ(
      cell -> cell.kind() == FileKind.REORDERED,
      "Cannot read a file: order=stored",
      "Cannot read a file: order=stored, expected a client that knows orders",
      "The client would get the cells in stored order. The NameNode refuses that.",
      "caso.md"),
  REORDERED_APPEND(
      cell -> cell.kind() == FileKind.REORDERED,
      "Cannot append( to)? a file: order=stored",
      "Cannot append to a file: order=stored, expected a file in its own order, see hdfs caso -restore",
      "The index of the order covers the whole file. Restore the order of the file first.",
      "caso.md"),
  UPDATER_OPEN(
      cell -> cell.kind() == FileKind.UPDATING && cell.nodeIsDead(),
      "missing blocks, the stripe is|\"this.decoder\" is null|Not enough valid shards"
          + "|transfer closed with|NullPointerException at org.apache.hadoop.hdfs.DFSStripedInputStream.useDirectBuffer",
      "missing blocks, the stripe is ...; Not enough valid shards; transfer closed",
      "While an updater has a block group open, nobody decodes it. It can be read as long as all its data"
          + " units are available.",
      "ecupdate.md"),
  HTTPFS_CUT(
      cell -> cell.kind() == FileKind.UPDATING && cell.nodeIsDead(),
      "HTTP 200, and not all bytes of the file",
      "HTTP 200, and not all bytes of the file",
      "HttpFS answers 200 before it reads, and ends the body where its read fails. It is so on plain HDFS, for"
          + " any file that cannot be read: compare the length. Why the read fails: see updater-open.",
      "ecupdate.md"),
  RAIDP_APPEND(
      cell -> cell.kind() == FileKind.RAIDP && cell.nodeIsDead(),
      "All datanodes .* are bad|[Cc]onnection refused|DataTransferError|write failed: ERROR",
      "All datanodes [...] are bad. Aborting...",
      "A block that has lost one of its two replicas has no third DataNode to go on with. Whether the append"
          + " succeeds depends on the order of the replicas and on what the remaining one is doing.",
      "raidp.md"),
  PIPELINE_NODE_DOWN(
      cell -> cell.kind() == FileKind.REPLICATED && cell.nodeIsDead(),
      "[Cc]onnection refused|DataTransferError|write failed: ERROR",
      "Connection refused (os error 111)",
      "hdfs-native and the Go client may give up when a DataNode is down that has a replica of the last block."
          + " It depends on the order of the replicas. Hadoop's clients go on without the node.",
      "");

  /** How the title of the client in Go begins. */
  static final String GO = "colinmarc/hdfs";

  private final Predicate<Observation> cells;
  private final Pattern pattern;
  private final String message;
  private final String why;
  private final String link;

  /**
   * @param cells where it is a reason
   * @param pattern finds it in what a client says
   * @param message the part of it that does not differ from run to run
   * @param why in a sentence or two
   * @param link from docs/reference
   */
  Reason(Predicate<Observation> cells, String pattern, String message, String why, String link) {
    this.cells = cells;
    this.pattern = Pattern.compile(pattern);
    this.message = message;
    this.why = why;
    this.link = link;
  }

  static Optional<Reason> of(Observation cell, String message) {
    return Arrays.stream(values())
        .filter(each -> each.cells.test(cell) && each.pattern.matcher(message).find())
        .findFirst();
  }

  String message() {
    return message;
  }

  String why() {
    return why;
  }

  String link() {
    return link;
  }

  /** Name of the page that is linked to. */
  String title() {
    return link.replaceAll("(.*/)?([^/#]+)(#.*)?", "$2");
  }

  String anchor() {
    return name().toLowerCase(java.util.Locale.ROOT).replace('_', '-');
  }
}

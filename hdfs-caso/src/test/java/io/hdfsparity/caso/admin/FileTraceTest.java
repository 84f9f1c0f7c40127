/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hdfsparity.bridge.cli.Console;
import io.hdfsparity.caso.config.AnalysisOptions;
import io.hdfsparity.core.cli.Arguments;
import io.hdfsparity.core.cli.Progress;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a file of a cluster is organized by; the file is inode 16500. */
class FileTraceTest {
  private static final long INODE = 16500;

  @TempDir Path folder;

  private final Configuration conf = new Configuration(false);
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private final Console console =
      new Console(
          () -> conf,
          new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8),
          new PrintStream(err, true, StandardCharsets.UTF_8));

  private static String lines(String host, long disk, int writes) {
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < writes; i++) {
      lines.append(i * 10_000L + "," + host + "," + disk + ",Write," + 4096L * i + ",4096,0\n");
    }
    return lines.toString();
  }

  private Path trace(String text) throws Exception {
    return Files.writeString(folder.resolve("t.csv"), text);
  }

  private ObjectNode read(Path trace, String... options) throws Exception {
    List<String> args = new ArrayList<>(List.of("/vol/b", "-trace", trace.toString()));
    args.addAll(List.of(options));
    Arguments a = FileTrace.parse(args, Set.of());
    FileTrace of =
        new FileTrace(
            new ClusterFile(new DistributedFileSystem(), "/vol/b", conf),
            new HdfsFileStatus.Builder().length(1 << 20).fileId(INODE).build(),
            TraceArguments.ofFile(
                a, trace.toString(), INODE, new TraceArguments.Stripes(3, 2, 4096)),
            AnalysisOptions.of(conf),
            Optional.empty());
    ObjectNode doc = JsonNodeFactory.instance.objectNode();
    try (Progress progress = new Progress(console.err())) {
      of.read(console, progress, doc);
    }
    return doc;
  }

  @Test
  void aTraceOfOneVolumeIsTaken() throws Exception {
    ObjectNode doc = read(trace(lines("generated", 0, 300)));
    assertThat(doc.path("requests").asInt()).isEqualTo(256);
    assertThat(doc.path("requestsBeyondTheFile").asInt()).isEqualTo(44);
    assertThat(doc.at("/trace/volumes").asInt()).isEqualTo(1);
  }

  @Test
  void whatUpdatersOfTheFileNotedIsTakenWhicheverHostsTheyAreOn() throws Exception {
    String text = lines("hone", INODE, 10) + lines("htwo", INODE, 5);
    assertThat(read(trace(text)).path("requests").asInt()).isEqualTo(15);
    Path directory = Files.createDirectory(folder.resolve("updates"));
    Files.writeString(directory.resolve("updates-16500-hone-0a-00000001.csv"), text);
    Files.writeString(
        directory.resolve("updates-16400-hone-0a-00000001.csv"), lines("h", 16400, 7));
    assertThat(read(directory).path("requests").asInt()).isEqualTo(15);
    assertThat(read(directory, "-inode", "16400").path("requests").asInt()).isEqualTo(7);
  }

  @Test
  void aTraceOfSeveralVolumesIsRefusedUnlessOneIsChosen() throws Exception {
    Path trace = trace(lines("hm", 0, 10) + lines("hm", 1, 5));
    assertThatThrownBy(() -> read(trace))
        .hasMessage(
            "Cannot organize by a trace: volumes=2, they are=[hm disk 0, hm disk 1], expected one:"
                + " split the trace, or say by -inode N which DiskNumber is the file's, file="
                + trace);
    ObjectNode doc = read(trace, "-inode", "1");
    assertThat(doc.path("requests").asInt()).isEqualTo(5);
    assertThat(doc.at("/trace/requestsOfOtherVolumes").asInt()).isEqualTo(10);
    Path hosts = trace(lines("hm", 0, 10) + lines("web", 0, 5));
    assertThatThrownBy(() -> read(hosts, "-inode", "0")).hasMessageContaining("volumes=2");
    Path inodes = trace(lines("h", INODE, 10) + lines("h", 16400, 5));
    assertThatThrownBy(() -> read(inodes))
        .hasMessageContaining("they are=[inode 16500, inode 16400]");
    assertThat(read(inodes, "-inode", "16500").path("requests").asInt()).isEqualTo(10);
  }

  @Test
  void whatUpdatersNotedOfAnotherFileIsRefusedUnlessItIsAskedFor() throws Exception {
    Path trace = trace(lines("h", 16400, 5));
    assertThatThrownBy(() -> read(trace))
        .hasMessageContaining("inode of the trace=16400, expected that of the file, 16500, or")
        .hasMessageContaining("-inode 16400 where");
    assertThat(read(trace, "-inode", "16400").path("requests").asInt()).isEqualTo(5);
    assertThatThrownBy(() -> read(trace, "-inode", "16401"))
        .hasMessageContaining("requests left out by -inode=5, of=[inode 16400]");
  }

  @Test
  void badLinesAreSaid() throws Exception {
    ObjectNode doc = read(trace("x\n".repeat(90) + lines("h", 0, 10)));
    assertThat(doc.at("/trace/badLines").asInt()).isEqualTo(90);
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    FileTrace.traceText(doc, new PrintStream(text, true, StandardCharsets.UTF_8));
    assertThat(text.toString(StandardCharsets.UTF_8))
        .contains("10 writes, 0 reads, 90 BAD LINES LEFT OUT");
  }
}

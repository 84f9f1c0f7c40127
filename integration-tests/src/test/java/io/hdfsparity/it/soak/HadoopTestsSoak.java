/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it.soak;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.bridge.datanode.DatasetHooks;
import io.hdfsparity.ecupdate.config.ControlKey;
import io.hdfsparity.ecupdate.datanode.EcUpdateDataNodePlugin;
import io.hdfsparity.ecupdate.datanode.EcUpdateDatasetHooks;
import io.hdfsparity.izs.datanode.IzsDataNodePlugin;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.blockmanagement.HintedEcPlacementPolicy;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.ParityDatasetFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Hadoop's own tests of erasure coding and DataNodes, each class on plain Hadoop and with the
 * suite's dataset, hooks, plugins and placement. {@code ./check soak} runs it; {@code
 * -Dsoak.classes=A,B} chooses. The record is {@code docs/reference/hadoop-tests.md}.
 */
@Tag("soak")
class HadoopTestsSoak {
  private static final Path RECORD = Path.of("..", "docs", "reference", "hadoop-tests.md");
  private static final long CLASS_MINUTES = 20;
  private static final String HDFS = "org.apache.hadoop.hdfs.";

  private static final List<String> CLASSES =
      List.of(
          HDFS + "server.datanode.fsdataset.impl.TestFsDatasetImpl",
          HDFS + "TestReadStripedFileWithDecoding",
          HDFS + "TestDFSStripedInputStream",
          HDFS + "server.datanode.TestDataNodeHotSwapVolumes",
          HDFS + "TestErasureCodingPolicies",
          HDFS + "server.namenode.TestFileTruncate",
          HDFS + "TestFileChecksum",
          HDFS + "TestDFSStripedOutputStream",
          HDFS + "TestReconstructStripedFile",
          HDFS + "TestDecommissionWithStriped");

  /** Tests that fail with ours, or may, by class and name, and where the docs say why. */
  private static final Map<String, String> EXPLAINED =
      Map.of(
          "TestFsDatasetImpl.testDnRestartWithHardLink()",
          "the start scans the disks and does not read the replica cache file, so that either of two files"
              + " of a block may be the one in use: [the start](../ec-update-datanode.md#what-stock-readers-get)");

  @TempDir Path root;

  @Test
  void whatPassesOnPlainHadoopPassesWithOurs() throws Exception {
    String chosen = System.getProperty("soak.classes", "all");
    List<HadoopClassResult> results = new ArrayList<>();
    for (String name : CLASSES) {
      if (chosen.equals("all")
          || List.of(chosen.split(",")).contains(name.substring(name.lastIndexOf('.') + 1))) {
        HadoopClassResult result =
            new HadoopClassResult(name, run(name, plain(), "plain"), run(name, ours(), "ours"));
        results.add(result);
        System.out.println(row(result));
        // After each class: a run that is ended early leaves what it has seen.
        Files.createDirectories(RECORD.getParent());
        Files.writeString(RECORD, record(results));
      }
    }
    SortedMap<String, String> unexplained = new TreeMap<>();
    for (HadoopClassResult result : results) {
      assertThat(result.plain()).as(result.name()).isNotEmpty();
      result.worse().forEach((test, why) -> unexplained.put(result.simpleName() + "." + test, why));
    }
    unexplained.keySet().removeAll(EXPLAINED.keySet());
    assertThat(unexplained).isEmpty();
  }

  /** What Hadoop's own build has in the hdfs-site.xml of its tests, which their jar lacks. */
  private static Configuration plain() {
    Configuration site = new Configuration(false);
    site.set("hadoop.security.authentication", "simple");
    site.setInt("dfs.namenode.fs-limits.min-block-size", 0);
    return site;
  }

  private static Configuration ours() {
    Configuration site = plain();
    site.set("dfs.datanode.fsdataset.factory", ParityDatasetFactory.class.getName());
    site.set(DatasetHooks.CLASSES_KEY, EcUpdateDatasetHooks.class.getName());
    site.set(
        "dfs.datanode.plugins",
        EcUpdateDataNodePlugin.class.getName() + "," + IzsDataNodePlugin.class.getName());
    site.set("dfs.parity.ecupdate.datanode.address", "127.0.0.1:0");
    site.set(ControlKey.RPC_ADDRESS.key(), "127.0.0.1:0");
    site.set("dfs.block.placement.ec.classname", HintedEcPlacementPolicy.class.getName());
    return site;
  }

  private SortedMap<String, String> run(String name, Configuration site, String how)
      throws IOException, InterruptedException {
    Path conf = Files.createDirectories(root.resolve(how + "-conf"));
    for (String file : new String[] {"hdfs-site.xml", "core-site.xml"}) {
      try (OutputStream out = Files.newOutputStream(conf.resolve(file))) {
        site.writeXml(out);
      }
    }
    Path work = Files.createDirectories(root.resolve(how + "-" + name));
    List<String> command =
        List.of(
            System.getProperty("java.home") + "/bin/java",
            "-Xmx2g",
            "-XX:TieredStopAtLevel=1",
            "--add-opens=java.base/java.lang=ALL-UNNAMED",
            "--add-opens=java.base/java.nio=ALL-UNNAMED",
            "--add-opens=java.base/java.util=ALL-UNNAMED",
            "-Dtest.build.data=" + work.resolve("data"),
            "-Dtest.build.dir=" + work.resolve("build"),
            "-Dhadoop.tmp.dir=" + work.resolve("tmp"),
            "-cp",
            conf + java.io.File.pathSeparator + classPath(),
            HadoopTestRunner.class.getName(),
            name);
    Path out = work.resolve("out");
    Process process =
        new ProcessBuilder(command)
            .directory(work.toFile())
            .redirectErrorStream(true)
            .redirectOutput(out.toFile())
            .start();
    boolean isOver = process.waitFor(CLASS_MINUTES, TimeUnit.MINUTES);
    process.destroyForcibly().waitFor();
    SortedMap<String, String> results = new TreeMap<>();
    try (BufferedReader in = Files.newBufferedReader(out, StandardCharsets.ISO_8859_1)) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        if (line.startsWith("::")) {
          String[] words = line.substring(2).split("\t", -1);
          results.put(words[1], words[0] + (words[2].isEmpty() ? "" : ": " + words[2]));
        }
      }
    }
    if (!isOver) {
      results.put("(the class)", "FAILED: not over after " + CLASS_MINUTES + " min");
    }
    return results;
  }

  /** Mockito and the like come first: others on the class path have older parts of them. */
  private static String classPath() throws IOException {
    String surefire = System.getProperty("surefire.test.class.path");
    String tests = surefire == null ? System.getProperty("java.class.path") : surefire;
    List<String> all = new ArrayList<>();
    try (Stream<Path> jars = Files.list(Path.of("target", "soak-lib"))) {
      jars.sorted().forEach(jar -> all.add(jar.toAbsolutePath().toString()));
    }
    all.addAll(Arrays.asList(tests.split(java.io.File.pathSeparator)));
    return String.join(java.io.File.pathSeparator, all);
  }

  private static String row(HadoopClassResult result) {
    return String.format(
        "| %s | %s | %s | %d |",
        result.simpleName(),
        HadoopClassResult.counts(result.plain()),
        HadoopClassResult.counts(result.ours()),
        result.worse().size());
  }

  private static String record(List<HadoopClassResult> results) {
    StringBuilder page =
        new StringBuilder(
            """
            # Hadoop's own tests

            `./check soak` runs test classes of Hadoop 3.5.0 twice: on plain Hadoop, and with the suite's dataset, hooks,
            DataNode plugins and placement in `hdfs-site.xml`. This page is the record of its last run; do not edit it.

            """);
    page.append("Date: ").append(LocalDate.now(ZoneOffset.UTC));
    page.append(". Commit: ").append(System.getProperty("soak.commit", "unknown")).append(".\n\n");
    page.append(
        "| class | plain: passed | ours: passed | pass on plain only |\n|---|---|---|---|\n");
    results.forEach(result -> page.append(row(result)).append('\n'));
    List<String> ran = results.stream().map(HadoopClassResult::name).toList();
    List<String> left =
        CLASSES.stream()
            .filter(name -> !ran.contains(name))
            .map(name -> name.substring(name.lastIndexOf('.') + 1))
            .toList();
    if (!left.isEmpty()) {
      page.append("\nNot run this time: ").append(String.join(", ", left)).append(".\n");
    }
    for (HadoopClassResult result : results) {
      result
          .worse()
          .forEach(
              (test, why) ->
                  page.append("\n- `" + result.simpleName() + "." + test + "`: ")
                      .append(
                          EXPLAINED.getOrDefault(result.simpleName() + "." + test, "not explained"))
                      .append("\n"));
      result
          .better()
          .forEach(
              test ->
                  page.append("\n- `" + result.simpleName() + "." + test + "`")
                      .append(" passed with ours only.\n"));
    }
    return page.toString();
  }
}

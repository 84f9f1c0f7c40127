/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it.clients;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.it.clients.ProtectedCluster.Disk;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * TeraGen, TeraSort and TeraValidate with their defaults in a protected directory of a cluster by
 * {@code conf/hdfs-site-all.xml}. While records are read, a DataNode is killed that has them; while
 * they are written, a disk fails that they go to. Nothing is tried again by MapReduce: there is no
 * YARN, and all tasks run in the program's own process. What is written asks for three replicas
 * there, as HDFS's client does; with YARN TeraSort asks for one.
 */
@Tag("soak")
@Tag("clients")
@Timeout(600)
class TeraSortSoak {
  private static final String DIRECTORY = "/tera";
  private static final String IN = DIRECTORY + "/in";
  private static final String OUT = DIRECTORY + "/out";

  /** Of three blocks. */
  private static final long RECORDS = 3_000_000;

  private static final int RECORD_BYTES = 100;
  private static final int FIRST_SPLITS = 2;

  private static final Pattern SPLIT =
      Pattern.compile("Processing split: hdfs://[^/]+(/[^:]*):(\\d+)\\+");
  private static final Pattern REDUCE = Pattern.compile("Starting task: attempt_local\\w+_r_");

  @TempDir Path root;

  @Test
  void sortsWhileADataNodeAndADiskFail() throws Exception {
    try (ProtectedCluster cluster = new ProtectedCluster(root.resolve("all"), DIRECTORY)) {
      TeraPrograms tera = new TeraPrograms(root.resolve("tera"), cluster.conf());
      tera.run("TeraGen", Long.toString(RECORDS), IN);
      String sum = sum(cluster, tera);

      Failures failures = new Failures(cluster);
      tera.run(failures::line, "TeraSort", IN, OUT);
      assertThat(failures.killed).as("DataNodes that were killed").hasSize(1);
      assertThat(failures.failed).as("disks that have failed").hasSize(1);
      assertSorted(cluster, tera, sum, OUT + "-before");

      cluster.recover(failures.failed);
      cluster.restart(failures.killed.get(0));
      cluster.assertClean();
      assertSorted(cluster, tera, sum, OUT + "-after");
      assertThat(sum(cluster, tera)).as("the input's").isEqualTo(sum);
    }
  }

  /** The sum of the checksums of all records of the input. */
  private static String sum(ProtectedCluster cluster, TeraPrograms tera) throws Exception {
    String directory = IN + "-sum";
    cluster.fs().delete(new org.apache.hadoop.fs.Path(directory), true);
    tera.run("TeraChecksum", IN, directory);
    String sum = text(cluster, directory).strip();
    assertThat(sum).matches("[0-9a-f]+");
    return sum;
  }

  private static void assertSorted(
      ProtectedCluster cluster, TeraPrograms tera, String sum, String report) throws Exception {
    tera.run("TeraValidate", OUT, report);
    // Records that are out of order would have lines of their own.
    assertThat(text(cluster, report)).isEqualTo("checksum\t" + sum + "\n");
    assertThat(
            files(cluster, OUT).stream()
                .filter(file -> file.getPath().getName().startsWith("part-"))
                .mapToLong(LocatedFileStatus::getLen)
                .sum())
        .isEqualTo(RECORDS * RECORD_BYTES);
  }

  /** All that a job has put out. */
  private static String text(ProtectedCluster cluster, String directory) throws Exception {
    StringBuilder all = new StringBuilder();
    for (LocatedFileStatus file : files(cluster, directory)) {
      try (FSDataInputStream in = cluster.fs().open(file.getPath())) {
        all.append(new String(in.readAllBytes(), StandardCharsets.US_ASCII));
      }
    }
    return all.toString();
  }

  private static List<LocatedFileStatus> files(ProtectedCluster cluster, String directory)
      throws Exception {
    List<LocatedFileStatus> files = new ArrayList<>();
    RemoteIterator<LocatedFileStatus> all =
        cluster.fs().listFiles(new org.apache.hadoop.fs.Path(directory), true);
    while (all.hasNext()) {
      files.add(all.next());
    }
    return files;
  }

  /** What happens while TeraSort runs, by what it logs. */
  private static final class Failures {
    private final ProtectedCluster cluster;
    private final List<Integer> killed = new ArrayList<>();
    private final List<Disk> failed = new ArrayList<>();
    private int splits;

    Failures(ProtectedCluster cluster) {
      this.cluster = cluster;
    }

    void line(String line) throws Exception {
      Matcher split = SPLIT.matcher(line);
      if (split.find()) {
        splits++;
        if (splits == FIRST_SPLITS) {
          killReader(split.group(1), Long.parseLong(split.group(2)));
        }
      } else if (REDUCE.matcher(line).find()) {
        LocatedBlock first = cluster.openBlock(OUT, path -> path.contains("/part-r-"), 2);
        failed.add(cluster.disks(first).get(0));
        cluster.fail(failed.get(0));
      }
    }

    /** Kills the DataNode that a map task reads from first. */
    private void killReader(String path, long offset) throws Exception {
      LocatedBlock block =
          cluster.blocks(path).stream()
              .filter(each -> each.getStartOffset() == offset)
              .findFirst()
              .orElseThrow();
      killed.add(cluster.disks(block).get(0).node());
      cluster.kill(killed.get(0));
    }
  }
}

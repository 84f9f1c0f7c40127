/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.localcluster.ClusterMode;
import io.hdfsparity.localcluster.JobClient;
import io.hdfsparity.localcluster.LocalCluster;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** MapReduce on YARN, all in processes of their own, in a directory that RAIDP protects. */
@Tag("soak")
class YarnJobsSoak {
  private static final int NODES = 3;
  private static final int FILES = 2;

  @TempDir java.nio.file.Path dir;

  @Test
  void countsWordsInAProtectedDirectory() throws Exception {
    LocalCluster cluster =
        LocalCluster.builder(dir.resolve("c"))
            .mode(ClusterMode.RAIDP)
            .nodes(NODES)
            .racks(1)
            .disksPerNode(1)
            .framesPerDisk(4)
            .frameBytes(32L << 20)
            .unitBytes(64L << 10)
            .journalBytes(8L << 20)
            .blockBytes(4L << 20)
            .replication(2)
            .yarn(2)
            .cacheDir(java.nio.file.Path.of(System.getProperty("hdfsparity.cache")))
            .conf("dfs.parity.raidp.max.block.size", "4m")
            .build();
    try (cluster;
        FileSystem closing = start(cluster)) {
      for (int i = 0; i < FILES; i++) {
        try (FSDataOutputStream out = closing.create(new Path("/jobs/in/" + i))) {
          out.write("one two two\nthree three three\n".getBytes(StandardCharsets.US_ASCII));
        }
      }
      List<String> said = new ArrayList<>();
      new JobClient(cluster).run(said::add, "wordcount", "/jobs/in", "/jobs/out");

      Path result = new Path("/jobs/out/part-r-00000");
      assertThat(text(closing, result)).isEqualTo("one\t2\nthree\t6\ntwo\t4\n");
      assertThat(closing.getFileStatus(result).getReplication()).isEqualTo((short) 2);
      assertThat(said).anyMatch(line -> line.contains("Running job: job_"));
      assertThat(said).noneMatch(line -> line.contains("job_local"));
      // It fails when the parity of a disk is wrong.
      new ProcessCluster(cluster, dir.resolve("scratch")).admin("-fsck");
    }
    assertThat(ofCluster(cluster)).as("processes that are left").isEmpty();
  }

  private static FileSystem start(LocalCluster cluster) throws Exception {
    cluster.start();
    cluster.applyLayout();
    FileSystem fs = cluster.newFileSystem();
    fs.mkdirs(new Path("/jobs"));
    cluster.protect("/jobs");
    return fs;
  }

  private static String text(FileSystem fs, Path file) throws Exception {
    try (FSDataInputStream in = fs.open(file)) {
      return new String(in.readAllBytes(), StandardCharsets.US_ASCII);
    }
  }

  /** Daemons and tasks of the cluster that run. */
  private static List<Long> ofCluster(LocalCluster cluster) {
    String mark = "-Dhdfsparity.cluster.id=" + cluster.spec().clusterId();
    return ProcessHandle.allProcesses()
        .filter(each -> each.info().arguments().map(List::of).orElse(List.of()).contains(mark))
        .map(ProcessHandle::pid)
        .toList();
  }
}

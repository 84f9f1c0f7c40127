/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it.clients;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@link HBaseRounds} on the suite's clusters. The record is {@code
 * docs/reference/clients-soak.md}; {@code -Dsoak.hbase.rounds=N} chooses how often HBase is killed.
 */
@Tag("soak")
@Timeout(7200)
class HBaseSoak {
  private static final String ROOT = HBaseRounds.ROOT;
  private static final int OPERATIONS = 6_000;

  @TempDir Path root;

  @Test
  void whatWasAcknowledgedIsThereAfterKills() throws Exception {
    HBaseRounds rounds = new HBaseRounds(root, OPERATIONS);
    List<HBaseRounds.Run> runs = new ArrayList<>();
    try (StripedCluster cluster = new StripedCluster(root.resolve("striped"), /* appended= */ 0)) {
      DistributedFileSystem fs = cluster.dfs().getFileSystem();
      runs.add(rounds.run("replicated", cluster.conf(), noMishaps()));
      fs.delete(new org.apache.hadoop.fs.Path(ROOT), true);
      org.apache.hadoop.fs.Path data = new org.apache.hadoop.fs.Path(ROOT, "data");
      fs.mkdirs(data);
      fs.setErasureCodingPolicy(data, FileKind.RS.policy());
      runs.add(rounds.run("HFiles in RS(3,2), logs replicated", cluster.conf(), noMishaps()));
      assertThat(isStriped(fs)).as("HFiles are striped").isTrue();
    }
    StringBuilder page = new StringBuilder();
    page.append("\n## HBase 2.6.4 (Hadoop client 3.4.2), without our jar\n\n");
    page.append(
        "A program puts, deletes and flushes; HBase is killed with -9 and started again. Then all rows are read.\n\n");
    page.append(HBaseRounds.Run.HEAD);
    runs.forEach(run -> page.append(run.line()));
    SoakPage.write("HBaseSoak", page.toString());
  }

  private static List<HBaseRounds.Mishap> noMishaps() {
    return Collections.nCopies(Integer.getInteger("soak.hbase.rounds", 4), HBaseRounds.Mishap.NONE);
  }

  private static boolean isStriped(DistributedFileSystem fs) throws IOException {
    var files = fs.listFiles(new org.apache.hadoop.fs.Path(ROOT, "data/default/soak"), true);
    boolean isStriped = false;
    while (files.hasNext()) {
      var file = files.next();
      isStriped |= file.getPath().getParent().getName().equals("f") && file.isErasureCoded();
    }
    return isStriped;
  }
}

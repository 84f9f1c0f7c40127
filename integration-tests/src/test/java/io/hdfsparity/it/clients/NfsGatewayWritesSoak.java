/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it.clients;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What only NFS clients do: they write in any order, read what they have not closed, and change
 * bytes within a file. The record of the last run is {@code docs/reference/clients-soak.md}.
 */
@Tag("soak")
@Timeout(3600)
class NfsGatewayWritesSoak {
  private static final int WRITE_BYTES = (5 << 20) + 200_003;
  private static final int CHANGED_BYTES = 70_001;

  /** NFS3ERR_INVAL, or NFS3ERR_IO where the gateway cannot read what it would compare with. */
  private static final String NO_OVERWRITE = "NFS3ERR_(INVAL|IO)\\b";

  @TempDir Path root;

  /** By kind of file, then by step. */
  private final Map<String, Map<String, String>> seen = new LinkedHashMap<>();

  @Test
  void aFileHoldsWhatWasWrittenAndTakesNoOverwrites() throws Exception {
    try (RaidpCluster cluster = new RaidpCluster(root.resolve("raidp"), /* appended= */ 0);
        NfsClient stock = NfsClient.stock(cluster.conf(), root.resolve("nfs-raidp"))) {
      observe(cluster, stock, FileKind.RAIDP, "");
    }
    try (StripedCluster cluster = new StripedCluster(root.resolve("striped"), /* appended= */ 0);
        NfsClient stock = NfsClient.stock(cluster.conf(), root.resolve("nfs"));
        NfsClient ours = NfsClient.withOurJars(cluster.conf(), root.resolve("nfs-ours"))) {
      observe(cluster, stock, FileKind.REPLICATED, "");
      observe(cluster, stock, FileKind.RS, "");
      observe(cluster, ours, FileKind.IZS_LEVEL_2, ", with our jar");
    }
    SoakPage.write("NfsGatewayWritesSoak", page());
  }

  private void observe(ClientsCluster cluster, NfsClient nfs, FileKind kind, String with)
      throws Exception {
    Map<String, String> steps = new LinkedHashMap<>();
    seen.put(kind.label() + with, steps);
    String path = kind.directory() + "/backwards";
    byte[] bytes = TestFile.content(path, WRITE_BYTES);
    Path local = Files.write(root.resolve("bytes"), bytes);
    Path other = Files.write(root.resolve("other"), TestFile.content("other", CHANGED_BYTES));

    Answer written = nfs.send("write backwards", path, local.toString());
    assertThat(written.isDone()).as(written.message()).isTrue();
    steps.put("written from its end to its beginning, committed", "works");

    Path back = root.resolve("back");
    Answer read = nfs.send("read", path, back.toString());
    assertThat(read.isDone()).as(read.message()).isTrue();
    byte[] early = Files.readAllBytes(back);
    assertThat(Arrays.mismatch(early, bytes)).as("a beginning").isIn(-1, early.length);
    steps.put(
        "read through the gateway, which has not closed it",
        early.length == bytes.length ? "all bytes" : early.length == 0 ? "no byte" : "a beginning");

    refuseOverwrite(nfs, path, other);
    steps.put("other bytes within it, not closed", "refused");
    nfs.awaitClosed(path);
    assertHolds(cluster, path, bytes);
    steps.put("read by a Java client when it is closed", "right bytes");

    refuseOverwrite(nfs, path, other);
    steps.put("other bytes within it, closed", "refused");
    nfs.awaitClosed(path);
    assertHolds(cluster, path, bytes);
    steps.put("read by a Java client after that", "right bytes");

    String renamed = path + "-renamed";
    assertThat(nfs.send("rename", path, renamed).isDone()).isTrue();
    assertHolds(cluster, renamed, bytes);
    assertThat(nfs.send("delete", renamed, "").isDone()).isTrue();
    assertThat(cluster.dfs().getFileSystem().exists(new org.apache.hadoop.fs.Path(renamed)))
        .isFalse();
    steps.put("renamed, deleted", "works");
  }

  private static void refuseOverwrite(NfsClient nfs, String path, Path other) throws IOException {
    Answer answer = nfs.send("overwrite", path, other.toString());
    assertThat(answer.isDone()).isFalse();
    assertThat(answer.message()).containsPattern(NO_OVERWRITE);
  }

  private static void assertHolds(ClientsCluster cluster, String path, byte[] expected)
      throws IOException {
    DistributedFileSystem fs = cluster.dfs().getFileSystem();
    try (FSDataInputStream in = fs.open(new org.apache.hadoop.fs.Path(path))) {
      assertThat(Arrays.mismatch(in.readAllBytes(), expected)).as(path).isEqualTo(-1);
    }
  }

  private String page() {
    StringBuilder page =
        new StringBuilder("\n## What only clients of the NFS gateway do\n\n| step");
    seen.keySet().forEach(kind -> page.append(" | ").append(kind));
    page.append(" |\n|---").append("|---".repeat(seen.size())).append("|\n");
    for (String step : seen.values().iterator().next().keySet()) {
      page.append("| ").append(step);
      seen.values().forEach(steps -> page.append(" | ").append(steps.get(step)));
      page.append(" |\n");
    }
    return page.toString();
  }
}

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hdfsparity.core.trace.Access;
import io.hdfsparity.core.trace.ByteRequest;
import io.hdfsparity.ecupdate.admin.EcUpdateAdmin;
import io.hdfsparity.ecupdate.ajx.Bytes;
import io.hdfsparity.ecupdate.ajx.Patch;
import io.hdfsparity.ecupdate.ajx.Request;
import io.hdfsparity.ecupdate.ajx.Tid;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code hdfs ecupdate} as an administrator uses it, and stock HDFS beside it. */
@Tag("full")
@Timeout(1200)
class EcUpdateCommandTest {
  private static final int FILE_BYTES = 10 * MiniUpdates.CELL_BYTES + 30_001;

  @TempDir static java.nio.file.Path root;
  private static MiniUpdates cluster;
  private static DistributedFileSystem fs;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private byte[] in = new byte[0];

  @BeforeAll
  static void start() throws IOException {
    cluster = new MiniUpdates(root, 5, UpdateKeys.sessions("5s"));
    fs = cluster.fs();
  }

  @AfterAll
  static void stop() throws IOException {
    cluster.close();
  }

  private int run(String... arguments) {
    return run(fs.getConf(), arguments);
  }

  private int run(Configuration conf, String... arguments) {
    out.reset();
    err.reset();
    int code =
        new EcUpdateAdmin(
                conf,
                new ByteArrayInputStream(in),
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8))
            .run(arguments);
    System.out.println("$ hdfs ecupdate " + String.join(" ", arguments));
    System.out.println(out.size() < 20_000 ? out() + err() : out.size() + " bytes");
    return code;
  }

  private JsonNode json(int code, String... arguments) throws IOException {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.add("-json");
    assertThat(run(all.toArray(String[]::new))).as("%s%s", out(), err()).isEqualTo(code);
    return new ObjectMapper().readTree(out.toByteArray());
  }

  private String out() {
    return out.toString(StandardCharsets.UTF_8);
  }

  private String err() {
    return err.toString(StandardCharsets.UTF_8);
  }

  private byte[] create(String path) throws IOException {
    byte[] bytes = cluster.create(path, FILE_BYTES);
    await("all DataNodes report").until(() -> json(0, "-status").path("nodes").size() == 5);
    return bytes;
  }

  /** Hadoop's writer of coded files waits for ever where a block group ends within a cell. */
  @Test
  void aFileOfZerosIsMadeWithABlockSizeThatIsNoMultipleOfACell() throws Exception {
    Configuration conf = new Configuration(fs.getConf());
    conf.setLong(DFSConfigKeys.DFS_BLOCK_SIZE_KEY, 16 * MiniUpdates.CELL_BYTES + 512);
    conf.setBoolean("fs.hdfs.impl.disable.cache", true);
    String policy = fs.getErasureCodingPolicy(new Path("/")).getName();
    int code =
        assertTimeoutPreemptively(
            Duration.ofMinutes(2),
            () -> run(conf, "-create", "/odd-zeros", "-size", "4M", "-policy", policy));
    assertThat(code).as(err()).isZero();
    FileStatus made = fs.getFileStatus(new Path("/odd-zeros"));
    assertThat(made.getLen()).isEqualTo(4 << 20);
    assertThat(made.getBlockSize()).isEqualTo(17 * MiniUpdates.CELL_BYTES);
  }

  @Test
  void bytesAreWrittenReadVerifiedAndReplayed() throws Exception {
    byte[] twin = create("/bytes");
    in = new byte[70_000];
    new Random(1).nextBytes(in);
    assertThat(run("-write", "/bytes", "-offset", "60000")).as(err()).isZero();
    System.arraycopy(in, 0, twin, 60_000, in.length);
    assertThat(Arrays.equals(WholeFile.read(fs, "/bytes"), twin)).isTrue();
    assertThat(run("-read", "/bytes", "-offset", "59999", "-length", "70002")).isZero();
    assertThat(Arrays.equals(out.toByteArray(), Arrays.copyOfRange(twin, 59_999, 130_001)))
        .isTrue();
    assertThat(run("-verify", "/bytes")).as(out() + err()).isZero();

    List<String> lines = new ArrayList<>();
    Random random = new Random(2);
    for (int i = 0; i < 120; i++) {
      lines.add(
          new ByteRequest(i, i % 3 == 0 ? Access.READ : Access.WRITE, random.nextInt(1 << 30), 4096)
              .line());
    }
    java.nio.file.Path trace = Files.write(root.resolve("trace.csv"), lines);
    assertThat(run("-replay", trace.toString(), "/bytes", "-verify")).as(err()).isZero();
    assertThat(out()).contains("All that was written was read back.");
    assertThat(Arrays.equals(WholeFile.read(fs, "/bytes"), twin)).isFalse();
    assertThat(run("-verify", "/bytes")).as(out() + err()).isZero();
    assertThat(cluster.corruptReplicas()).isZero();
  }

  @Test
  void whatACrashedClientHasLeftIsFoundAndRecovered() throws Exception {
    create("/dead");
    in = new byte[1];
    assertThat(run("-write", "/dead", "-offset", "0")).as(err()).isZero();
    Patch patch = new Patch(300, Bytes.wrap(new byte[] {1, 2, 3}));
    cluster.ask(cluster.group("/dead"), 1, 1, new Request.Swap(patch, new Tid(99L, 0, 1)));
    assertThat(run("-verify", "/dead")).isEqualTo(-1);
    assertThat(out()).contains("unfinished: group 0, stripe 1, file offset 196,608, units [3,4]");
    assertThat(run("-recover", "/dead", "-pause", "50ms")).as(err()).isZero();
    assertThat(run("-verify", "/dead")).as(out() + err()).isZero();
  }

  private TreeSet<String> schemes(String path) throws IOException {
    TreeSet<String> schemes = new TreeSet<>();
    for (JsonNode node : json(0, "-status", path).path("nodes")) {
      for (JsonNode storage : node.path("storages")) {
        storage.path("replicas").forEach(each -> schemes.add(each.path("scheme").asText()));
      }
    }
    return schemes;
  }

  @Test
  void theSchemeOfAPathIsThatOfItsReplicas() throws Exception {
    fs.mkdirs(new Path("/a/b"));
    create("/a/b/one");
    create("/a/two");
    assertThat(run("-scheme", "/a/b/one")).isZero();
    assertThat(out()).isEqualTo("/a/b/one: PLR, by default\n");
    assertThat(run("-scheme", "/a/b", "FL")).isZero();
    assertThat(out()).isEqualTo("/a/b: FL, set at /a/b\n");
    assertThat(run("-scheme", "/a/b/one")).isZero();
    assertThat(out()).isEqualTo("/a/b/one: FL, set at /a/b\n");
    in = new byte[100];
    for (String path : List.of("/a/b/one", "/a/two")) {
      assertThat(run("-write", path, "-offset", "7")).as(err()).isZero();
    }
    assertThat(schemes("/a/b/one")).containsExactly("FL");
    assertThat(schemes("/a/two")).containsExactly("PLR");

    // What is there keeps its scheme until it is converted; each file gets its own.
    assertThat(run("-scheme", "/a", "FO")).isZero();
    assertThat(schemes("/a/two")).containsExactly("PLR");
    JsonNode converted = json(0, "-scheme", "/a", "-convert").path("converted");
    assertThat(converted.path("FO").path("done").asInt()).isEqualTo(5);
    assertThat(converted.path("FL").path("done").asInt()).isEqualTo(5);
    assertThat(schemes("/a/two")).containsExactly("FO");
    assertThat(schemes("/a/b/one")).containsExactly("FL");
    assertThat(run("-write", "/a/two", "-offset", "9")).as(err()).isZero();
    assertThat(run("-verify", "/a/two")).as(out() + err()).isZero();

    assertThat(run("-scheme", "/a/b", "-unset")).isZero();
    assertThat(out()).isEqualTo("/a/b: FO, set at /a\n");
    assertThat(run("-scheme", "/a/b", "RAID")).isEqualTo(-1);
    assertThat(err()).contains("scheme=RAID, expected FO, FL, PL or PLR");
    // Anybody who may write the file can set the attribute to nonsense; it is not taken for a
    // scheme.
    fs.setXAttr(new Path("/a/two"), "user.parity.ecupdate.scheme", new byte[] {'X'});
    assertThat(run("-write", "/a/two", "-offset", "9")).isEqualTo(-1);
    assertThat(err()).contains("user.parity.ecupdate.scheme=X").contains("hdfs ecupdate -scheme");
  }

  @Test
  void changesAreMergedAndShown() throws Exception {
    create("/merge");
    assertThat(run("-scheme", "/merge", "FL")).isZero();
    in = new byte[30_000];
    assertThat(run("-write", "/merge", "-offset", "0")).as(err()).isZero();
    assertThat(overlayBytes()).isEqualTo(3 * 30_000);
    assertThat(run("-status", "/merge")).as(out() + err()).isZero();
    assertThat(out()).contains("0 open sessions, 5 DataNodes", ": FL, ", "in log only 29.3 KiB");
    JsonNode merged = json(0, "-merge", "/");
    assertThat(merged.path("done").asInt()).isGreaterThanOrEqualTo(5);
    assertThat(overlayBytes()).isZero();
    assertThat(run("-merge", "/merge")).isZero();
    assertThat(out()).isEqualTo("5 replicas of 1 files merged, 0 were never updated, 0 failed\n");
  }

  private long overlayBytes() throws IOException {
    long bytes = 0;
    for (JsonNode node : json(0, "-status", "/merge").path("nodes")) {
      for (JsonNode storage : node.path("storages")) {
        for (JsonNode replica : storage.path("replicas")) {
          bytes += replica.path("overlayBytes").asLong();
        }
      }
    }
    return bytes;
  }

  @Test
  void whoIsNoSuperuserIsRefused() throws Exception {
    create("/mine");
    in = new byte[1];
    assertThat(run("-write", "/mine", "-offset", "0")).as(err()).isZero();
    UserGroupInformation.createUserForTesting("bob", new String[] {"people"})
        .doAs(
            (PrivilegedExceptionAction<Void>)
                () -> {
                  assertThat(run("-merge", "/mine")).isEqualTo(-1);
                  assertThat(out() + err()).contains("user=bob");
                  assertThat(run("-write", "/mine", "-offset", "0")).isEqualTo(-1);
                  assertThat(err()).startsWith("write: Permission denied: user=bob");
                  assertThat(run("-scheme", "/mine", "FO")).isEqualTo(-1);
                  assertThat(err()).contains("bob");
                  assertThat(run("-status")).as(out() + err()).isEqualTo(-1);
                  assertThat(err()).contains("user=bob", "administrator");
                  return null;
                });
    assertThat(OpenFiles.below(root)).as("readable to others").isEmpty();
  }

  @Test
  void aDataNodeThatIsAwayIsTold() throws Exception {
    create("/away");
    in = new byte[1];
    assertThat(run("-write", "/away", "-offset", "0")).as(err()).isZero();
    cluster.restart(
        cluster.group("/away").nodes()[2],
        () ->
            await("it is missed")
                .untilAsserted(
                    () -> {
                      assertThat(run("-status", "/away")).isEqualTo(-1);
                      assertThat(out()).contains("serves no updates");
                    }));
    await("it is back").until(() -> run("-status", "/away") == 0);
  }
}

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hdfsparity.ecupdate.admin.EcUpdateAdmin;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Servers of block devices that are killed, stopped and cut off, and a NameNode and DataNodes that
 * are started again under them. Needs the programs of {@link NbdProgramsTest}.
 */
@Tag("soak")
@Timeout(1800)
class NbdCrashesSoak {
  private static final String POLICY = "RS-3-2-64k";
  private static final Duration LONG = Duration.ofMinutes(3);

  /** Of a record, which starts and ends inside of cells. */
  private static final int RECORD_BYTES = 70_001;

  private static final int RECORDS = 100;
  private static final int ROUNDS = 4;

  private static final String SQLITE_CHECK =
      "PRAGMA integrity_check; SELECT count(*), sum(length(v)) FROM t;";

  /** Of 1,200 records the 396 whose number is a multiple of 3 have 10 bytes, the others 1,000. */
  private static final String SQLITE_SOUND = "ok\n1200|807960\n";

  @TempDir static Path root;
  private static MiniUpdates cluster;
  private static Path site;
  private static ForeignProgram programs;

  @BeforeAll
  static void start() throws IOException {
    Map<String, String> more = UpdateKeys.sessions("3s");
    more.putAll(UpdateKeys.lease("6s"));
    more.put("dfs.namenode.heartbeat.recheck-interval", "60000");
    cluster = new MiniUpdates(root.resolve("dfs"), 5, more);
    site = root.resolve("site.xml");
    cluster.writeSite(site);
    programs = new ForeignProgram(root);
  }

  @AfterAll
  static void stop() throws IOException {
    cluster.close();
  }

  private static void create(String path, String size) {
    Configuration conf = cluster.fs().getConf();
    assertThat(
            new EcUpdateAdmin(conf, System.in, System.out, System.err)
                .run(new String[] {"-create", path, "-size", size, "-policy", POLICY}))
        .isZero();
  }

  private static byte[] record(int record, int version) {
    byte[] bytes = new byte[RECORD_BYTES];
    if (version > 0) {
      new Random(record * 1_000_003L + version).nextBytes(bytes);
    }
    return bytes;
  }

  /** What was answered is there after kill -9, and what was not is old or new for good. */
  @Test
  void answeredWritesOutliveTheirServer() throws Exception {
    create("/killed", "8M");
    int[] versions = new int[RECORDS];
    Random random = new Random(11);
    for (int round = 1; round <= ROUNDS; round++) {
      int unsure = -1;
      try (NbdServerProcess server = new NbdServerProcess(site, "/killed", "-wait", "2m").ready();
          NbdClient client = new NbdClient(server.port, "/killed")) {
        check(client, versions);
        CompletableFuture<Void> kill =
            CompletableFuture.runAsync(
                server.process::destroyForcibly,
                CompletableFuture.delayedExecutor(
                    1000 + random.nextInt(1000), TimeUnit.MILLISECONDS));
        int acks = 0;
        try {
          while (true) {
            unsure = random.nextInt(RECORDS);
            client.write((long) unsure * RECORD_BYTES, record(unsure, versions[unsure] + 1));
            versions[unsure]++;
            acks++;
          }
        } catch (IOException e) {
          kill.join();
        }
        assertThat(acks).as("round %d", round).isPositive();
      }
      // Each byte of the interrupted write is of one of both; after it is written, it is known.
      try (NbdServerProcess server = new NbdServerProcess(site, "/killed", "-wait", "2m").ready();
          NbdClient client = new NbdClient(server.port, "/killed")) {
        byte[] found = client.read((long) unsure * RECORD_BYTES, RECORD_BYTES);
        byte[] before = record(unsure, versions[unsure]);
        byte[] after = record(unsure, versions[unsure] + 1);
        for (int i = 0; i < RECORD_BYTES; i++) {
          assertThat(found[i]).as("round %d, byte %d", round, i).isIn(before[i], after[i]);
        }
        assertThat(client.read((long) unsure * RECORD_BYTES, RECORD_BYTES)).isEqualTo(found);
        client.write((long) unsure * RECORD_BYTES, after);
        versions[unsure]++;
        check(client, versions);
        server.signal("TERM");
        assertThat(server.process.waitFor(60, TimeUnit.SECONDS)).isTrue();
      }
    }
    byte[] stock = WholeFile.read(cluster.fs(), "/killed");
    for (int i = 0; i < RECORDS; i++) {
      assertThat(Arrays.copyOfRange(stock, i * RECORD_BYTES, (i + 1) * RECORD_BYTES))
          .isEqualTo(record(i, versions[i]));
    }
  }

  private static void check(NbdClient client, int[] versions) throws IOException {
    for (int i = 0; i < RECORDS; i++) {
      assertThat(
              Arrays.equals(
                  client.read((long) i * RECORD_BYTES, RECORD_BYTES), record(i, versions[i])))
          .as("record %d", i)
          .isTrue();
    }
  }

  /** A server that was stopped while another one took over changes nothing any more. */
  @Test
  void lateWritesOfAStoppedServerAreRejected() throws Exception {
    create("/stopped", "2M");
    byte[] ours = new byte[1 << 20];
    Arrays.fill(ours, (byte) 0x5a);
    try (NbdServerProcess first = new NbdServerProcess(site, "/stopped", "-retry", "3s").ready();
        NbdClient client = new NbdClient(first.port, "/stopped")) {
      AtomicInteger answered = new AtomicInteger();
      CompletableFuture<Void> writing =
          CompletableFuture.runAsync(
              () -> {
                try {
                  for (int i = 0; ; i++, answered.incrementAndGet()) {
                    byte[] theirs = new byte[1 << 20];
                    Arrays.fill(theirs, (byte) (i | 1));
                    client.write(0, theirs);
                  }
                } catch (IOException e) {
                  throw new IllegalStateException(e);
                }
              });
      await("it is in the middle of writes").until(() -> answered.get() > 5);
      first.signal("STOP");
      try (NbdServerProcess second = new NbdServerProcess(site, "/stopped", "-wait", "2m").ready();
          NbdClient other = new NbdClient(second.port, "/stopped")) {
        other.write(0, ours);
        first.signal("CONT");
        assertThatThrownBy(() -> writing.get(2, TimeUnit.MINUTES))
            .hasStackTraceContaining("error=5");
        assertThat(Arrays.equals(other.read(0, ours.length), ours)).isTrue();
      }
    }
    byte[] stock = WholeFile.read(cluster.fs(), "/stopped");
    assertThat(Arrays.equals(Arrays.copyOf(stock, ours.length), ours)).isTrue();
  }

  /** Clients see a pause. */
  @Test
  void requestsOutliveTheNameNodeAndADataNode() throws Exception {
    create("/restarted", "8M");
    int[] versions = new int[RECORDS];
    try (NbdServerProcess server =
            new NbdServerProcess(site, "/restarted", "-retry", "3m").ready();
        NbdClient client = new NbdClient(server.port, "/restarted")) {
      for (int i = 0; i < 3 * RECORDS; i++) {
        if (i == RECORDS) {
          cluster.cluster().restartNameNode(0);
        } else if (i == 2 * RECORDS) {
          cluster.restart(cluster.cluster().getDataNodes().get(1).getDatanodeUuid(), () -> {});
        }
        int record = i % RECORDS;
        client.write((long) record * RECORD_BYTES, record(record, ++versions[record]));
      }
      check(client, versions);
    }
  }

  /** Sizes, patterns and depths, random and sequential, and a server that is killed between. */
  @Test
  void fioVerifiesForLongAndAFileSystemIsSoundAfterAKill() throws Exception {
    create("/long", "24M");
    Path image = root.resolve("image");
    Path tree = Files.createDirectories(root.resolve("tree"));
    for (int i = 0; i < 50; i++) {
      Files.write(tree.resolve("file" + i), record(i, 1));
    }
    programs.run("mke2fs", "-q", "-t", "ext4", "-d", tree.toString(), image.toString(), "16M");
    try (NbdServerProcess server = new NbdServerProcess(site, "/long").ready()) {
      for (String mode : List.of("randwrite", "write", "randrw")) {
        for (String sizes : List.of("4k-4k", "4k-1m")) {
          assertThat(
                  programs.run(
                      "fio",
                      "--name=job",
                      "--ioengine=nbd",
                      "--uri=" + server.uri("/long"),
                      "--rw=" + mode,
                      "--bsrange=" + sizes,
                      "--iodepth=16",
                      "--size=6M",
                      "--offset_increment=6M",
                      "--numjobs=4",
                      "--verify=crc32c",
                      "--verify_fatal=1"))
              .doesNotContain("verify: bad");
        }
      }
      CompletableFuture.runAsync(
          server.process::destroyForcibly,
          CompletableFuture.delayedExecutor(300, TimeUnit.MILLISECONDS));
      programs.attempt(convert(image, server.uri("/long")));
    }
    Path copy = root.resolve("copy");
    try (NbdServerProcess server = new NbdServerProcess(site, "/long", "-wait", "2m").ready()) {
      programs.run(convert(image, server.uri("/long")));
      server.close();
    }
    try (NbdServerProcess server = new NbdServerProcess(site, "/long", "-wait", "2m").ready()) {
      programs.run("nbdcopy", server.uri("/long"), copy.toString());
    }
    programs.run("e2fsck", "-fn", copy.toString());
    byte[] wanted = Files.readAllBytes(image);
    assertThat(Arrays.equals(Arrays.copyOf(Files.readAllBytes(copy), wanted.length), wanted))
        .isTrue();
  }

  /**
   * NBD by nbdfuse, ext4 by fuse2fs: the kernel knows FUSE only. Needs root, as umount does, and
   * the Debian packages fuse2fs and sqlite3.
   */
  @Test
  void sqliteKeepsADatabaseOnAFileOfTheImage() throws Exception {
    create("/sqlite", "24M");
    Path image = root.resolve("sqlite-image");
    programs.run("mke2fs", "-q", "-t", "ext4", image.toString(), "24M");
    String device = Files.createDirectory(root.resolve("device")).resolve("disk").toString();
    Path mounted = Files.createDirectory(root.resolve("mounted"));
    String database = mounted.resolve("db").toString();
    Path copy = root.resolve("sqlite-copy");
    try (NbdServerProcess server = new NbdServerProcess(site, "/sqlite", "-retry", "3m").ready()) {
      programs.run(convert(image, server.uri("/sqlite")));
      CompletableFuture<String> adapter =
          CompletableFuture.supplyAsync(
              () -> {
                try {
                  return programs.run("nbdfuse", device, server.uri("/sqlite"));
                } catch (Exception e) {
                  throw new IllegalStateException(e);
                }
              });
      await("nbdfuse shows the device").atMost(LONG).until(() -> Files.exists(Path.of(device)));
      programs.run("fuse2fs", device, mounted.toString(), "-o", "rw,fakeroot");
      programs.run(
          "sqlite3", database, "PRAGMA synchronous=FULL; CREATE TABLE t(id INTEGER, v BLOB);");
      for (int i = 0; i < 6; i++) {
        if (i == 3) {
          cluster.restart(cluster.cluster().getDataNodes().get(1).getDatanodeUuid(), () -> {});
        }
        programs.run(
            "sqlite3",
            database,
            "PRAGMA synchronous=FULL; WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n"
                + " WHERE i < 200) INSERT INTO t SELECT i, randomblob(1000) FROM n;"
                + " UPDATE t SET v = zeroblob(10) WHERE id % 3 = 0;");
      }
      assertThat(programs.run("sqlite3", database, SQLITE_CHECK)).contains(SQLITE_SOUND);
      programs.run("umount", mounted.toString());
      await("fuse2fs has ended")
          .atMost(LONG)
          .until(
              () -> programs.attempt("umount", Path.of(device).getParent().toString()).code() == 0);
      adapter.get(1, TimeUnit.MINUTES);
      programs.run("nbdcopy", server.uri("/sqlite"), copy.toString());
    }
    programs.run("e2fsck", "-fn", copy.toString());
    String dumped = root.resolve("db").toString();
    programs.run("debugfs", "-R", "dump db " + dumped, copy.toString());
    assertThat(programs.run("sqlite3", dumped, SQLITE_CHECK)).contains(SQLITE_SOUND);
  }

  /** A command that writes an image on a device that is there. */
  private static String[] convert(Path image, String uri) {
    return new String[] {
      "qemu-img", "convert", "-n", "-f", "raw", "-O", "raw", image.toString(), uri
    };
  }
}

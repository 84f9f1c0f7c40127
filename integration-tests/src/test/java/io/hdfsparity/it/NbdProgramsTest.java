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
import io.hdfsparity.ecupdate.client.FileUpdates;
import io.hdfsparity.ecupdate.updater.StripedFileUpdater;
import io.hdfsparity.ecupdate.updater.UpdaterOptions;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code hdfs ecupdate -nbd} with clients that nobody here wrote: libnbd, QEMU, fio, and a file
 * system of e2fsprogs. Needs the Debian packages libnbd-bin, qemu-utils, fio and e2fsprogs.
 */
@Tag("full")
@Timeout(600)
class NbdProgramsTest {
  private static final String POLICY = "RS-3-2-64k";
  private static final int DISK_BYTES = 12 << 20;

  @TempDir static Path root;
  private static MiniUpdates cluster;
  private static DistributedFileSystem fs;
  private static ForeignProgram programs;

  @BeforeAll
  static void start() throws IOException {
    Map<String, String> more = UpdateKeys.sessions("2s");
    more.putAll(UpdateKeys.lease("6s"));
    cluster = new MiniUpdates(root.resolve("dfs"), 5, more);
    fs = cluster.fs();
    programs = new ForeignProgram(root);
  }

  @AfterAll
  static void stop() throws IOException {
    cluster.close();
  }

  /** A run of the command, in this process. */
  private static final class Run {
    final ByteArrayOutputStream out = new ByteArrayOutputStream();
    final ByteArrayOutputStream err = new ByteArrayOutputStream();
    final EcUpdateAdmin admin =
        new EcUpdateAdmin(
            fs.getConf(),
            new ByteArrayInputStream(new byte[0]),
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8));

    int end(String... arguments) {
      return admin.run(arguments);
    }

    @Override
    public String toString() {
      return out.toString(StandardCharsets.UTF_8) + err.toString(StandardCharsets.UTF_8);
    }
  }

  /** A server that ends as by a signal. */
  private static final class Served implements AutoCloseable {
    private static final Pattern URI = Pattern.compile("bytes at (\\S+)");
    private final Run run = new Run();
    private final Thread thread;

    Served(String... arguments) {
      thread = new Thread(() -> run.end(arguments), "nbd-server");
      thread.start();
    }

    String uri() {
      return await("the server serves, or says why not: " + run)
          .until(
              () -> {
                Matcher uri = URI.matcher(run.toString());
                assertThat(thread.isAlive() || uri.find()).as("%s", run).isTrue();
                return uri.reset().find() ? uri.group(1) : "";
              },
              uri -> !uri.isEmpty());
    }

    @Override
    public void close() throws InterruptedException {
      thread.interrupt();
      thread.join();
    }
  }

  private static void create(String path, String size) {
    Run run = new Run();
    assertThat(run.end("-create", path, "-size", size, "-policy", POLICY)).as("%s", run).isZero();
  }

  private static Path local(String name, int lengthBytes) throws IOException {
    byte[] bytes = new byte[lengthBytes];
    new Random(name.hashCode()).nextBytes(bytes);
    return Files.write(root.resolve(name), bytes);
  }

  @Test
  void aFileOfZerosIsMadeOfItsSizeAndNoOtherIsTouched() throws Exception {
    create("/zeros", "1M");
    byte[] zeros = WholeFile.read(fs, "/zeros");
    assertThat(zeros).hasSize(1 << 20);
    assertThat(zeros).containsOnly(0);
    assertThat(fs.getErasureCodingPolicy(new org.apache.hadoop.fs.Path("/zeros")).getName())
        .isEqualTo(POLICY);
    Run again = new Run();
    assertThat(again.end("-create", "/zeros", "-size", "2M", "-policy", POLICY)).isEqualTo(-1);
    assertThat(WholeFile.read(fs, "/zeros")).hasSize(1 << 20);
    assertThat(again.end("-create", "/none", "-size", "1M", "-policy", "RS-9-9-1k")).isEqualTo(-1);
    assertThat(fs.exists(new org.apache.hadoop.fs.Path("/none"))).isFalse();
    assertThat(again.end("-create", "/none", "-size", "1000", "-policy", POLICY)).isEqualTo(-1);
    assertThat(again.toString()).contains("multiple of 512");
  }

  @Test
  void programsWriteAndReadABlockDevice() throws Exception {
    create("/disk", "12M");
    create("/second", "1M");
    byte[] twin;
    try (Served served = new Served("-nbd", "/disk", "/second", "-port", "0")) {
      String uri = served.uri();
      assertThat(programs.run("nbdinfo", uri))
          .contains("export-size: 12582912", "can_fua: true", "can_flush: true")
          .contains("can_multi_conn: true", "can_zero: true", "can_trim: false")
          .contains("block_size_preferred: 4096", "is_read_only: false");
      assertThat(programs.run("nbdinfo", "--list", uri)).contains("/disk", "/second");

      Path image = local("image", DISK_BYTES);
      twin = Files.readAllBytes(image);
      programs.run("qemu-img", "convert", "-n", "-f", "raw", "-O", "raw", image.toString(), uri);
      assertThat(
              programs.run("qemu-img", "compare", "-f", "raw", "-F", "raw", image.toString(), uri))
          .contains("Images are identical");

      // Not aligned, over the ends of cells and stripes.
      assertThat(
              programs.run(
                  "qemu-io",
                  "-f",
                  "raw",
                  "-c",
                  "write -P 0xab 65000 200001",
                  "-c",
                  "write -f -P 0xcd 3000000 7",
                  "-c",
                  "write -z 1000000 70001",
                  "-c",
                  "flush",
                  "-c",
                  "read -P 0xab 65000 200001",
                  "-c",
                  "read -P 0xcd 3000000 7",
                  "-c",
                  "read -P 0 1000000 70001",
                  uri))
          .doesNotContain("Pattern verification failed", "error");
      Arrays.fill(twin, 65_000, 265_001, (byte) 0xab);
      Arrays.fill(twin, 3_000_000, 3_000_007, (byte) 0xcd);
      Arrays.fill(twin, 1_000_000, 1_070_001, (byte) 0);
      Path copy = root.resolve("copy");
      programs.run("nbdcopy", uri, copy.toString());
      assertThat(Arrays.equals(Files.readAllBytes(copy), twin)).isTrue();

      aSecondServerIsRefused();
    }
    // What stock clients read, parity or not, is what was written.
    assertThat(Arrays.equals(WholeFile.read(fs, "/disk"), twin)).isTrue();
    Run verify = new Run();
    assertThat(verify.end("-verify", "/disk")).as("%s", verify).isZero();
  }

  private static void aSecondServerIsRefused() throws IOException {
    Run second = new Run();
    assertThat(second.end("-nbd", "/disk", "-port", "0", "-wait", "0ms")).isEqualTo(-1);
    assertThat(second.toString()).contains("in-use", "hdfs ecupdate -status");
    assertThat(second.end("-nbd", "/disk", "-readonly", "-port", "0", "-wait", "0ms"))
        .isEqualTo(-1);
    Run write = new Run();
    Path byteFile = Files.write(root.resolve("one"), new byte[] {1});
    assertThat(write.end("-write", "/disk", "-offset", "0", "-from", byteFile.toString()))
        .isEqualTo(-1);
    assertThat(write.toString()).contains("in-use");
    Run status = new Run();
    status.end("-status", "/disk");
    assertThat(status.toString()).contains("s old, exclusive").contains("1 open sessions");
    Run json = new Run();
    json.end("-status", "/disk", "-json");
    assertThat(json.toString()).containsPattern("\"exclusive\" ?: ?true");
  }

  @Test
  void fioVerifiesWhatItHasWritten() throws Exception {
    create("/fio", "8M");
    Path socket = root.resolve("fio.sock");
    try (Served served = new Served("-nbd", "/fio", "-unix", socket.toString(), "-cache", "4M")) {
      String uri = served.uri();
      assertThat(programs.run("fio", "--enghelp=nbd")).contains("uri");
      String report =
          programs.run(
              "fio",
              "--name=job",
              "--ioengine=nbd",
              "--uri=" + uri,
              "--rw=randwrite",
              "--bsrange=4k-256k",
              "--iodepth=8",
              "--size=4M",
              "--offset_increment=4M",
              "--numjobs=2",
              "--io_size=8M",
              "--fsync=8",
              "--randseed=7",
              "--verify=crc32c",
              "--verify_fatal=1",
              "--do_verify=1");
      assertThat(report).contains("err= 0").doesNotContain("verify: bad");
    }
  }

  @Test
  void aFileSystemComesBackAsItWas() throws Exception {
    Path tree = Files.createDirectories(root.resolve("tree/a/b"));
    byte[] content = Files.readAllBytes(local("content", 300_000));
    Files.write(tree.resolve("content"), content);
    Files.writeString(root.resolve("tree/note"), "a note");
    Path image = root.resolve("ext4");
    programs.run(
        "mke2fs",
        "-q",
        "-t",
        "ext4",
        "-d",
        root.resolve("tree").toString(),
        image.toString(),
        "8M");
    create("/ext4", "8M");
    try (Served served = new Served("-nbd", "/ext4", "-port", "0")) {
      programs.run(
          "qemu-img", "convert", "-n", "-f", "raw", "-O", "raw", image.toString(), served.uri());
    }
    Path copy = root.resolve("ext4-copy");
    try (Served served = new Served("-nbd", "/ext4", "-port", "0", "-readonly")) {
      String uri = served.uri();
      assertThat(programs.run("nbdinfo", uri)).contains("is_read_only: true");
      programs.run("nbdcopy", uri, copy.toString());
      ForeignProgram.Outcome refused =
          programs.attempt("qemu-io", "-f", "raw", "-c", "write 0 4096", uri);
      assertThat(refused.code()).as(refused.output()).isNotZero();
    }
    programs.run("e2fsck", "-fn", copy.toString());
    assertThat(Files.mismatch(image, copy)).isEqualTo(-1);
  }

  /**
   * Of a server that has lost its NameNode, DataNodes execute nothing when another one is there.
   */
  @Test
  void lateRequestsOfAServerThatWasCutOffAreRejected() throws Exception {
    byte[] bytes = cluster.create("/cut", 4 * MiniUpdates.CELL_BYTES);
    cluster.open("/cut").close();
    try (CutOffProgram first =
        await("earlier sessions are fenced")
            .ignoreExceptionsInstanceOf(IOException.class)
            .until(() -> CutOffProgram.open(fs, "/cut"), opened -> true)) {
      assertThat(first.read()).isEmpty();
      assertThatThrownBy(() -> openExclusively("/cut")).hasMessageContaining("in-use");
      assertThatThrownBy(
              () ->
                  FileUpdates.open(
                      fs, new org.apache.hadoop.fs.Path("/cut"), UpdaterOptions.standard()))
          .hasMessageContaining("in-use");
      try (StripedFileUpdater second =
          await("its lease ends, and it is fenced")
              .atMost(Duration.ofSeconds(60))
              // In use; or a DataNode has not reported for the short validity that this cluster
              // has.
              .ignoreExceptionsInstanceOf(IOException.class)
              .until(() -> openExclusively("/cut"), opened -> true)) {
        assertThat(first.write()).isNotEmpty();
        assertThat(first.read()).isNotEmpty();
        second.write(5, ByteBuffer.wrap(new byte[] {1, 2, 3}));
        System.arraycopy(new byte[] {1, 2, 3}, 0, bytes, 5, 3);
        byte[] found = new byte[bytes.length];
        assertThat(second.read(0, ByteBuffer.wrap(found))).isEqualTo(found.length);
        assertThat(Arrays.equals(found, bytes)).isTrue();
      }
    }
    assertThat(Arrays.equals(WholeFile.read(fs, "/cut"), bytes)).isTrue();
  }

  /**
   * A server that was stopped for longer than its lease has a write to make again, which must not
   * be made over what another program has written meanwhile.
   */
  @Test
  void aServerThatWasCutOffDoesNotContinueAfterAnotherProgram() throws Exception {
    byte[] twin = cluster.create("/stopped", 4 * MiniUpdates.CELL_BYTES);
    cluster.open("/stopped").close();
    Path site = root.resolve("site.xml");
    cluster.writeSite(site);
    try (NbdServerProcess server =
            new NbdServerProcess(site, "/stopped", "-wait", "2m", "-retry", "2m").ready();
        NbdClient client = new NbdClient(server.port, "/stopped")) {
      byte[] before = {1, 1, 1};
      client.write(5, before);
      server.signal("STOP");
      CompletableFuture<Void> late =
          CompletableFuture.runAsync(
              () -> {
                try {
                  client.write(5, new byte[] {2, 2, 2});
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              });
      byte[] others = {3, 3, 3};
      try (StripedFileUpdater other =
          await("the lease of the server ends, and it is fenced")
              .atMost(Duration.ofSeconds(60))
              .ignoreExceptionsInstanceOf(IOException.class)
              .until(() -> openExclusively("/stopped"), opened -> true)) {
        other.write(5, ByteBuffer.wrap(others));
      }
      System.arraycopy(others, 0, twin, 5, 3);
      server.signal("CONT");
      assertThatThrownBy(() -> late.get(60, TimeUnit.SECONDS)).hasMessageContaining("error=5");
      assertThat(Arrays.equals(WholeFile.read(fs, "/stopped"), twin)).isTrue();
      await("it ends").until(() -> !server.isAlive());
      assertThatThrownBy(() -> client.read(5, 3)).isInstanceOf(IOException.class);
      assertThat(server.log()).contains("opened-since", "start this program again");
    }
  }

  /**
   * Where nobody else was, or only who does not write, it makes the write again, in another
   * session.
   */
  @Test
  void aServerThatWasCutOffContinuesByItself() throws Exception {
    byte[] twin = cluster.create("/alone", 4 * MiniUpdates.CELL_BYTES);
    cluster.open("/alone").close();
    Path site = root.resolve("alone.xml");
    cluster.writeSite(site);
    try (NbdServerProcess server =
            new NbdServerProcess(site, "/alone", "-wait", "2m", "-retry", "2m").ready();
        NbdClient client = new NbdClient(server.port, "/alone")) {
      server.signal("STOP");
      await("its session is over")
          .atMost(Duration.ofSeconds(60))
          .until(
              () -> {
                Run status = new Run();
                status.end("-status", "/alone");
                return status.toString().contains("0 open sessions");
              });
      try (StripedFileUpdater reader = openReadOnly("/alone")) {
        byte[] found = new byte[twin.length];
        reader.read(0, ByteBuffer.wrap(found));
        assertThat(found).isEqualTo(twin);
        assertThatThrownBy(() -> reader.write(7, ByteBuffer.allocate(1)))
            .isInstanceOf(IOException.class)
            .hasMessageContaining("to be read only");
      }
      Run recovered = new Run();
      recovered.end("-recover", "/alone", "-pause", "50ms");
      server.signal("CONT");
      client.write(7, new byte[] {4});
      twin[7] = 4;
      assertThat(client.read(7, 1)).containsExactly(4);
    }
    assertThat(Arrays.equals(WholeFile.read(fs, "/alone"), twin)).isTrue();
  }

  private static StripedFileUpdater openReadOnly(String path) throws IOException {
    return FileUpdates.openReadOnly(
        fs, new org.apache.hadoop.fs.Path(path), UpdaterOptions.standard());
  }

  private static StripedFileUpdater openExclusively(String path) throws IOException {
    return FileUpdates.openExclusive(
        fs, new org.apache.hadoop.fs.Path(path), UpdaterOptions.standard());
  }
}

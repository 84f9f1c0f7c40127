/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static io.hdfsparity.it.WholeFile.read;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hdfsparity.ParityFileSystem;
import io.hdfsparity.bridge.config.SuiteKey;
import io.hdfsparity.bridge.swap.SwapProtocol;
import io.hdfsparity.caso.admin.CasoAdmin;
import io.hdfsparity.caso.fs.RewritePoints;
import io.hdfsparity.caso.layout.LayoutPointer;
import io.hdfsparity.caso.wire.LayoutNameNodes;
import io.hdfsparity.core.trace.BadLines;
import io.hdfsparity.core.trace.ByteRequest;
import io.hdfsparity.core.trace.MsrTrace;
import io.hdfsparity.ecupdate.client.FileUpdates;
import io.hdfsparity.ecupdate.config.StorageKey;
import io.hdfsparity.ecupdate.config.TraceKey;
import io.hdfsparity.ecupdate.updater.StripedFileUpdater;
import io.hdfsparity.ecupdate.updater.UpdaterOptions;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Files in stored order (hdfs-caso) that are changed in place (hdfs-ec-update). */
@Tag("full")
@Timeout(1200)
class CasoUpdateTest {
  private static final int CELL_BYTES = MiniUpdates.CELL_BYTES;

  /** One group: whole cells, and a part of one. */
  private static final int FILE_BYTES = 40 * CELL_BYTES + 1234;

  private static final int MAX_BYTES = 3 * CELL_BYTES;

  @TempDir static java.nio.file.Path root;
  private static MiniUpdates cluster;
  private static DistributedFileSystem fs;
  private static FileSystem caso;
  private static String trace;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  @BeforeAll
  static void start() throws IOException {
    Map<String, String> more = UpdateKeys.sessions("2s");
    more.put(SuiteKey.FEATURES.key(), "ecupdate,caso");
    more.put(StorageKey.SNAPSHOT_AGE.key(), "1s");
    more.put(TraceKey.DIRECTORY.key(), root.resolve("updates").toString());
    cluster = new MiniUpdates(root.resolve("dfs"), 5, more);
    fs = cluster.fs();
    Configuration client = new Configuration(fs.getConf());
    client.set("fs.hdfs.impl", ParityFileSystem.class.getName());
    caso = FileSystem.newInstance(URI.create(fs.getUri().toString()), client);
    trace = Files.writeString(root.resolve("t.csv"), patterns()).toString();
  }

  @AfterAll
  static void stop() throws IOException {
    caso.close();
    cluster.close();
  }

  /** Five triples of cells far apart, written in turn, a window each. */
  static String patterns() {
    StringBuilder text = new StringBuilder();
    for (int window = 0; window < 60; window++) {
      long pattern = window % 5;
      for (long cell : new long[] {pattern, 13 + 2 * pattern, 26 + 2 * pattern}) {
        text.append(window * 10_000L + 3).append(",h,0,Write,").append(CELL_BYTES * cell);
        text.append(",").append(CELL_BYTES).append(",0\n");
      }
    }
    return text.toString();
  }

  private int run(String... args) {
    return run(RewritePoints.NONE, args);
  }

  private int run(RewritePoints points, String... args) {
    out.reset();
    err.reset();
    return new CasoAdmin(
            fs.getConf(),
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            points)
        .run(args);
  }

  private static StripedFileUpdater open(String path, UpdaterOptions options) {
    return cluster.open(path, options);
  }

  private byte[] organized(String path) throws IOException {
    byte[] bytes = cluster.create(path, FILE_BYTES);
    // A NameNode that has just become active does not know of sessions for a while.
    await("organized")
        .until(() -> run("-organize", path, "-trace", trace) == 0 || !isToBeRunAgain());
    assertThat(fs.getXAttrs(new Path(path))).as("%s", err).containsKey(LayoutPointer.XATTR);
    return bytes;
  }

  private boolean isToBeRunAgain() {
    return err.toString(StandardCharsets.UTF_8).contains("then run it again");
  }

  private static void assertBytes(byte[] read, byte[] twin) {
    assertThat(Arrays.mismatch(read, twin)).as("first byte that differs").isEqualTo(-1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"FO", "FL", "PL", "PLR"})
  void writesGoWhereTheFilesOwnOrderSays(String scheme) throws Exception {
    String path = "/" + scheme;
    byte[] twin = organized(path);
    fs.setXAttr(
        new Path(path), "user.parity.ecupdate.scheme", scheme.getBytes(StandardCharsets.UTF_8));
    Random random = new Random(scheme.hashCode());
    boolean isCached = scheme.equals("PLR");
    UpdaterOptions options = UpdaterOptions.standard();
    List<String> made = new ArrayList<>();
    long updated = fs.getClient().getFileInfo(path).getFileId();
    try (StripedFileUpdater updater = open(path, isCached ? options.withCache(1 << 20) : options)) {
      for (int i = 0; i < 60; i++) {
        byte[] bytes = new byte[1 + random.nextInt(random.nextInt(3) == 0 ? MAX_BYTES : 4096)];
        random.nextBytes(bytes);
        int at = random.nextInt(FILE_BYTES - bytes.length + 1);
        updater.write(at, ByteBuffer.wrap(bytes));
        made.add("WRITE " + at + " " + bytes.length);
        System.arraycopy(bytes, 0, twin, at, bytes.length);
        int from = random.nextInt(FILE_BYTES - 5000);
        made.add("READ " + from + " 5000");
        ByteBuffer back = ByteBuffer.allocate(5000);
        assertThat(updater.read(from, back)).isEqualTo(5000);
        assertBytes(back.array(), Arrays.copyOfRange(twin, from, from + 5000));
      }
      updater.flush();
      assertBytes(read(caso, path), twin);
      updater.verify(60_000, finding -> assertThat(finding).isNull(), looked -> {});
      // The copy would miss what is written while it is made.
      assertThat(run("-restore", path)).isEqualTo(-1);
      assertThat(err.toString(StandardCharsets.UTF_8)).contains(path);
    }
    assertBytes(read(caso, path), twin);
    // It is refused until all DataNodes know that the session is over.
    await("restored").until(() -> run("-restore", path) == 0);
    assertBytes(read(fs, path), twin);
    assertThat(noted(updated)).isEqualTo(made);
    // It has another inode by now, and nobody has updated that one.
    String directory = root.resolve("updates").toString();
    assertThat(run("-organize", path, "-trace", directory, "-json")).isEqualTo(-1);
    assertThat(err.toString(StandardCharsets.UTF_8)).contains("traces of inodes");
    assertThat(run("-organize", path, "-trace", directory, "-inode", "" + updated, "-json"))
        .as("%s", err)
        .isZero();
    JsonNode doc = new ObjectMapper().readTree(out.toByteArray());
    assertThat(doc.path("requests").asInt() + doc.path("requestsBeyondTheFile").asInt())
        .isEqualTo(made.size());
    assertBytes(read(caso, path), twin);
  }

  /** A session changes no block, and its user may set the time back. */
  @ParameterizedTest
  @EnumSource(names = {"WRITING", "VERIFIED", "DRESSED"})
  void whatWasUpdatedBesideACopyStaysAlsoWithItsTimeSetBack(RewritePoints.Point when)
      throws Exception {
    String path = "/back-" + when;
    byte[] twin = cluster.create(path, FILE_BYTES);
    awaitUnheld(path);
    AtomicBoolean isUpdated = new AtomicBoolean();
    RewritePoints beside =
        point -> {
          if (point == when && isUpdated.compareAndSet(false, true)) {
            updateUnseen(path, twin);
          }
        };
    assertThat(run(beside, "-organize", path, "-trace", trace)).isEqualTo(-1);
    assertThat(isUpdated).isTrue();
    assertThat(err.toString(StandardCharsets.UTF_8)).contains("it was written, replaced");
    assertBytes(read(fs, path), twin);
    assertThat(run("-organize", path, "-trace", trace)).as("%s", err).isZero();
    assertBytes(read(caso, path), twin);
  }

  /** Updates a file until nothing holds it any more, and puts back its modification time. */
  private static void updateUnseen(String path, byte[] twin) {
    try {
      long modifiedMs = fs.getFileStatus(new Path(path)).getModificationTime();
      try (StripedFileUpdater updater = open(path, UpdaterOptions.standard())) {
        MiniUpdates.writeSome(updater, twin, 3);
      }
      awaitUnheld(path);
      fs.setTimes(new Path(path), modifiedMs, -1);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void awaitUnheld(String path) throws IOException {
    SwapProtocol swaps = new LayoutNameNodes(fs.getConf(), fs.getUri()).swaps();
    await("nothing holds " + path).until(() -> swaps.inspect(path).refusal().isEmpty());
  }

  /** What the updater of a file has noted, by positions of the file's own order. */
  private static List<String> noted(long inodeId) throws IOException {
    List<String> noted = new ArrayList<>();
    try (DirectoryStream<java.nio.file.Path> files =
        Files.newDirectoryStream(root.resolve("updates"), "updates-" + inodeId + "-*.csv")) {
      for (java.nio.file.Path file : files) {
        try (InputStream in = Files.newInputStream(file)) {
          MsrTrace requests = new MsrTrace(in, BadLines.FAIL, bad -> {});
          for (ByteRequest next = requests.next(); next != null; next = requests.next()) {
            noted.add(next.access() + " " + next.offsetBytes() + " " + next.sizeBytes());
          }
        }
      }
    }
    return noted;
  }

  /** Bytes must not get to the places that they have in an order that nobody told. */
  @Test
  void whoDoesNotKnowTheOrderDoesNotWrite() throws Exception {
    organized("/unknown");
    byte[] stored = StoredBytes.read(fs, "/unknown");
    try (StripedFileUpdater known = open("/unknown", UpdaterOptions.standard())) {
      assertThat(known.lengthBytes()).isEqualTo(FILE_BYTES);
    }
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    try (URLClassLoader without = new WithoutServices(before)) {
      thread.setContextClassLoader(without);
      assertThatThrownBy(
              () -> FileUpdates.open(fs, new Path("/unknown"), UpdaterOptions.standard()))
          .hasMessageContaining("order=stored")
          .hasMessageContaining("the jar of hdfs-caso");
    } finally {
      thread.setContextClassLoader(before);
    }
    // A copy that was made with its attributes, by bytes.
    fs.setXAttr(
        new Path("/unknown"),
        LayoutPointer.XATTR,
        ("3 1 2 " + "0".repeat(64) + " " + "0".repeat(32) + " /.caso")
            .getBytes(StandardCharsets.UTF_8));
    assertThatThrownBy(() -> FileUpdates.open(fs, new Path("/unknown"), UpdaterOptions.standard()))
        .hasMessageContaining("the file is a copy that was made with its attributes");
    assertBytes(StoredBytes.read(fs, "/unknown"), stored);
  }

  /** As a class path without the jar of hdfs-caso. */
  private static final class WithoutServices extends URLClassLoader {
    WithoutServices(ClassLoader parent) {
      super(new URL[0], parent);
    }

    @Override
    public Enumeration<URL> getResources(String name) throws IOException {
      return name.contains("FileOrders")
          ? Collections.emptyEnumeration()
          : super.getResources(name);
    }
  }
}

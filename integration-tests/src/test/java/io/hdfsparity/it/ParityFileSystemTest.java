/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hdfsparity.ParityFileSystem;
import io.hdfsparity.ParityFs;
import io.hdfsparity.bridge.config.SuiteKey;
import io.hdfsparity.ecupdate.updater.StripedFileUpdater;
import io.hdfsparity.izs.codec.IzsFamily;
import io.hdfsparity.izs.datanode.IzsDataNodeFeature;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Hdfs;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Options.ChecksumOpt;
import org.apache.hadoop.fs.Options.CreateOpts;
import org.apache.hadoop.fs.Options.HandleOpt;
import org.apache.hadoop.fs.Options.Rename;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.permission.AclEntry;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.apache.hadoop.util.DataChecksum;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * One client for all: what only one of the features reads, what needs two of them, and what is
 * Hadoop's alone, by FileSystem and by FileContext.
 */
@Tag("full")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ParityFileSystemTest {
  private static final int CELL_BYTES = MiniUpdates.CELL_BYTES;
  private static final int STRIPE_BYTES = 4 * CELL_BYTES;
  private static final int LENGTH = 10 * STRIPE_BYTES + 1234;

  private static final String PLAIN = "/plain";
  private static final String CODED = "/coded";
  private static final String ORDERED = "/ordered";
  private static final String UPDATED = "/updated";

  @TempDir static java.nio.file.Path root;
  private static MiniUpdates cluster;
  private static Configuration conf;
  private static ParityFileSystem fs;

  /** Its default file system is the cluster, and for the second one it is not. */
  private static FileContext context;

  private static FileContext elsewhere;
  private static FileContext stock;
  private static final Map<String, byte[]> CONTENTS = new HashMap<>();

  @BeforeAll
  static void start() throws Exception {
    cluster =
        MiniUpdates.startIzs(
            root,
            7,
            IzsFamily.code(4, 2),
            Map.of(SuiteKey.FEATURES.key(), "ecupdate,caso," + IzsDataNodeFeature.class.getName()));
    Configuration before = new Configuration(cluster.cluster().getConfiguration(0));
    stock = FileContext.getFileContext(cluster.cluster().getURI(), before);
    conf = new Configuration(before);
    conf.set("fs.hdfs.impl", ParityFileSystem.class.getName());
    conf.set("fs.AbstractFileSystem.hdfs.impl", ParityFs.class.getName());
    fs = (ParityFileSystem) FileSystem.newInstance(cluster.cluster().getURI(), conf);
    context = FileContext.getFileContext(cluster.cluster().getURI(), conf);
    elsewhere = FileContext.getLocalFSFileContext(conf);
    CONTENTS.put(CODED, cluster.create(CODED, LENGTH));
    CONTENTS.put(UPDATED, cluster.create(UPDATED, LENGTH));
    CONTENTS.put(PLAIN, MiniLevels.bytes(LENGTH, 3));
    try (OutputStream out = cluster.fs().createFile(new Path(PLAIN)).replicate().build()) {
      out.write(CONTENTS.get(PLAIN));
    }
    CONTENTS.put(ORDERED, cluster.create(ORDERED, LENGTH));
    String trace = Files.writeString(root.resolve("trace.csv"), CasoCommands.patterns()).toString();
    // A NameNode that has just become active does not know of sessions for a while.
    await("organized")
        .untilAsserted(
            () ->
                assertThat(CasoCommands.run(cluster.fs(), "-organize", ORDERED, "-trace", trace))
                    .isEqualTo("done"));
  }

  @AfterAll
  static void stop() throws IOException {
    fs.close();
    cluster.close();
  }

  private interface Opener {
    FSDataInputStream open(Path file) throws IOException;
  }

  private static Path qualified(String path) {
    return fs.makeQualified(new Path(path));
  }

  /** All ways to open a file, by name. */
  private static Map<String, Opener> openers() {
    return Map.of(
        "FileSystem", file -> fs.open(file),
        "FileSystem, builder", file -> get(fs.openFile(file).build()),
        "FileSystem, handle",
            file -> fs.open(fs.getPathHandle(fs.getFileStatus(file), HandleOpt.exact()), 4096),
        "FileContext", file -> context.open(file),
        "FileContext, builder", file -> get(context.openFile(file).build()),
        "FileContext, buffer", file -> context.open(file, 4096),
        "FileContext of another default file system", file -> elsewhere.open(file));
  }

  private static FSDataInputStream get(CompletableFuture<FSDataInputStream> opening)
      throws IOException {
    try {
      return opening.get();
    } catch (ExecutionException | InterruptedException e) {
      throw new IOException(e);
    }
  }

  private static void assertReads(String path, String name, Opener opener) {
    byte[] expected = CONTENTS.get(path);
    try (FSDataInputStream in = opener.open(qualified(path))) {
      assertThat(Arrays.equals(in.readAllBytes(), expected)).as("%s by %s", path, name).isTrue();
      byte[] some = new byte[STRIPE_BYTES + 4321];
      int from = 3 * STRIPE_BYTES - 99;
      in.readFully(from, some);
      assertThat(Arrays.equals(some, Arrays.copyOfRange(expected, from, from + some.length)))
          .as("%s by %s, positioned", path, name)
          .isTrue();
      in.seek(expected.length - 10);
      assertThat(in.read()).isEqualTo(expected[expected.length - 10] & 0xff);
      HdfsDataInputStream hdfs = (HdfsDataInputStream) in;
      assertThat(hdfs.getVisibleLength()).isEqualTo(expected.length);
      assertThat(hdfs.getAllBlocks()).isNotEmpty();
      assertThat(hdfs.getReadStatistics()).isNotNull();
    } catch (IOException e) {
      throw new AssertionError(path + " by " + name, e);
    }
  }

  private static void assertReadsAll() {
    CONTENTS
        .keySet()
        .forEach(path -> openers().forEach((name, opener) -> assertReads(path, name, opener)));
  }

  @Test
  @Order(1)
  void everythingIsReadInEachWay() throws IOException {
    assertReadsAll();
    // Hadoop's own are refused what they would read wrong, and read the rest.
    assertThat(StoredBytes.read(cluster.fs(), ORDERED)).isNotEqualTo(CONTENTS.get(ORDERED));
    assertThatThrownBy(() -> stock.open(new Path(ORDERED)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("Cannot read a file: order=stored")
        .hasMessageContaining("fs.hdfs.impl=io.hdfsparity.ParityFileSystem")
        .hasMessageContaining("fs.AbstractFileSystem.hdfs.impl=io.hdfsparity.ParityFs");
    try (FSDataInputStream in = stock.open(new Path(CODED))) {
      assertThat(in.readAllBytes()).isEqualTo(CONTENTS.get(CODED));
    }
  }

  @Test
  @Order(2)
  void aFileUnderUpdateIsRead() throws IOException {
    try (StripedFileUpdater updater = cluster.open(UPDATED)) {
      MiniUpdates.writeSome(updater, CONTENTS.get(UPDATED), 5);
      openers().forEach((name, opener) -> assertReads(UPDATED, name, opener));
    }
  }

  /** One that is in stored order and of codec izs needs both features. */
  @Test
  @Order(3)
  void everythingIsReadInEachWayWithAsManyUnitsLostAsThereAreParityUnits() throws Exception {
    for (String path : List.of(CODED, ORDERED)) {
      String[] nodes = cluster.group(path).nodes();
      Map<String, MiniDFSCluster.DataNodeProperties> stopped = new HashMap<>();
      for (int unit = 0; unit < 2; unit++) {
        stopped.put(nodes[unit], cluster.stop(nodes[unit]));
      }
      openers().forEach((name, opener) -> assertReads(path, name, opener));
      assertReads(PLAIN, "FileContext", openers().get("FileContext"));
      if (path.equals(CODED)) {
        assertThat(WholeFile.isReadable(cluster.fs(), path, CONTENTS.get(path))).isFalse();
      }
      cluster.restart(stopped);
    }
  }

  @Test
  @Order(4)
  void whatWouldChangeAFileInStoredOrderIsRefused() throws IOException {
    Path file = new Path(ORDERED);
    Map<String, org.assertj.core.api.ThrowableAssert.ThrowingCallable> calls = new HashMap<>();
    calls.put("append", () -> fs.append(file).close());
    calls.put("append by builder", () -> fs.appendFile(file).build().close());
    calls.put("truncate", () -> fs.truncate(file, 1));
    calls.put("concat", () -> fs.concat(file, new Path[] {new Path(CODED)}));
    calls.put("concat of it", () -> fs.concat(new Path(CODED), new Path[] {file}));
    calls.put(
        "FileContext appends", () -> context.create(file, EnumSet.of(CreateFlag.APPEND)).close());
    calls.put("FileContext truncates", () -> context.truncate(file, 1));
    calls.forEach(
        (name, call) ->
            assertThatThrownBy(call)
                .as(name)
                .isInstanceOf(IOException.class)
                .hasMessageContaining("order=stored")
                .hasMessageContaining("hdfs caso -restore"));
    assertThat(fs.getFileChecksum(file)).isNull();
    assertThat(fs.getFileChecksum(file, 100)).isNull();
    assertThat(context.getFileChecksum(file)).isNull();
    for (String other : List.of(PLAIN, CODED)) {
      assertThat(fs.getFileChecksum(new Path(other)))
          .isNotNull()
          .isEqualTo(context.getFileChecksum(new Path(other)))
          .isEqualTo(cluster.fs().getFileChecksum(new Path(other)));
    }
    assertReads(ORDERED, "FileContext", openers().get("FileContext"));
  }

  /** A delegating file system deletes first, and has neither file for a moment. */
  @Test
  @Order(5)
  void fileContextOverwritesInOneStep() throws Exception {
    Path to = new Path("/overwritten");
    cluster.fs().createFile(to).replicate().build().close();
    AtomicBoolean isOver = new AtomicBoolean();
    CompletableFuture<Long> misses =
        CompletableFuture.supplyAsync(
            () -> {
              long missed = 0;
              while (!isOver.get()) {
                try {
                  missed += cluster.fs().exists(to) ? 0 : 1;
                } catch (IOException e) {
                  throw new java.io.UncheckedIOException(e);
                }
              }
              return missed;
            });
    for (int i = 0; i < 50; i++) {
      Path from = new Path("/overwriting-" + i);
      cluster.fs().createFile(from).replicate().build().close();
      long inode = cluster.fs().getClient().getFileInfo(from.toString()).getFileId();
      context.rename(from, to, Rename.OVERWRITE);
      assertThat(cluster.fs().getClient().getFileInfo(to.toString()).getFileId()).isEqualTo(inode);
    }
    isOver.set(true);
    assertThat(misses.get()).isZero();
    assertThatThrownBy(() -> context.rename(new Path(PLAIN), to, Rename.NONE))
        .isInstanceOf(IOException.class);
  }

  private static <T> List<T> all(RemoteIterator<T> iterator) throws IOException {
    List<T> all = new ArrayList<>();
    while (iterator.hasNext()) {
      all.add(iterator.next());
    }
    return all;
  }

  @Test
  @Order(6)
  void fileContextListsWithLocations() throws IOException {
    assertThat(context.getDefaultFileSystem()).isInstanceOf(Hdfs.class);
    List<LocatedFileStatus> located = all(context.listLocatedStatus(new Path("/")));
    assertThat(located.stream().map(LocatedFileStatus::getPath))
        .contains(qualified(PLAIN), qualified(CODED), qualified(ORDERED));
    for (LocatedFileStatus each : located) {
      if (CONTENTS.containsKey(each.getPath().toUri().getPath())) {
        assertThat(each.getBlockLocations())
            .as("%s", each.getPath())
            .isNotEmpty()
            .allSatisfy(one -> assertThat(one.getHosts()).isNotEmpty());
        assertThat(context.getFileBlockLocations(each.getPath(), 0, LENGTH))
            .extracting(BlockLocation::getLength)
            .isEqualTo(Stream.of(each.getBlockLocations()).map(BlockLocation::getLength).toList());
      }
    }
    List<FileStatus> expected = all(stock.listStatus(new Path("/")));
    assertThat(all(context.listStatus(new Path("/")))).isEqualTo(expected);
    assertThat(context.util().listStatus(new Path("/"))).containsExactlyElementsOf(expected);
  }

  /** What Hadoop's own says is said word for word. */
  @Test
  @Order(7)
  void fileContextIsHadoopsForTheRest() throws IOException {
    Path folder = new Path("/rest");
    Path file = new Path(folder, "file");
    context.mkdir(folder, FileContext.DIR_DEFAULT_PERM, /* createParent= */ false);
    cluster.fs().allowSnapshot(folder);
    ChecksumOpt checksum = new ChecksumOpt(DataChecksum.Type.CRC32, 1024);
    try (OutputStream out =
        context.create(file, EnumSet.of(CreateFlag.CREATE), CreateOpts.checksumParam(checksum))) {
      out.write(new byte[5000]);
    }
    assertThat(cluster.fs().getFileChecksum(file).getChecksumOpt().getBytesPerChecksum())
        .isEqualTo(1024);
    assertThatThrownBy(
            () -> context.create(new Path("/none/file"), EnumSet.of(CreateFlag.CREATE)).close())
        .isInstanceOf(java.io.FileNotFoundException.class);

    context.setXAttr(file, "user.one", new byte[] {1});
    assertThat(stock.getXAttrs(file)).containsOnlyKeys("user.one");
    assertThat(context.listXAttrs(file)).containsExactly("user.one");
    context.modifyAclEntries(file, AclEntry.parseAclSpec("user:somebody:r--", true));
    assertThat(context.getAclStatus(file)).isEqualTo(stock.getAclStatus(file));
    assertThat(context.getAclStatus(file).getEntries()).isNotEmpty();
    context.access(file, FsAction.READ);
    context.setStoragePolicy(file, "COLD");
    assertThat(stock.getStoragePolicy(file).getName()).isEqualTo("COLD");
    context.unsetStoragePolicy(file);
    assertThat(context.getAllStoragePolicies()).isEqualTo(stock.getAllStoragePolicies());
    Path snapshot = context.createSnapshot(folder, "one");
    context.renameSnapshot(folder, "one", "two");
    assertThat(all(stock.listStatus(new Path(snapshot.getParent(), "two")))).hasSize(1);
    context.deleteSnapshot(folder, "two");

    assertThat(context.getFileStatus(file)).isEqualTo(stock.getFileStatus(file));
    assertThat(context.getFileLinkStatus(file)).isEqualTo(stock.getFileLinkStatus(file));
    assertThat(context.getServerDefaults(file).getBlockSize())
        .isEqualTo(stock.getServerDefaults(file).getBlockSize());
    assertThat(context.getFsStatus(file).getCapacity())
        .isEqualTo(stock.getFsStatus(file).getCapacity());
    assertThat(context.getDelegationTokens(new Path("/"), "somebody"))
        .isEqualTo(stock.getDelegationTokens(new Path("/"), "somebody"));
    assertThat(context.getDefaultFileSystem().getCanonicalServiceName())
        .isEqualTo(stock.getDefaultFileSystem().getCanonicalServiceName())
        .isEqualTo(fs.getCanonicalServiceName());
    assertThat(context.getDefaultFileSystem().getUriDefaultPort())
        .isEqualTo(stock.getDefaultFileSystem().getUriDefaultPort());
    assertThat(context.getDefaultFileSystem().supportsSymlinks()).isTrue();
    assertThatThrownBy(() -> context.open(new Path("file:///elsewhere")))
        .isInstanceOf(java.io.FileNotFoundException.class);
    assertThatThrownBy(
            () -> context.getDefaultFileSystem().checkPath(new Path("hdfs://other:9/file")))
        .hasMessageContaining("Wrong FS");
    assertThat(all(context.listCorruptFileBlocks(folder))).isEmpty();
    assertThat(context.setReplication(file, (short) 2))
        .isEqualTo(stock.setReplication(file, (short) 2));

    FileSystem.Statistics statistics = FileContext.getStatistics(cluster.cluster().getURI());
    long before = statistics.getBytesRead();
    try (FSDataInputStream in = context.open(new Path(ORDERED))) {
      in.readAllBytes();
    }
    assertThat(statistics.getBytesRead() - before).isGreaterThanOrEqualTo(LENGTH);
    assertThat(context.delete(folder, /* recursive= */ true)).isTrue();
  }
}

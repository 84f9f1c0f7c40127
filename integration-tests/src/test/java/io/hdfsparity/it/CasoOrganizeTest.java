/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.hdfsparity.caso.fs.CasoClientFeature;
import io.hdfsparity.caso.fs.RewritePoints;
import io.hdfsparity.caso.fs.RewritePoints.Point;
import io.hdfsparity.caso.layout.LayoutIndex;
import io.hdfsparity.caso.layout.LayoutPointer;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileRange;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Files that change the order of their cells, on one cluster. */
@Tag("full")
class CasoOrganizeTest extends CasoOrganizeFixture {
  @Test
  void bytesAndAttributesStayThroughOrganizeAndRestore() throws Exception {
    byte[] bytes = cluster.make("/a/f", 1, 8 * MiniCaso.CELL_BYTES);
    Path file = new Path("/a/f");
    stock.setPermission(file, new FsPermission((short) 0640));
    stock.setOwner(file, "somebody", "some");
    stock.setXAttr(file, "user.mine", new byte[] {1, 2});
    stock.setTimes(file, 1_000_000_000_000L, 1_000_000_001_000L);
    FileStatus before = stock.getFileStatus(file);
    cluster.organize("/a/f");
    FileStatus after = stock.getFileStatus(file);
    assertThat(after.getLen()).isEqualTo(before.getLen());
    assertThat(after.getPermission()).isEqualTo(before.getPermission());
    assertThat(after.getOwner() + after.getGroup()).isEqualTo("somebodysome");
    assertThat(after.getModificationTime()).isEqualTo(before.getModificationTime());
    assertThat(stock.getXAttrs(file).get("user.mine")).containsExactly(1, 2);
    assertThat(stock.getXAttrs(new Path("/a"))).isEmpty();
    assertNothingLeft("/a");
    // The cells are stored in another order, which a stock client is not given.
    byte[] stored = StoredBytes.read(stock, "/a/f");
    assertThat(Arrays.equals(stored, bytes)).isFalse();
    assertThat(stock.getErasureCodingPolicy(file).getName()).isEqualTo(MiniCaso.POLICY);
    assertThat(read(caso, "/a/f")).isEqualTo(bytes);
    readInAllWays("/a/f", bytes);
    assertThat(cluster.run("-show", "/a/f", "-at", "0")).contains("/a/f, sound", "inode ");
    refusesToChangeIt(file);
    // The index is found wherever the file goes.
    stock.mkdirs(new Path("/elsewhere"));
    stock.rename(file, new Path("/elsewhere/g"));
    assertThat(read(caso, "/elsewhere/g")).isEqualTo(bytes);
    stock.rename(new Path("/a"), new Path("/b"));
    assertThat(read(caso, "/elsewhere/g")).isEqualTo(bytes);
    stock.rename(new Path("/elsewhere/g"), new Path("/b/f"));
    cluster.organize("/b/f");
    assertThat(read(caso, "/b/f")).isEqualTo(bytes);
    assertNothingLeft("/b");
    long organized = cluster.inode("/b/f");
    restore("/b/f");
    cluster.awaitNoIndex(organized);
    assertThat(read(stock, "/b/f")).isEqualTo(bytes);
    assertThat(read(caso, "/b/f")).isEqualTo(bytes);
    assertNothingLeft("/b");
    assertThat(stock.getXAttrs(new Path("/b/f")).get("user.mine")).containsExactly(1, 2);
    assertThat(cluster.run("-restore", "/b/f")).contains("stored in its own order");
  }

  @Test
  void aFileIsWrittenAnewInTheOrderThatItIsIn() throws Exception {
    byte[] bytes = cluster.make("/anew/f", 5);
    List<Long> blocks = blocks("/anew/f");
    final long forced = Metrics.forcedBlocks(cluster.cluster());
    assertThat(cluster.run("-rewrite", "/anew/f")).contains("Rewritten: /anew/f");
    assertThat(Metrics.forcedBlocks(cluster.cluster()) - forced)
        .as("units of the copy that were forced before the others were given up")
        .isGreaterThanOrEqualTo(MiniCaso.UNITS);
    assertThat(blocks("/anew/f")).doesNotContainAnyElementsOf(blocks);
    assertThat(read(stock, "/anew/f")).isEqualTo(bytes);
    cluster.organize("/anew/f");
    blocks = blocks("/anew/f");
    byte[] stored = StoredBytes.read(stock, "/anew/f");
    LayoutIndex before = index("/anew/f");
    cluster.run("-rewrite", "/anew/f");
    assertThat(blocks("/anew/f")).doesNotContainAnyElementsOf(blocks);
    assertThat(StoredBytes.read(stock, "/anew/f")).isEqualTo(stored);
    assertThat(read(caso, "/anew/f")).isEqualTo(bytes);
    assertThat(index("/anew/f").order()).isEqualTo(before.order());
    assertThat(index("/anew/f").origin()).isEqualTo(before.origin());
    assertNothingLeft("/anew");
  }

  /**
   * Such a file has more than a block group by an append: its writer would have waited for ever.
   */
  @Test
  void aBlockSizeThatIsNoMultipleOfACellIsRoundedUp() throws Exception {
    Path file = new Path("/odd/f");
    byte[] bytes = MiniLevels.bytes(2 * 20_000, 6);
    int blockBytes = 2 * MiniCaso.CELL_BYTES + 512;
    stock.mkdirs(file.getParent());
    stock.setErasureCodingPolicy(file.getParent(), MiniCaso.POLICY);
    try (OutputStream out = stock.createFile(file).blockSize(blockBytes).build()) {
      out.write(bytes, 0, bytes.length / 2);
    }
    try (OutputStream out =
        stock.append(file, EnumSet.of(CreateFlag.APPEND, CreateFlag.NEW_BLOCK), 4096, null)) {
      out.write(bytes, bytes.length / 2, bytes.length / 2);
    }
    String printed =
        assertTimeoutPreemptively(Duration.ofMinutes(2), () -> cluster.run("-rewrite", "/odd/f"));
    assertThat(printed).contains("Rewritten: /odd/f");
    assertThat(bytes(file)).isEqualTo(bytes);
    assertThat(stock.getFileStatus(file).getBlockSize()).isEqualTo(3 * MiniCaso.CELL_BYTES);
    assertNothingLeft("/odd");
  }

  private static List<Long> blocks(String path) throws IOException {
    return StoredBytes.blocks(stock, path).stream()
        .map(block -> block.getBlock().getBlockId())
        .toList();
  }

  @Test
  void aFileThatIsUsedInAnotherWayIsReorganizedWhereItGains() throws Exception {
    byte[] bytes = cluster.make("/w/f", 10);
    String newer = cluster.trace(1);
    assertThat(cluster.fail("-reorganize", "/w/f", "-trace", newer))
        .contains("expected a file in stored order");
    cluster.organize("/w/f");
    LayoutIndex before = index("/w/f");
    assertThat(cluster.run("-reorganize", "/w/f", "-trace", trace)).contains("Left as it is");
    assertThat(index("/w/f")).isEqualTo(before);
    assertThat(cluster.run("-reorganize", "/w/f", "-trace", newer)).contains("Changed:", "Stored:");
    LayoutIndex after = index("/w/f");
    assertThat(after.order()).isNotEqualTo(before.order());
    assertThat(after.origin()).contains("stripes reorganized", before.origin());
    int same = 0;
    for (long cell = 0; cell < before.order().cellCount(); cell++) {
      same += before.order().storedCell(cell) == after.order().storedCell(cell) ? 1 : 0;
    }
    // Few of 161 cells have to move for three triples.
    assertThat(same).isGreaterThan(120);
    assertThat(read(caso, "/w/f")).isEqualTo(bytes);
    assertNothingLeft("/w");
    restore("/w/f");
    assertThat(read(stock, "/w/f")).isEqualTo(bytes);
  }

  private static void readInAllWays(String path, byte[] bytes) throws Exception {
    Random random = new Random(7);
    try (FSDataInputStream in = caso.open(new Path(path))) {
      for (int i = 0; i < 30; i++) {
        int from = random.nextInt(LENGTH);
        int count = 1 + random.nextInt(Math.min(LENGTH - from, 5 * MiniCaso.CELL_BYTES));
        byte[] got = new byte[count];
        if (i % 2 == 0) {
          in.readFully(from, got);
        } else {
          in.seek(from);
          in.readFully(got);
        }
        assertThat(got).isEqualTo(Arrays.copyOfRange(bytes, from, from + count));
      }
      List<FileRange> ranges =
          List.of(
              FileRange.createFileRange(10, 5000),
              FileRange.createFileRange(100_000, 1),
              FileRange.createFileRange(400_000, 30_000));
      in.readVectored(ranges, ByteBuffer::allocate);
      for (FileRange range : ranges) {
        ByteBuffer data = range.getData().get(120, TimeUnit.SECONDS);
        byte[] got = new byte[data.remaining()];
        data.get(got);
        int from = (int) range.getOffset();
        assertThat(got).isEqualTo(Arrays.copyOfRange(bytes, from, from + range.getLength()));
      }
    }
    try (FSDataInputStream in = caso.openFile(new Path(path)).build().get(120, TimeUnit.SECONDS)) {
      byte[] got = new byte[LENGTH];
      in.readFully(0, got);
      assertThat(got).isEqualTo(bytes);
    }
    FileStatus status = caso.getFileStatus(new Path(path));
    try (FSDataInputStream in = caso.open(caso.getPathHandle(status))) {
      byte[] got = new byte[LENGTH];
      in.readFully(got);
      assertThat(got).isEqualTo(bytes);
    }
  }

  private static void refusesToChangeIt(Path file) throws IOException {
    assertThatThrownBy(() -> caso.append(file)).hasMessageContaining("hdfs caso -restore");
    assertThatThrownBy(() -> caso.appendFile(file).build())
        .hasMessageContaining("hdfs caso -restore");
    assertThatThrownBy(() -> caso.truncate(file, 1)).hasMessageContaining("hdfs caso -restore");
    assertThatThrownBy(() -> caso.concat(file, new Path[] {new Path("/x")}))
        .hasMessageContaining("hdfs caso -restore");
    assertThat(caso.getFileChecksum(file)).isNull();
  }

  @Test
  void aCrashAtAnyPointLeavesOneOfTheTwoOrders() throws Exception {
    byte[] bytes = cluster.make("/c/f", 2);
    for (Point point : Point.values()) {
      RewritePoints crash =
          at -> {
            if (at == point) {
              throw new Crash();
            }
          };
      assertThatThrownBy(() -> cluster.run(crash, "-organize", "/c/f", "-trace", trace))
          .as("%s", point)
          .isInstanceOf(Crash.class);
      assertThat(cluster.isOrdered("/c/f")).isEqualTo(point.compareTo(Point.SWAPPED) >= 0);
      assertThat(read(caso, "/c/f")).as("%s", point).isEqualTo(bytes);
      cluster.organize("/c/f");
      assertThat(read(caso, "/c/f")).isEqualTo(bytes);
      assertNothingLeft("/c");
      if (point != Point.INDEXED) {
        assertThatThrownBy(() -> cluster.run(crash, "-restore", "/c/f"))
            .as("%s", point)
            .isInstanceOf(Crash.class);
        assertThat(cluster.isOrdered("/c/f")).isEqualTo(point.compareTo(Point.SWAPPED) < 0);
        assertThat(read(caso, "/c/f")).as("%s", point).isEqualTo(bytes);
      }
      restore("/c/f");
      assertThat(read(stock, "/c/f")).isEqualTo(bytes);
      assertNothingLeft("/c");
    }
  }

  /** The copy is made elsewhere, for the disks that the directory of the file asks for. */
  @Test
  void theStoragePolicyIsThatOfTheDirectory() throws Exception {
    byte[] bytes = cluster.make("/p/f", 13);
    Path directory = new Path("/p");
    stock.setStoragePolicy(directory, "ALL_SSD");
    List<String> placedBy = new ArrayList<>();
    RewritePoints look =
        at -> {
          if (at == Point.WRITING) {
            try {
              Path copy = new Path("/.caso/work", cluster.leftovers().get(0));
              placedBy.add(stock.getStoragePolicy(copy).getName());
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
          }
        };
    assertThat(cluster.run(look, "-organize", "/p/f", "-trace", trace)).as(cluster.err()).isZero();
    assertThat(placedBy).containsExactly("ALL_SSD");
    assertThat(stock.getStoragePolicy(new Path("/p/f")).getName()).isEqualTo("ALL_SSD");
    stock.unsetStoragePolicy(directory);
    assertThat(stock.getStoragePolicy(new Path("/p/f")).getName()).isEqualTo("HOT");
    assertThat(cluster.read("/p/f")).isEqualTo(bytes);
  }

  @Test
  void anInterruptLeavesTheFileAsItWas() throws Exception {
    byte[] bytes = cluster.make("/i/f", 3);
    RewritePoints interrupt =
        at -> {
          if (at == Point.WRITING) {
            Thread.currentThread().interrupt();
          }
        };
    int code = cluster.run(interrupt, "-organize", "/i/f", "-trace", trace);
    assertThat(Thread.interrupted()).isTrue();
    assertThat(code).isEqualTo(-1);
    assertThat(cluster.isOrdered("/i/f")).isFalse();
    assertThat(read(caso, "/i/f")).isEqualTo(bytes);
    assertNothingLeft("/i");
  }

  /** What a stock client appends while the file is copied is not lost. */
  @Test
  void aFileThatChangesMeanwhileIsNotReplaced() throws Exception {
    byte[] bytes = cluster.make("/l/f", 4);
    RewritePoints append =
        at -> {
          if (at == Point.VERIFIED) {
            try (OutputStream more = stock.appendFile(new Path("/l/f")).newBlock().build()) {
              more.write(7);
            } catch (IOException e) {
              throw new AssertionError(e);
            }
          }
        };
    assertThat(cluster.run(append, "-organize", "/l/f", "-trace", trace)).isEqualTo(-1);
    assertThat(cluster.err()).contains("Cannot replace a file by a copy of it: differing=");
    byte[] longer = Arrays.copyOf(bytes, LENGTH + 1);
    longer[LENGTH] = 7;
    assertThat(MiniLevels.read(stock, "/l/f", LENGTH + 1)).isEqualTo(longer);
    assertNothingLeft("/l");
  }

  /** Whoever opens the file gets all its bytes in its order, or an error when it is replaced. */
  @Test
  void readersMeanwhileGetTheFileOrAnError() throws Exception {
    byte[] bytes = cluster.make("/r/f", 6);
    AtomicBoolean ends = new AtomicBoolean();
    AtomicInteger whole = new AtomicInteger();
    ExecutorService pool = Executors.newFixedThreadPool(3);
    List<Future<?>> readers = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      readers.add(
          pool.submit(
              () -> {
                while (!ends.get()) {
                  byte[] got = new byte[LENGTH];
                  try (FSDataInputStream in = caso.open(new Path("/r/f"))) {
                    in.readFully(got);
                  } catch (IOException e) {
                    continue;
                  }
                  assertThat(Arrays.equals(got, bytes)).isTrue();
                  whole.incrementAndGet();
                }
                return null;
              }));
    }
    for (int i = 0; i < 3; i++) {
      cluster.organize("/r/f");
      restore("/r/f");
    }
    // On a slow machine each read so far may have met a change.
    await("a reader has read it").until(() -> whole.get() > 0);
    ends.set(true);
    pool.shutdown();
    for (Future<?> reader : readers) {
      reader.get(120, TimeUnit.SECONDS);
    }
    assertThat(whole.get()).isPositive();
  }

  /** The index that a reader has learned of is deleted before it reads it. */
  @Test
  void anOpenWhoseFileIsReplacedMeanwhileIsTriedAgain() throws Exception {
    byte[] bytes = cluster.make("/late/f", 7);
    cluster.organize("/late/f");
    AtomicBoolean isReplaced = new AtomicBoolean();
    try (DFSClient client =
            new DFSClient(stock.getUri(), cluster.clientConf()) {
              @Override
              public Map<String, byte[]> getXAttrs(String src) throws IOException {
                Map<String, byte[]> attributes = super.getXAttrs(src);
                if (attributes.containsKey(LayoutPointer.XATTR)
                    && isReplaced.compareAndSet(false, true)) {
                  restore("/late/f");
                }
                return attributes;
              }
            };
        FSDataInputStream in =
            new CasoClientFeature().orderedFiles(client).orElseThrow().open("/late/f")) {
      assertThat(in.readAllBytes()).isEqualTo(bytes);
    }
    assertThat(isReplaced).isTrue();
  }

  /** What would be decoded in the place of a unit is what parity claims. */
  @Test
  void aFileOneOfWhoseDataUnitsIsNotThereIsNotCopied() throws IOException {
    byte[] bytes = cluster.make("/degraded/f", 77);
    long inode = cluster.inode("/degraded/f");
    LocatedStripedBlock group =
        (LocatedStripedBlock) StoredBytes.blocks(stock, "/degraded/f").get(0);
    int at = 0;
    while (group.getBlockIndices()[at] != 0) {
      at++;
    }
    MiniDFSCluster.DataNodeProperties stopped =
        cluster.cluster().stopDataNode(group.getLocations()[at].getXferAddr());
    // The NameNode does not know yet that the node is down; the stream finds out.
    assertThat(cluster.fail("-organize", "/degraded/f", "-trace", trace))
        .contains("decodings=", "bring its DataNodes back");
    assertThat(cluster.inode("/degraded/f")).isEqualTo(inode);
    assertThat(cluster.cluster().restartDataNode(stopped, /* keepPort= */ true)).isTrue();
    cluster.cluster().waitActive();
    cluster.organize("/degraded/f");
    assertThat(cluster.inode("/degraded/f")).isNotEqualTo(inode);
    assertThat(cluster.read("/degraded/f")).isEqualTo(bytes);
  }
}

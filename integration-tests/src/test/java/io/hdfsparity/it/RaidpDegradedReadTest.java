/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.hdfsparity.ParityFileSystem;
import io.hdfsparity.raidp.lstord.LstorDaemon;
import io.hdfsparity.raidp.wire.NotLostException;
import io.hdfsparity.raidp.wire.RangeClientTranslator;
import io.hdfsparity.raidp.wire.ReadClientTranslator;
import io.hdfsparity.raidp.wire.message.PeerAddress;
import io.hdfsparity.raidp.wire.message.RangeRequest;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.BlockMissingException;
import org.apache.hadoop.hdfs.DecodeCount;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.SecretManager.InvalidToken;
import org.apache.hadoop.security.token.Token;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two disks of a superchunk fail, then a third one, and nothing is rebuilt: the suite's client
 * reads every byte all the same, and nobody reads what he may not.
 */
@Tag("full")
@Timeout(900)
class RaidpDegradedReadTest {
  private static final int BLOCK = 2 << 20;

  /** Nearly every two disks share a superchunk, so that a third disk has blocks of both others. */
  private static final MiniRaidp.Shape SHAPE =
      new MiniRaidp.Shape(8, 1, 1, 8, 16L << 20, 1 << 16, BLOCK);

  @TempDir Path root;

  @Test
  void lostBlocksAreReadAtOnce() throws Exception {
    Configuration extra = new Configuration(false);
    extra.set("dfs.parity.raidp.layout.spare.share", "0");
    extra.set("dfs.parity.raidp.layout.recovery.room.disks", "0");
    extra.setBoolean("dfs.block.access.token.enable", true);
    extra.setInt("dfs.client.retry.window.base", 100);
    try (MiniRaidp raidp = MixedFiles.start(root, SHAPE, extra)) {
      LstorDaemon lstors = Daemons.startLstors(raidp);
      MixedFiles files = new MixedFiles(raidp, 77);
      files.protect();
      files.fill(MixedFiles.PROTECTED, 40);
      MiniRaidp.await("all replicas")
          .untilAsserted(
              () -> {
                for (String path : files.paths()) {
                  assertThat(Soundness.blocksOf(raidp, path))
                      .allMatch(block -> block.getLocations().length == 2);
                }
              });
      MiniRaidp.await("all is covered").until(() -> raidp.admin("-fsck").exitCode() == 0);
      List<Integer> triangle = triangle(raidp, files);
      try (FileSystem suite = suite(raidp)) {
        fail(raidp, triangle.get(0), triangle.get(1));
        MiniRaidp.await("blocks are lost").until(() -> !lost(raidp, files).isEmpty());
        List<String> lost = lost(raidp, files);
        awaitReadable(suite, files, lost.get(0));
        computedBytesAreCounted(suite, files, lost);
        measure(suite, files, lost);
        allIsRead(suite, files);
        stockFails(raidp, lost.get(0));
        onlyForWhoMayRead(raidp, lost.get(0));

        fail(raidp, triangle.get(2));
        MiniRaidp.await("blocks of the third disk are lost")
            .until(() -> lost(raidp, files).size() > lost.size());
        for (String path : lost(raidp, files)) {
          awaitReadable(suite, files, path);
        }
        allIsRead(suite, files);
        lstors.close();
        missingLstorsAreNamed(suite, lost.get(0));
      }
    }
  }

  /** To the manager the block looks like one that RAIDP never had, as no Lstor can be read. */
  private static void missingLstorsAreNamed(FileSystem suite, String path) {
    MiniRaidp.await("an error that says what to do")
        .untilAsserted(
            () ->
                assertThatThrownBy(() -> read(suite, path))
                    .isInstanceOf(BlockMissingException.class)
                    .hasMessageContaining("nobody can read Lstor of disk ")
                    .hasMessageContaining("does not report any more")
                    .hasMessageContaining("hdfs --daemon start lstor"));
  }

  private static FileSystem suite(MiniRaidp raidp) throws IOException {
    return client(raidp, true);
  }

  private static FileSystem client(MiniRaidp raidp, boolean readsDegraded) throws IOException {
    Configuration conf = new Configuration(raidp.conf());
    conf.set("fs.hdfs.impl", ParityFileSystem.class.getName());
    conf.setBoolean("dfs.parity.raidp.client.degraded.reads", readsDegraded);
    return FileSystem.newInstance(raidp.fs().getUri(), conf);
  }

  /** Three nodes of which each two have some block in common. */
  private static List<Integer> triangle(MiniRaidp raidp, MixedFiles files) throws IOException {
    Set<List<Integer>> pairs = new HashSet<>();
    for (String path : files.paths()) {
      for (LocatedBlock block : Soundness.blocksOf(raidp, path)) {
        pairs.add(
            Arrays.stream(block.getLocations())
                .map(node -> FailedDisks.nodeIndex(node.getHostName()))
                .sorted()
                .toList());
      }
    }
    for (int a = 0; a < SHAPE.nodes(); a++) {
      for (int b = a + 1; b < SHAPE.nodes(); b++) {
        for (int c = b + 1; c < SHAPE.nodes(); c++) {
          if (pairs.containsAll(List.of(List.of(a, b), List.of(a, c), List.of(b, c)))) {
            return List.of(a, b, c);
          }
        }
      }
    }
    throw new AssertionError("no three disks have blocks in common pairwise: " + pairs);
  }

  private static void fail(MiniRaidp raidp, Integer... nodes) throws Exception {
    Set<String> hit = FailedDisks.superchunksOf(raidp, Set.of(nodes));
    for (int node : nodes) {
      raidp.failDisk(node, 0);
    }
    MiniRaidp.await("failures noticed")
        .untilAsserted(
            () -> {
              for (JsonNode chunk : raidp.admin("-layout", "-json").json().path("superchunks")) {
                if (hit.contains(chunk.path("id").asText())) {
                  assertThat(chunk.path("state").asText()).isNotEqualTo("ACTIVE");
                }
              }
            });
  }

  /** Files with a block that the NameNode knows no replica of. */
  private static List<String> lost(MiniRaidp raidp, MixedFiles files) throws IOException {
    Set<String> lost = new TreeSet<>();
    for (String path : files.paths()) {
      if (Soundness.blocksOf(raidp, path).stream().anyMatch(b -> b.getLocations().length == 0)) {
        lost.add(path);
      }
    }
    return List.copyOf(lost);
  }

  /** The manager learns from the daemon that the Lstors of failed disks can be read. */
  private static void awaitReadable(FileSystem suite, MixedFiles files, String path) {
    AtomicReference<byte[]> bytes = new AtomicReference<>();
    // What is read too early is an error, and never wrong.
    MiniRaidp.await("a lost block")
        .ignoreExceptions()
        .until(
            () -> {
              bytes.set(read(suite, path));
              return true;
            });
    assertThat(bytes.get()).as(path).isEqualTo(files.contents().get(path));
  }

  private static byte[] read(FileSystem fs, String path) throws IOException {
    try (FSDataInputStream in = fs.open(new org.apache.hadoop.fs.Path(path))) {
      return in.readAllBytes();
    }
  }

  /** A copy for a swap is not made of them: the swap would delete what can contradict them. */
  private static void computedBytesAreCounted(FileSystem suite, MixedFiles files, List<String> lost)
      throws IOException {
    for (String path : files.paths()) {
      byte[] content = files.contents().get(path);
      HdfsDataInputStream[] streams = new HdfsDataInputStream[2];
      for (int i = 0; i < 2; i++) {
        try (FSDataInputStream in = suite.open(new org.apache.hadoop.fs.Path(path))) {
          streams[i] = (HdfsDataInputStream) in;
          DecodeCount.begin(streams[i]);
          if (i == 0) {
            assertThat(in.readAllBytes()).as(path).isEqualTo(content);
          } else {
            byte[] read = new byte[content.length];
            in.readFully(0, read);
            assertThat(read).as(path).isEqualTo(content);
          }
        }
        if (lost.contains(path)) {
          assertThat(DecodeCount.of(streams[i])).as(path).isPositive();
        } else {
          assertThat(DecodeCount.of(streams[i])).as(path).isZero();
        }
      }
    }
  }

  private static void measure(FileSystem suite, MixedFiles files, List<String> lost)
      throws IOException {
    List<Long> millis = new ArrayList<>();
    for (String path : lost) {
      byte[] first = new byte[Math.min(1 << 20, files.contents().get(path).length)];
      long start = System.nanoTime();
      try (FSDataInputStream in = suite.open(new org.apache.hadoop.fs.Path(path))) {
        in.readFully(0, first);
      }
      millis.add((System.nanoTime() - start) / 1_000_000);
    }
    System.out.println("first MiB of files with a lost block, ms: " + millis);
  }

  /** Whole streams, seeks, and positional reads at odd offsets across blocks. */
  private static void allIsRead(FileSystem suite, MixedFiles files) throws IOException {
    Random random = new Random(5);
    for (Map.Entry<String, byte[]> file : files.contents().entrySet()) {
      byte[] content = file.getValue();
      assertThat(read(suite, file.getKey())).as(file.getKey()).isEqualTo(content);
      try (FSDataInputStream in = suite.open(new org.apache.hadoop.fs.Path(file.getKey()))) {
        for (int i = 0; i < 4; i++) {
          int offset = random.nextInt(content.length);
          int length = 1 + random.nextInt(content.length - offset);
          byte[] expected = Arrays.copyOfRange(content, offset, offset + length);
          byte[] bytes = new byte[length];
          if (i % 2 == 0) {
            in.readFully(offset, bytes);
          } else {
            in.seek(offset);
            in.readFully(bytes);
          }
          assertThat(bytes).as("%s at %d", file.getKey(), offset).isEqualTo(expected);
          ByteBuffer direct = ByteBuffer.allocateDirect(length);
          in.readFully(offset, direct);
          byte[] copied = new byte[length];
          direct.flip().get(copied);
          assertThat(copied).as("%s at %d", file.getKey(), offset).isEqualTo(expected);
        }
      }
    }
  }

  private static void stockFails(MiniRaidp raidp, String path) throws IOException {
    assertThatThrownBy(() -> raidp.read(path)).isInstanceOf(BlockMissingException.class);
    try (FileSystem switchedOff = client(raidp, false)) {
      assertThatThrownBy(() -> read(switchedOff, path)).isInstanceOf(BlockMissingException.class);
    }
  }

  private static void onlyForWhoMayRead(MiniRaidp raidp, String path) throws Exception {
    LocatedBlock lost =
        Soundness.blocksOf(raidp, path).stream()
            .filter(block -> block.getLocations().length == 0)
            .findFirst()
            .orElseThrow();
    raidp.fs().setPermission(new org.apache.hadoop.fs.Path(path), new FsPermission((short) 0600));
    raidp.write("/foreign", new byte[10]);
    UserGroupInformation mallory =
        UserGroupInformation.createUserForTesting("mallory", new String[] {"users"});
    mallory.doAs(
        (PrivilegedExceptionAction<Void>)
            () -> {
              try (FileSystem fs = suite(raidp)) {
                assertThatThrownBy(() -> read(fs, path)).isInstanceOf(AccessControlException.class);
              }
              return null;
            });
    List<PeerAddress> decoders = decoders(raidp, lost.getBlock());
    assertThat(decoders).isNotEmpty();
    Token<BlockTokenIdentifier> good = lost.getBlockToken();
    byte[] forged = good.getPassword().clone();
    forged[3] ^= 1;
    LocatedBlock foreign = Soundness.blocksOf(raidp, "/foreign").get(0);
    try (RangeClientTranslator decoder = decoder(raidp, decoders.get(0))) {
      assertThat(decoder.readRange(new RangeRequest(lost.getBlock(), good, 0, 1))).hasSize(1);
      for (Token<BlockTokenIdentifier> bad :
          List.of(
              new Token<BlockTokenIdentifier>(),
              new Token<BlockTokenIdentifier>(
                  good.getIdentifier(), forged, good.getKind(), good.getService()),
              new Token<BlockTokenIdentifier>(
                  new byte[] {1, 2, 3}, forged, good.getKind(), good.getService()),
              foreign.getBlockToken())) {
        assertThatThrownBy(() -> decoder.readRange(new RangeRequest(lost.getBlock(), bad, 0, 1)))
            .isInstanceOf(InvalidToken.class);
      }
      assertThatThrownBy(
              () ->
                  decoder.readRange(
                      new RangeRequest(foreign.getBlock(), foreign.getBlockToken(), 0, 1)))
          .isInstanceOf(NotLostException.class);
      for (int count : new int[] {0, -1, RangeRequest.MAX_BYTES + 1, Integer.MAX_VALUE}) {
        assertThatThrownBy(
                () -> decoder.readRange(new RangeRequest(lost.getBlock(), good, 0, count)))
            .hasMessageContaining("expected 1.." + RangeRequest.MAX_BYTES);
      }
      for (long offset : new long[] {lost.getBlockSize(), -1, Long.MAX_VALUE}) {
        assertThatThrownBy(
                () -> decoder.readRange(new RangeRequest(lost.getBlock(), good, offset, 1)))
            .isInstanceOf(IOException.class)
            .hasMessageContaining("offset");
      }
      ExtendedBlock older = new ExtendedBlock(lost.getBlock());
      older.setGenerationStamp(older.getGenerationStamp() - 1);
      assertThatThrownBy(() -> decoder.readRange(new RangeRequest(older, good, 0, 1)))
          .hasMessageContaining("locate the block again");
    }
  }

  private static List<PeerAddress> decoders(MiniRaidp raidp, ExtendedBlock block)
      throws IOException {
    InetSocketAddress manager =
        NetUtils.createSocketAddr(raidp.conf().get("dfs.parity.namenode.rpc-address"));
    try (ReadClientTranslator client = new ReadClientTranslator(manager, raidp.conf(), 20_000)) {
      return client.findDecoders(block.getBlockPoolId(), block.getBlockId());
    }
  }

  private static RangeClientTranslator decoder(MiniRaidp raidp, PeerAddress decoder)
      throws IOException {
    return new RangeClientTranslator(
        new InetSocketAddress(decoder.host(), decoder.port()),
        raidp.conf(),
        UserGroupInformation.createUserForTesting("mallory", new String[] {"users"}),
        60_000);
  }
}

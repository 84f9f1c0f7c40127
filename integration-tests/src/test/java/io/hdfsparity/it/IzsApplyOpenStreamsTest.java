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

import io.hdfsparity.ParityFileSystem;
import io.hdfsparity.izs.apply.MovePoints;
import io.hdfsparity.izs.namenode.LevelManager;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenSecretManager;
import org.apache.hadoop.hdfs.security.token.block.SecurityTestUtil;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.ParityDatasetFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What streams get that were opened while a file was replicated, and come to blocks that they have
 * not asked for yet after {@code -apply} has written it anew as an erasure coded one.
 */
@Tag("full")
@Timeout(1200)
class IzsApplyOpenStreamsTest {
  private static final int GROUPS = 5;

  /**
   * In the fourth group, and in the first cells of a unit. A client asks for ten blocks at once.
   */
  private static final int FROM = 3 * MiniLevels.GROUP_BYTES + MiniLevels.CELL_BYTES + 1000;

  private static final int LENGTH = 2000;

  /** Where unit 0 of that group has what is so far from its start: a stripe further on. */
  private static final int TAKEN_FOR_IT =
      3 * MiniLevels.GROUP_BYTES + MiniLevels.K * MiniLevels.CELL_BYTES + 1000;

  private static byte[] write(FileSystem fs, Path file, int length) throws IOException {
    byte[] bytes = new byte[length];
    new Random(1).nextBytes(bytes);
    short copies = 2;
    try (OutputStream out =
        fs.create(file, /* overwrite= */ true, 4096, copies, MiniLevels.BLOCK_BYTES)) {
      out.write(bytes);
    }
    return bytes;
  }

  private static byte[] read(FSDataInputStream in) throws IOException {
    byte[] read = new byte[LENGTH];
    in.readFully(FROM, read);
    return read;
  }

  private static byte[] readOn(FSDataInputStream in) throws IOException {
    byte[] read = new byte[LENGTH];
    in.seek(FROM);
    in.readFully(read);
    return read;
  }

  /** Block tokens change nothing: the one of a group is good for its unit 0. */
  @ParameterizedTest
  @CsvSource({"false, false", "true, false", "true, true"})
  void whoHasTheFileOpen(boolean hasTokens, boolean isOurDataset, @TempDir java.nio.file.Path root)
      throws Exception {
    Map<String, String> more = new HashMap<>();
    more.put(DFSConfigKeys.DFS_BLOCK_ACCESS_TOKEN_ENABLE_KEY, Boolean.toString(hasTokens));
    if (isOurDataset) {
      more.put("dfs.datanode.fsdataset.factory", ParityDatasetFactory.class.getName());
    }
    try (MiniApply apply = MiniApply.start(root, LevelManager.class, more)) {
      Path file = new Path("/open/f");
      final byte[] bytes = write(apply.fs(), file, GROUPS * MiniLevels.GROUP_BYTES);
      Configuration ours = new Configuration(apply.conf());
      ours.setClass("fs.hdfs.impl", ParityFileSystem.class, FileSystem.class);
      try (FileSystem own = FileSystem.newInstance(apply.fs().getUri(), ours);
          FSDataInputStream stock = apply.fs().open(file);
          FSDataInputStream stockOn = apply.fs().open(file);
          FSDataInputStream checked = own.open(file);
          FSDataInputStream checkedOn = own.open(file)) {
        apply.want("/open", "code");
        for (List<String> args : List.of(List.of("/open"), List.of("/open", "-dryRun"))) {
          MiniApply.Run asked = apply.applyAsAsked(apply.conf(), MovePoints.NONE, args);
          assertThat(asked.code()).as("%s", asked.doc()).isEqualTo(-1);
          assertThat(asked.refusals("stale-readers")).as("%s", asked.doc()).isEqualTo(1);
          assertThat(apply.form("/open/f")).isEqualTo("replication 2");
        }
        MiniApply.Run run = apply.apply("/open");
        assertThat(run.code()).as("%s %s", run.doc(), run.err()).isZero();
        assertThat(apply.form("/open/f")).isEqualTo("ec RS-4-1-16k");

        assertThatThrownBy(() -> read(checked))
            .isInstanceOf(IOException.class)
            .hasMessageContaining("expected replicated, as when it was opened");
        assertThatThrownBy(() -> readOn(checkedOn))
            .isInstanceOf(IOException.class)
            .hasMessageContaining("expected replicated, as when it was opened");
        // It asks for all that is left of the block, which is more than there is.
        assertThatThrownBy(() -> readOn(stockOn)).isInstanceOf(IOException.class);
        if (isOurDataset) {
          assertThatThrownBy(() -> read(stock)).isInstanceOf(IOException.class);
        } else {
          assertThat(read(stock))
              .as("what docs/reference/mapping.md warns of")
              .isEqualTo(Arrays.copyOfRange(bytes, TAKEN_FOR_IT, TAKEN_FOR_IT + LENGTH));
        }
        apply.assertBytes("/open/f", bytes);
      }
    }
  }

  /**
   * A read of a block that the client has located, by a token that is good no more. Hadoop's
   * positional reads swallow what looking for a new one throws, and try the same DataNode again.
   */
  @Test
  void anExpiredTokenEndsInTheError(@TempDir java.nio.file.Path root) throws Exception {
    Map<String, String> more = Map.of(DFSConfigKeys.DFS_BLOCK_ACCESS_TOKEN_ENABLE_KEY, "true");
    try (MiniApply apply = MiniApply.start(root, LevelManager.class, more)) {
      Path file = new Path("/expired/f");
      // One block, as one group: a list of blocks that has both is out of order.
      byte[] bytes = write(apply.fs(), file, MiniLevels.BLOCK_BYTES);
      Configuration ours = new Configuration(apply.conf());
      ours.setClass("fs.hdfs.impl", ParityFileSystem.class, FileSystem.class);
      BlockTokenSecretManager tokens =
          apply.levels().cluster().getNamesystem().getBlockManager().getBlockTokenSecretManager();
      try (FileSystem own = FileSystem.newInstance(apply.fs().getUri(), ours)) {
        SecurityTestUtil.setBlockTokenLifetime(tokens, 1000);
        try (FSDataInputStream in = own.open(file)) {
          LocatedBlock first = ((HdfsDataInputStream) in).getAllBlocks().get(0);
          SecurityTestUtil.setBlockTokenLifetime(tokens, 600_000);
          apply.want("/expired", "code");
          MiniApply.Run run = apply.apply("/expired");
          assertThat(run.code()).as("%s %s", run.doc(), run.err()).isZero();
          await("the token has expired")
              .until(() -> SecurityTestUtil.isBlockTokenExpired(first.getBlockToken()));
          byte[] read = new byte[LENGTH];
          assertThatThrownBy(
                  () ->
                      assertTimeoutPreemptively(
                          Duration.ofSeconds(120), () -> in.readFully(0, read)))
              .isInstanceOf(IOException.class)
              .hasMessageContaining("expected replicated, as when it was opened");
        }
      }
      apply.assertBytes("/expired/f", bytes);
    }
  }
}

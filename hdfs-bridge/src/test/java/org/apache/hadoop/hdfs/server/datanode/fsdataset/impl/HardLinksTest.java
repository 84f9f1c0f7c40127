/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.CopyOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.hdfs.server.datanode.FileIoProvider;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Copies of linked files are durable before they take the place of anything. */
class HardLinksTest {
  private static final String META = "blk_-16_7.meta";
  @TempDir Path root;
  private final RecordingIo io = new RecordingIo();
  private Path previous;
  private File block;
  private File meta;

  /** HDFS's own file operations, of which those that make something durable are noted. */
  private static final class RecordingIo extends FileIoProvider {
    final List<String> calls = new ArrayList<>();
    boolean isFailing;

    RecordingIo() {
      super(null, null);
    }

    @Override
    public void sync(FsVolumeSpi volume, FileOutputStream file) throws IOException {
      if (isFailing) {
        throw new IOException("Input/output error");
      }
      super.sync(volume, file);
      calls.add("force of " + file.getChannel().size() + " bytes");
    }

    @Override
    public void move(FsVolumeSpi volume, Path source, Path target, CopyOption... options)
        throws IOException {
      super.move(volume, source, target, options);
      calls.add("rename to " + target.getFileName());
    }

    @Override
    public void replaceFile(FsVolumeSpi volume, File source, File target) throws IOException {
      super.replaceFile(volume, source, target);
      calls.add("rename to " + target.getName());
    }

    @Override
    public void dirSync(FsVolumeSpi volume, File directory) throws IOException {
      super.dirSync(volume, directory);
      calls.add("force of " + directory.getName());
    }
  }

  @BeforeEach
  void make() throws IOException {
    Path finalized = Files.createDirectories(root.resolve("current/finalized"));
    previous = Files.createDirectories(root.resolve("previous/finalized"));
    block = Files.write(finalized.resolve("blk_-16"), bytes(100_000)).toFile();
    meta = Files.write(finalized.resolve(META), bytes(789)).toFile();
  }

  private static byte[] bytes(int length) {
    byte[] bytes = new byte[length];
    new Random(length).nextBytes(bytes);
    return bytes;
  }

  private void link(File file) throws IOException {
    Files.createLink(previous.resolve(file.getName()), file.toPath());
  }

  private void breakLinks() throws IOException {
    HardLinks.breakLinks(io, null, block, meta);
  }

  @Test
  void copiesAreForcedBeforeTheyTakeThePlaceOfFiles() throws Exception {
    link(block);
    link(meta);
    breakLinks();
    assertThat(io.calls)
        .containsExactly(
            "force of 100000 bytes",
            "rename to blk_-16",
            "force of 789 bytes",
            "rename to " + META,
            "force of finalized");
    for (File file : List.of(block, meta)) {
      assertThat(io.getHardLinkCount(null, file)).isEqualTo(1);
      assertThat(file.toPath()).hasSameBinaryContentAs(previous.resolve(file.getName()));
    }
    assertThat(block.getParentFile()).isDirectoryNotContaining("glob:**.unlinked");
  }

  /** A process may have broken links and been killed before their names were durable. */
  @Test
  void filesThatAreNotLinkedStayAndTheirNamesAreForced() throws Exception {
    breakLinks();
    assertThat(io.calls).containsExactly("force of finalized");
    io.calls.clear();
    link(meta);
    breakLinks();
    assertThat(io.calls)
        .containsExactly("force of 789 bytes", "rename to " + META, "force of finalized");
  }

  /** As at the next start after a crash in the middle of it. */
  @Test
  void aCopyThatCannotBeForcedTakesNoPlace() throws Exception {
    link(block);
    Files.write(block.toPath().resolveSibling("blk_-16.unlinked"), new byte[3]);
    io.isFailing = true;
    assertThatThrownBy(this::breakLinks).hasMessageContaining("Input/output error");
    assertThat(io.getHardLinkCount(null, block)).isEqualTo(2);
    assertThat(block.getParentFile()).isDirectoryNotContaining("glob:**.unlinked");
    io.isFailing = false;
    breakLinks();
    assertThat(block.toPath()).hasBinaryContent(bytes(100_000));
    assertThat(io.getHardLinkCount(null, block)).isEqualTo(1);
  }
}

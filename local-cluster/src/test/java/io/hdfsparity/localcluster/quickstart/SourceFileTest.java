/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.quickstart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.EOFException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SourceFileTest {
  @TempDir Path dir;
  private Path path;
  private SourceFile file;

  @BeforeEach
  void write() throws Exception {
    path = Files.write(dir.resolve("source"), new byte[] {1, 2, 3, 4, 5});
    file = SourceFile.of(path, "source", Files.readAttributes(path, BasicFileAttributes.class));
  }

  @Test
  void readsARange() throws Exception {
    assertThat(file.read(1, 3)).containsExactly(2, 3, 4);
  }

  @Test
  void isUnchangedUntilItChanges() throws Exception {
    file.requireUnchanged();
    Files.write(path, new byte[] {1, 2, 3, 4, 5, 6});
    assertThatThrownBy(file::requireUnchanged)
        .hasMessageContaining("length=6, expected 5")
        .hasMessageContaining(path.toString());
  }

  @Test
  void seesThatItWasWrittenAgainWithTheSameLength() throws Exception {
    Files.setLastModifiedTime(path, FileTime.fromMillis(file.modifiedMs() + 5_000));
    assertThatThrownBy(file::requireUnchanged)
        .hasMessageContaining("written again")
        .hasMessageContaining(path.toString());
  }

  @Test
  void seesThatItIsGone() throws Exception {
    Files.delete(path);
    assertThatThrownBy(file::requireUnchanged)
        .hasMessageContaining("went away")
        .hasMessageContaining(path.toString());
  }

  @Test
  void saysWhenItHasBecomeShorter() throws Exception {
    Files.write(path, new byte[] {1});
    assertThatThrownBy(() -> file.read(0, 5))
        .isInstanceOf(EOFException.class)
        .hasMessageContaining("length=1, expected 5");
  }
}

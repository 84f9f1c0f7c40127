/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.quickstart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WorkspaceTest {
  @TempDir Path dir;

  @Test
  void isMadeAndGoesAwayAgain() throws Exception {
    Path folder = dir.resolve("a/b");
    Workspace workspace = Workspace.take(folder, line -> {});
    assertThat(folder).isDirectory();
    workspace.clear();
    assertThat(folder).doesNotExist();
    assertThat(folder.getParent()).isDirectory();
  }

  @Test
  void twoCannotHaveTheSame() throws Exception {
    Workspace first = Workspace.take(dir.resolve("x"), line -> {});
    assertThatThrownBy(() -> Workspace.take(dir.resolve("x"), line -> {}))
        .hasMessageContaining("another quickstart is at work");
    first.clear();
    Workspace.take(dir.resolve("x"), line -> {}).clear();
  }

  @Test
  void aFolderWithOtherThingsIsLeftAlone() throws Exception {
    Path precious = Files.writeString(dir.resolve("precious"), "x");
    assertThatThrownBy(() -> Workspace.take(dir, line -> {})).hasMessageContaining("not empty");
    assertThatThrownBy(() -> Workspace.take(precious, line -> {}))
        .hasMessageContaining("it is a file");
    assertThat(precious).hasContent("x");
    assertThat(dir.toFile().list()).containsExactly("precious");
  }

  @Test
  void whatOthersPutThereMeanwhileStays() throws Exception {
    Workspace workspace = Workspace.take(dir.resolve("x"), line -> {});
    Files.writeString(dir.resolve("x/note"), "mine");
    workspace.clear();
    assertThat(dir.resolve("x/note")).hasContent("mine");
  }
}

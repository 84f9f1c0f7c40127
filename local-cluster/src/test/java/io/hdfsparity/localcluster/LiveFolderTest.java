/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LiveFolderTest {
  @TempDir private Path folder;
  private Path tree;

  @BeforeEach
  void make() throws IOException {
    tree = folder.resolve("tree");
    for (String name : List.of("a/1", "a/2", "b/3", "b/c/4", "5")) {
      Path file = tree.resolve(name);
      Files.createDirectories(file.getParent());
      Files.writeString(file, name);
    }
  }

  @Test
  void allFilesAreVisited() throws Exception {
    List<String> found = new ArrayList<>();
    LiveFolder.visit(
        tree,
        (file, attributes) -> {
          assertThat(attributes.size()).isEqualTo(Files.size(file));
          found.add(tree.relativize(file).toString());
        });
    assertThat(found).containsExactlyInAnyOrder("a/1", "a/2", "b/3", "b/c/4", "5");
    LiveFolder.visit(folder.resolve("none"), (file, attributes) -> found.add("of nothing"));
    assertThat(found).hasSize(5);
  }

  /** Whichever is the first: all that is to come, in its folder and in others, is gone then. */
  @Test
  void whatGoesMeanwhileIsLeftOut() throws Exception {
    List<Path> found = new ArrayList<>();
    LiveFolder.visit(
        tree,
        (file, attributes) -> {
          found.add(file);
          LiveFolder.delete(tree);
        });
    assertThat(found).hasSize(1);
    assertThat(tree).doesNotExist();
  }

  @Test
  void anErrorOfTheVisitEndsIt() {
    assertThatThrownBy(
            () ->
                LiveFolder.visit(
                    tree,
                    (file, attributes) -> {
                      throw new IOException("enough");
                    }))
        .hasMessage("enough");
  }

  @Test
  void deletingFollowsNoLinks() throws Exception {
    Path kept = Files.createDirectory(folder.resolve("kept"));
    Files.writeString(kept.resolve("file"), "kept");
    Files.createSymbolicLink(tree.resolve("a/link"), kept);
    LiveFolder.delete(tree);
    assertThat(tree).doesNotExist();
    assertThat(kept.resolve("file")).hasContent("kept");
    LiveFolder.delete(tree);
  }
}

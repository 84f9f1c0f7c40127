/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.quickstart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileChoiceTest {
  @TempDir Path dir;

  private Path write(String name, int bytes) throws IOException {
    Path file = dir.resolve(name);
    Files.createDirectories(file.getParent());
    return Files.write(file, new byte[bytes]);
  }

  private static List<String> names(List<SourceFile> files) {
    return files.stream().map(SourceFile::name).toList();
  }

  @Test
  void takesAllFilesOfAFolderWithThoseBelowAndEmptyOnes() throws Exception {
    write("b", 5);
    write("a/x/y", 7);
    write("a/empty", 0);
    List<SourceFile> files = FileChoice.ofFolder(dir, List.of(dir.resolve("cluster")));
    assertThat(names(files)).containsExactly("a/empty", "a/x/y", "b");
    assertThat(FileChoice.totalBytes(files)).isEqualTo(12);
  }

  @Test
  void leavesTheFolderOfTheClusterOut() throws Exception {
    write("a", 1);
    write("cluster/data/blk_1", 1);
    assertThat(names(FileChoice.ofFolder(dir, List.of(dir.resolve("cluster")))))
        .containsExactly("a");
  }

  @Test
  void leavesFoldersOutThatAreReachedByALink() throws Exception {
    write("project/source", 1);
    write("project/run/quickstart-client.log", 1);
    write("project/target/cache/classes.jsa", 1);
    Path link = Files.createSymbolicLink(dir.resolve("link"), dir.resolve("project"));
    List<Path> own =
        List.of(
            dir.resolve("no-cluster-yet"),
            dir.resolve("project/run"),
            dir.resolve("project/target/cache"));
    assertThat(names(FileChoice.ofFolder(link, own))).containsExactly("source");
  }

  @Test
  void storesANameThatHdfsRefusesOrHasAlreadyUnderAnother() throws Exception {
    write("with:colon", 1);
    write("with%3Acolon", 1);
    write("x/bell\u0007", 1);
    List<SourceFile> files = FileChoice.ofFolder(dir, List.of(dir.resolve("cluster")));
    assertThat(names(files))
        .containsExactlyInAnyOrder("with%3Acolon", "with%253Acolon", "x/bell%07");
    for (SourceFile file : files) {
      assertThat(org.apache.hadoop.hdfs.DFSUtilClient.isValidName("/files/" + file.name()))
          .isTrue();
    }
  }

  @Test
  void followsALinkToAFile() throws Exception {
    Path target = write("data", 3);
    Path folder = Files.createDirectories(dir.resolve("links"));
    Files.createSymbolicLink(folder.resolve("link"), target);
    List<SourceFile> files = FileChoice.ofFolder(folder, List.of(dir.resolve("cluster")));
    assertThat(names(files)).containsExactly("link");
    assertThat(files.get(0).lengthBytes()).isEqualTo(3);
  }

  @Test
  void namesALinkToNowhereAndTheRule() throws Exception {
    write("good", 1);
    Files.createSymbolicLink(dir.resolve("dangling"), dir.resolve("gone"));
    assertThatThrownBy(() -> FileChoice.ofFolder(dir, List.of(dir.resolve("cluster"))))
        .isInstanceOf(QuickstartException.class)
        .hasMessageContaining(dir.resolve("dangling").toString())
        .hasMessageContaining("expected a regular file");
  }

  @Test
  void namesALoopOfLinks() throws Exception {
    write("good", 1);
    Files.createSymbolicLink(dir.resolve("loop"), dir);
    assertThatThrownBy(() -> FileChoice.ofFolder(dir, List.of(dir.resolve("cluster"))))
        .hasMessageContaining(dir.resolve("loop").toString())
        .hasMessageContaining("loop");
  }

  @Test
  void namesAPipeWithoutWaitingForIt() throws Exception {
    write("good", 1);
    Path pipe = dir.resolve("pipe");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    assertThatThrownBy(() -> FileChoice.ofFolder(dir, List.of(dir.resolve("cluster"))))
        .hasMessageContaining(pipe + ": it is no regular file, expected a regular file");
  }

  @Test
  void tellsHowManyMoreFilesAreBad() throws Exception {
    for (int i = 0; i < 8; i++) {
      Files.createSymbolicLink(dir.resolve("dangling" + i), dir.resolve("gone"));
    }
    assertThatThrownBy(() -> FileChoice.ofFolder(dir, List.of(dir.resolve("cluster"))))
        .hasMessageContaining("8 of them cannot be stored")
        .hasMessageContaining("dangling4")
        .hasMessageContaining("and 3 more")
        .hasMessageNotContaining("dangling5");
  }

  @Test
  void refusesWhatIsNoFolderOrEmpty() throws Exception {
    Path file = write("file", 1);
    Path empty = Files.createDirectories(dir.resolve("empty"));
    assertThatThrownBy(() -> FileChoice.ofFolder(file, List.of()))
        .hasMessageContaining("not a folder");
    assertThatThrownBy(() -> FileChoice.ofFolder(dir.resolve("none"), List.of()))
        .hasMessageContaining("does not exist");
    assertThatThrownBy(() -> FileChoice.ofFolder(empty, List.of())).hasMessageContaining("files=0");
  }

  @Test
  void takesModulesFirstAndJarsUntilThereIsEnough() throws Exception {
    write("jdk/jmods/java.base.jmod", 10);
    write("jdk/lib/modules", 20);
    write("jdk/lib/other.so", 30);
    write("m2/a/a.jar", 40);
    write("m2/a/a.pom", 1);
    List<SourceFile> files = FileChoice.ofThisMachine(dir.resolve("jdk"), dir.resolve("m2"));
    assertThat(names(files))
        .containsExactly(
            "jdk/jmods/java.base.jmod", "jdk/lib/modules", "maven/a/a.jar", "jdk/lib/other.so");
  }

  @Test
  void worksWithoutModulesAndRepositoryButNotWithoutAnything() throws Exception {
    write("jre/lib/rt.bin", 10);
    assertThat(names(FileChoice.ofThisMachine(dir.resolve("jre"), dir.resolve("none"))))
        .containsExactly("jdk/lib/rt.bin");
    assertThatThrownBy(() -> FileChoice.ofThisMachine(dir.resolve("x"), dir.resolve("y")))
        .hasMessageContaining("./quickstart DIR");
  }

  @Test
  void findsEnoughOnThisMachineAndNotTooMuch() throws Exception {
    List<SourceFile> files =
        FileChoice.ofThisMachine(
            Path.of(System.getProperty("java.home")),
            Path.of(System.getProperty("user.home"), ".m2", "repository"));
    assertThat(FileChoice.totalBytes(files)).isBetween(1L, FileChoice.MAX_BYTES);
  }
}

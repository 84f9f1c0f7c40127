/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.namenode.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.izs.config.AccessOptions;
import io.hdfsparity.izs.history.HistoryShape;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HistoryHomeTest {
  private static final HistoryShape SHAPE = new HistoryShape(60_000, 4, 16);

  @TempDir Path root;

  private static String mode(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }

  private static void open(Path directory) throws IOException {
    HistoryHome.open(directory, "cluster", SHAPE, 1).close();
  }

  @Test
  void nobodyElseEntersIt() throws IOException {
    Path made = root.resolve("a/b");
    open(made);
    assertThat(mode(made)).isEqualTo("rwx------");
    assertThat(mode(made.resolve("access-history"))).isEqualTo("rw-------");
    assertThat(mode(made.resolve("in_use.lock"))).isEqualTo("rw-------");
    // As an earlier version has left it.
    Files.setPosixFilePermissions(made, PosixFilePermissions.fromString("rwxr-xr-x"));
    Path file = made.resolve("access-history");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
    open(made);
    assertThat(mode(made)).isEqualTo("rwx------");
    assertThat(mode(file)).isEqualTo("rw-------");
  }

  @Test
  void aLinkIsRefused() throws IOException {
    Path elsewhere = Files.createDirectory(root.resolve("elsewhere"));
    Path link = Files.createSymbolicLink(root.resolve("link"), elsewhere);
    assertThatThrownBy(() -> open(link))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("mode 0700")
        .hasMessageContaining("dfs.parity.izs.access.dir")
        .hasMessageContaining("directory=" + link);
    assertThat(elsewhere).isEmptyDirectory();
  }

  private List<String> setAside(byte[] content, long lengthBytes) throws IOException {
    Path directory = Files.createTempDirectory(root, "home");
    try (RandomAccessFile file =
        new RandomAccessFile(directory.resolve("access-history").toFile(), "rw")) {
      file.write(content);
      file.setLength(lengthBytes);
    }
    try (HistoryHome home = HistoryHome.open(directory, "cluster", SHAPE, 77)) {
      assertThat(home.history().entries()).isZero();
      assertThat(home.file().sizeBytes()).isLessThan(1000);
    }
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  /** History is advice, not data: counting begins again, whatever is in the file. */
  @Test
  void aFileThatCannotBeReadIsSetAside() throws IOException {
    Path other = root.resolve("other");
    HistoryHome.open(other, "another cluster", SHAPE, 1).close();
    byte[] foreign = Files.readAllBytes(other.resolve("access-history"));
    byte[] newer = foreign.clone();
    newer[11] = 2;
    for (byte[] content : List.of(foreign, newer, new byte[0], new byte[5000])) {
      assertThat(setAside(content, content.length))
          .containsExactly("access-history", "access-history.aside-77", "in_use.lock");
    }
  }

  /** It was read into one array, and the error stopped all features at the NameNode's start. */
  @Test
  void aFileOfGigabytesIsSetAside() throws IOException {
    Path other = root.resolve("other");
    open(other);
    byte[] content = Files.readAllBytes(other.resolve("access-history"));
    assertThat(setAside(content, 3L << 30)).contains("access-history.aside-77");
  }

  @Test
  void itsHomeIsWhereTheNameNodeHasItsMetadata() {
    Configuration conf = new Configuration(false);
    conf.set("hadoop.tmp.dir", "/tmp/hadoop-of-anybody");
    conf.set("dfs.namenode.name.dir", "file:///data/1/dfs/name,file:///data/2/dfs/name");
    assertThat(AccessOptions.of(conf).directory()).isEqualTo(Path.of("/data/1/dfs/izs-access"));
    conf.set("dfs.parity.izs.access.dir", "/elsewhere");
    assertThat(AccessOptions.of(conf).directory()).isEqualTo(Path.of("/elsewhere"));
  }
}

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RuntimeImageTest {
  @Test
  void foldersBecomeJarsThatFollowTheirContent(@TempDir Path dir) throws IOException {
    Path classes = Files.createDirectories(dir.resolve("classes/webapps/hdfs"));
    Files.writeString(classes.resolve("index.html"), "one");
    Path jar = dir.resolve("other.jar");
    Files.writeString(jar, "");
    List<Path> entries = List.of(dir.resolve("classes"), jar);

    RuntimeImage first = RuntimeImage.withoutArchive(dir.resolve("cache"), entries);
    assertThat(first.classPath()).hasSize(2).contains(jar);
    try (JarFile packed = new JarFile(first.classPath().get(0).toFile())) {
      // Hadoop's web server looks for the entry of the folder.
      assertThat(packed.getEntry("webapps/hdfs/")).isNotNull();
      assertThat(packed.getInputStream(packed.getEntry("webapps/hdfs/index.html")))
          .hasContent("one");
    }
    assertThat(RuntimeImage.withoutArchive(dir.resolve("cache"), entries)).isEqualTo(first);
    Files.writeString(classes.resolve("index.html"), "two");
    assertThat(RuntimeImage.withoutArchive(dir.resolve("cache"), entries).classPath().get(0))
        .isNotEqualTo(first.classPath().get(0));
  }

  @Test
  void aRestartTakesTheArchiveThatWasMadeAndMakesNone(@TempDir Path dir) throws IOException {
    Path jar = dir.resolve("some.jar");
    Files.writeString(jar, "");
    Path cache = Files.createDirectories(dir.resolve("cache"));

    RuntimeImage plain = RuntimeImage.asMade(cache, List.of(jar));
    assertThat(plain.archive()).isNull();
    assertThat(cache).isEmptyDirectory();

    Path made = RuntimeImage.archive(cache, plain);
    Files.writeString(made, "");
    assertThat(RuntimeImage.asMade(cache, List.of(jar)).archive()).isEqualTo(made);
  }
}

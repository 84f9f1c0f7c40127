/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.quickstart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class QuickstartOptionsTest {
  private static QuickstartOptions parse(String... args) throws QuickstartException {
    return QuickstartOptions.parse(List.of(args), Path.of("/srv"), Path.of("/home/run/quickstart"));
  }

  @Test
  void withoutArguments() throws Exception {
    QuickstartOptions options = parse();
    assertThat(options.sourceDir()).isEmpty();
    assertThat(options.clusterDir()).isEqualTo(Path.of("/home/run/quickstart"));
    assertThat(options.keep()).isFalse();
    assertThat(options.httpPort()).isZero();
  }

  @Test
  void pathsAreRelativeToWhereTheUserIs() throws Exception {
    QuickstartOptions options =
        parse("a/../files", "--keep", "--cluster-dir", "c", "--http-port", "9870");
    assertThat(options.sourceDir()).contains(Path.of("/srv/files"));
    assertThat(options.clusterDir()).isEqualTo(Path.of("/srv/c"));
    assertThat(options.keep()).isTrue();
    assertThat(options.httpPort()).isEqualTo(9870);
    assertThat(parse("/abs").sourceDir()).contains(Path.of("/abs"));
    assertThat(parse("--", "--keep").sourceDir()).contains(Path.of("/srv/--keep"));
  }

  @Test
  void theFirstWordMayNameAChapter() throws Exception {
    assertThat(parse().chapter()).isEqualTo(ChapterName.RAIDP);
    assertThat(parse("files").chapter()).isEqualTo(ChapterName.RAIDP);
    assertThat(parse("raidp", "files").sourceDir()).contains(Path.of("/srv/files"));
    QuickstartOptions izs = parse("izs", "izs", "--keep");
    assertThat(izs.chapter()).isEqualTo(ChapterName.IZS);
    assertThat(izs.sourceDir()).contains(Path.of("/srv/izs"));
    assertThat(parse("izs").sourceDir()).isEmpty();
    assertThat(parse("ec-update").chapter()).isEqualTo(ChapterName.EC_UPDATE);
    assertThat(parse("caso").chapter()).isEqualTo(ChapterName.CASO);
    assertThat(parse("nbd").chapter()).isEqualTo(ChapterName.NBD);
    assertThat(parse("all").chapter()).isEqualTo(ChapterName.ALL);
    assertThat(parse("./izs").sourceDir()).contains(Path.of("/srv/izs"));
    assertThat(parse("./izs").chapter()).isEqualTo(ChapterName.RAIDP);
    assertThat(parse("--", "izs").sourceDir()).contains(Path.of("/srv/izs"));
  }

  @Test
  void refusesWhatItDoesNotKnow() {
    assertThatThrownBy(() -> parse("--kep")).hasMessageContaining("unknown option --kep");
    assertThatThrownBy(() -> parse("a", "b")).hasMessageContaining("twice");
    assertThatThrownBy(() -> parse("")).hasMessageContaining("empty");
    assertThatThrownBy(() -> parse("--cluster-dir")).hasMessageContaining("lacks its value");
    assertThatThrownBy(() -> parse("--http-port", "0")).hasMessageContaining("--http-port=0");
    assertThatThrownBy(() -> parse("a\0b"))
        .isInstanceOf(QuickstartException.class)
        .hasMessageContaining("DIR=a\0b, expected a path");
    assertThatThrownBy(() -> parse("--cluster-dir", "a\0b"))
        .isInstanceOf(QuickstartException.class)
        .hasMessageContaining("--cluster-dir=a\0b, expected a path");
    assertThatThrownBy(() -> parse("--http-port", "x")).hasMessageContaining("--http-port=x");
  }
}

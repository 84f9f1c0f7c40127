/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class QuickstartTest {
  @TempDir Path dir;

  /** A chapter that has taken its folder when something is thrown. */
  private static final class Failing extends Chapter {
    private final Runner runner;
    private final Throwable thrown;

    Failing(Runner runner, Throwable thrown) {
      super(ChapterName.RAIDP, runner, 1, NAME_WIDTH);
      this.runner = runner;
      this.thrown = thrown;
    }

    @Override
    ClusterPlan plan(List<SourceFile> chosen) {
      assertThat(runner.options().clusterDir()).isDirectory();
      if (thrown instanceof Error error) {
        throw error;
      }
      throw (RuntimeException) thrown;
    }

    @Override
    List<Step> steps() {
      return List.of(
          Step.of(
              "nothing is started",
              () -> {
                throw new AssertionError("nothing is started");
              }));
    }

    @Override
    List<String> commands() {
      return List.of();
    }
  }

  @Test
  void clearsAwayWhateverIsThrown() throws Exception {
    Path source = Files.createDirectories(dir.resolve("source"));
    Files.writeString(source.resolve("file"), "x");
    QuickstartOptions options =
        new QuickstartOptions(
            ChapterName.RAIDP, Optional.of(source), dir.resolve("cluster"), false, 0);
    for (Throwable thrown :
        List.of(new InternalError("no class"), new IllegalStateException("no state"))) {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      Screen screen = new Screen(new PrintStream(out, true, StandardCharsets.UTF_8), 0, 1);
      Runner runner = new Runner(options, dir, screen);
      int exitCode = Quickstart.run(runner, new Failing(runner, thrown));
      assertThat(exitCode).isEqualTo(1);
      assertThat(out.toString(StandardCharsets.UTF_8))
          .contains("FAILED  " + thrown, "Nothing is left running.");
      assertThat(options.clusterDir()).doesNotExist();
    }
  }
}

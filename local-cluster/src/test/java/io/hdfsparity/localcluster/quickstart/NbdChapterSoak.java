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
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The chapter on block devices, on a cluster of processes; needs the programs of {@link Tool}. */
@Tag("soak")
class NbdChapterSoak {
  @TempDir Path dir;

  @Test
  void everyByteComesBack() throws Exception {
    QuickstartOptions options =
        QuickstartOptions.parse(List.of("nbd"), dir, dir.resolve("cluster"));
    ByteArrayOutputStream shown = new ByteArrayOutputStream();
    Screen screen = new Screen(new PrintStream(shown, true, StandardCharsets.UTF_8), 0, 0);
    Runner runner = new Runner(options, Path.of("..").toAbsolutePath().normalize(), screen);
    int exitCode = Quickstart.run(runner, options.chapter().chapter(runner));
    assertThat(shown.toString(StandardCharsets.UTF_8))
        .contains("nothing was refused", "all 64.0 MB equal", "all parity right")
        .contains("EVERY BYTE CAME BACK", "Nothing is left running");
    assertThat(exitCode).isZero();
    assertThat(options.clusterDir()).doesNotExist();
  }
}

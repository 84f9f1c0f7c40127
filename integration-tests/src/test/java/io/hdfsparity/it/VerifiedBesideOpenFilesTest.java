/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.izs.config.VerifyKey;
import io.hdfsparity.izs.level.VerifyStatus;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Block groups of files that are open do not keep those of others from being verified. */
@Tag("full")
class VerifiedBesideOpenFilesTest {
  private static final int MAX_OPEN = 2;

  @Test
  void groupsBehindManyOpenFilesAreVerifiedAndTheseWhenTheyAreClosed(@TempDir Path root)
      throws Exception {
    Map<String, String> few = Map.of(VerifyKey.OPEN_GROUPS.key(), String.valueOf(MAX_OPEN));
    List<OutputStream> open = new ArrayList<>();
    try (VerifyingCluster verifying =
        VerifyingCluster.start(root, VerifyingCluster.DATA_UNITS + 1, few)) {
      org.apache.hadoop.fs.Path directory = verifying.directory("izs", 1);
      VerifyStatus before = verifying.status();
      for (int i = 0; i < 2 * MAX_OPEN + 1; i++) {
        OutputStream out =
            verifying.suite().create(new org.apache.hadoop.fs.Path(directory, "open-" + i));
        open.add(out);
        // More than a cell, so that there is a group.
        out.write(new byte[2 * VerifyingCluster.CELL_BYTES]);
      }
      verifying.repair().write(directory, "closed", VerifyingCluster.CELL_BYTES * 5 - 3);
      VerifyStatus after = verifying.awaitVerified(before, 1);
      assertThat(after.results().givenUp()).isZero();
      for (OutputStream out : open) {
        out.close();
      }
      verifying.awaitVerified(before, 1 + open.size());
    }
  }
}

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import io.hdfsparity.caso.admin.CasoAdmin;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/** {@code hdfs caso} on files of {@link MiniUpdates}. Stateless. */
final class CasoCommands {
  private CasoCommands() {}

  /** Runs a command: "done", or what it printed. */
  static String run(DistributedFileSystem fs, String... arguments) {
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    PrintStream to = new PrintStream(err, true, StandardCharsets.UTF_8);
    int code = new CasoAdmin(fs.getConf(), to, to).run(arguments);
    return code == 0 ? "done" : err.toString(StandardCharsets.UTF_8);
  }

  /** A trace: five quadruples of cells far apart, written in turn, a window each. */
  static String patterns() {
    StringBuilder text = new StringBuilder();
    for (int window = 0; window < 60; window++) {
      long pattern = window % 5;
      for (long cell : new long[] {pattern, 8 + 2 * pattern, 18 + 2 * pattern, 29 + 2 * pattern}) {
        text.append(window * 10_000L + 3).append(",h,0,Write,");
        text.append(MiniUpdates.CELL_BYTES * cell);
        text.append(",").append(MiniUpdates.CELL_BYTES).append(",0\n");
      }
    }
    return text.toString();
  }
}

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.macro;

import io.hdfsparity.localcluster.LiveFolder;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Logs of a cluster that is about to be removed after a failure. Stateless. */
final class KeptLogs {
  private static final int LAST_LINES = 3;
  private static final int SHOWN_CHARS = 400;

  /**
   * Of Hadoop's log, of the JDK's, of a JVM that ends, of what a stack trace begins with, and of a
   * command that refuses.
   */
  private static final Pattern TROUBLE =
      Pattern.compile(
          "\\b(?:ERROR|FATAL|SEVERE|WARNING:|OutOfMemoryError|\\w+Exception:)|^\\w+: Cannot ");

  private KeptLogs() {}

  /**
   * Moves the logs to a folder, in the place of those of the failure before, and prints where they
   * are and the last lines of trouble of each. Daemons that run go on writing there.
   */
  static void keep(Path logs, Path to, PrintStream err) throws IOException {
    if (!Files.isDirectory(logs)) {
      return;
    }
    LiveFolder.delete(to);
    Files.move(logs, to);
    err.println("hdfs-parity-bench: logs of the cluster that failed are kept in " + to);
    try (Stream<Path> files = Files.list(to)) {
      for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
        lastTrouble(file).forEach(line -> err.println("  " + file.getFileName() + ": " + line));
      }
    }
  }

  private static List<String> lastTrouble(Path file) throws IOException {
    Deque<String> last = new ArrayDeque<>();
    // A process that was killed may have left half a character.
    String text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
    text.lines()
        .filter(line -> TROUBLE.matcher(line).find())
        .forEach(
            line -> {
              last.add(line.substring(0, Math.min(line.length(), SHOWN_CHARS)));
              if (last.size() > LAST_LINES) {
                last.remove();
              }
            });
    return List.copyOf(last);
  }
}

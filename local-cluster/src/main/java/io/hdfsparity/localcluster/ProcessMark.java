/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;

/**
 * Which process it is, so that a recycled process id is never taken for it: the id and the time at
 * which it started.
 *
 * @param pid process id
 * @param startMark boot id and start time in clock ticks where /proc tells them, else the start
 *     instant
 */
record ProcessMark(long pid, String startMark) {
  private static final Path BOOT_ID = Path.of("/proc/sys/kernel/random/boot_id");

  /** The mark of a process that runs now; empty when there is none with that id. */
  static Optional<ProcessMark> of(long pid) throws IOException {
    Path stat = Path.of("/proc", String.valueOf(pid), "stat");
    if (Files.exists(BOOT_ID)) {
      String line;
      try {
        line = Files.readString(stat, StandardCharsets.ISO_8859_1);
      } catch (NoSuchFileException gone) {
        return Optional.empty();
      } catch (IOException gone) {
        // The kernel answers ESRCH when the process ends between open and read.
        if (!Files.exists(stat)) {
          return Optional.empty();
        }
        throw gone;
      }
      // proc(5): the name, in parentheses, may hold anything; state is the 1st and starttime the
      // 20th after it.
      String[] fields = line.substring(line.lastIndexOf(')') + 2).split(" ");
      if (fields[0].equals("Z") || fields[0].equals("X")) {
        return Optional.empty();
      }
      return Optional.of(new ProcessMark(pid, Files.readString(BOOT_ID).trim() + ":" + fields[19]));
    }
    return ProcessHandle.of(pid)
        .filter(ProcessHandle::isAlive)
        .flatMap(handle -> handle.info().startInstant())
        .map(instant -> new ProcessMark(pid, instant.toString()));
  }

  /** True while this very process runs. */
  boolean isAlive() throws IOException {
    return of(pid).filter(this::equals).isPresent();
  }

  /** Writes the mark. */
  void store(Path file) throws IOException {
    Files.createDirectories(file.getParent());
    Path next = file.resolveSibling(file.getFileName() + ".new");
    Files.writeString(next, pid + "\n" + startMark + "\n");
    Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  /** Reads a mark; empty when there is none. */
  static Optional<ProcessMark> load(Path file) throws IOException {
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    String[] lines = Files.readString(file).split("\n");
    try {
      return Optional.of(new ProcessMark(Long.parseLong(lines[0].trim()), lines[1].trim()));
    } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
      throw new IOException(
          "Cannot read the process mark: expected a process id and a start mark, file=" + file, e);
    }
  }
}

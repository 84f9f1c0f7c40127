/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.lstord;

import io.hdfsparity.core.store.ByteStore;
import io.hdfsparity.core.store.FileByteStore;
import io.hdfsparity.raidp.lstor.LstorCheck;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The offline checker as a command: {@link LstorCheck} on files, each under its lock. */
final class LstorFileCheck {
  static final int SOUND = 0;
  static final int UNSOUND = 1;
  static final int USAGE = 2;

  private LstorFileCheck() {}

  /**
   * Checks files and prints what it finds.
   *
   * @return exit code: 0 all sound, 1 some not sound or not readable or in use, 2 nothing named
   */
  static int run(List<String> files, PrintStream out) {
    if (files.isEmpty()) {
      out.println("Usage: LstorDaemon -check <lstor file>...");
      return USAGE;
    }
    int exitCode = SOUND;
    for (String file : files) {
      exitCode = Math.max(exitCode, check(file, out));
    }
    return exitCode;
  }

  private static int check(String file, PrintStream out) {
    Path path = Path.of(file).toAbsolutePath();
    try {
      Optional<LstorLock> lock = LstorLock.tryAcquire(path, "Lstor check");
      if (lock.isEmpty()) {
        out.println(
            file
                + ": ERROR: Cannot check Lstor: holder="
                + LstorLock.lastOwner(path)
                + ", expected nobody, file="
                + path);
        return UNSOUND;
      }
      try (LstorLock held = lock.get();
          ByteStore store = FileByteStore.open(path)) {
        LstorCheck.Report report = LstorCheck.check(store);
        report.notes().forEach(note -> out.println(file + ": note: " + note));
        report.errors().forEach(error -> out.println(file + ": ERROR: " + error));
        out.println(
            file
                + ": "
                + (report.isSound() ? "sound" : report.errors().size() + " errors")
                + ", rows="
                + report.entries().size()
                + ", taken "
                + held.takeCount()
                + " times");
        return report.isSound() ? SOUND : UNSOUND;
      }
    } catch (IOException e) {
      out.println(file + ": ERROR: " + e);
      return UNSOUND;
    }
  }
}

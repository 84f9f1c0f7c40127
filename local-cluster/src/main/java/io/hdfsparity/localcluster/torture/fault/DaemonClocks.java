/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.torture.fault;

import io.hdfsparity.core.check.ErrorMessage;
import io.hdfsparity.localcluster.ClusterPaths;
import io.hdfsparity.localcluster.Daemon;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Gives each daemon a wall clock of its own, by libfaketime: each has a file that says how far its
 * clock is off. Clocks that only go forward, by which timers go, are those of the machine, as when
 * the clock of a real host is set. Times of files are the real ones, too: those of old files do not
 * move with the clock of a real host.
 *
 * <p>libfaketime makes a semaphore and shared memory under the process id, and a process that is
 * killed leaves them. One that gets the same id later would not start, so both are deleted.
 *
 * <p>Source: README of libfaketime 0.9.10, and what a JVM of JDK 17 was seen to do. Thread-safe.
 */
public final class DaemonClocks {
  /** The variant for programs with threads; the other one reads its file without a lock. */
  private static final String NAME = "libfaketimeMT.so.1";

  /** Of Debian and Ubuntu, of Fedora, of others, and of make install. */
  private static final List<Path> FOLDERS =
      List.of(
          Path.of("/usr/lib/x86_64-linux-gnu/faketime"),
          Path.of("/usr/lib/aarch64-linux-gnu/faketime"),
          Path.of("/usr/lib64/faketime"),
          Path.of("/usr/lib/faketime"),
          Path.of("/usr/local/lib/faketime"));

  /** How long a daemon may go by the old time, in seconds: it looks into its file that often. */
  static final int MAX_DELAY_SECONDS = 1;

  /**
   * Starts a program under its clock; the process id stays. Its arguments are the file of process
   * ids, that of the clock, the library, and the program with its own.
   *
   * <p>Waits with a timeout go by a clock that only goes forward. libfaketime would make them
   * return at once (FORCE_MONOTONIC_FIX), which it takes for needed by the version of glibc; a JVM
   * then spins.
   */
  private static final String START =
      "pids=$1 clock=$2 library=$3; shift 3; "
          + "rm -f /dev/shm/faketime_shm_$$ /dev/shm/sem.faketime_sem_$$; "
          + "echo $$ >> \"$pids\"; "
          + "exec env LD_PRELOAD=\"$library\" FAKETIME_TIMESTAMP_FILE=\"$clock\""
          + (" FAKETIME_CACHE_DURATION=" + MAX_DELAY_SECONDS)
          + " FAKETIME_DONT_FAKE_MONOTONIC=1 FAKETIME_FORCE_MONOTONIC_FIX=0 NO_FAKE_STAT=1 \"$@\"";

  private static final Path SHARED_MEMORY = Path.of("/dev/shm");

  private final ClusterPaths paths;
  private final Path library;

  /**
   * @param paths of the cluster
   * @param library as {@link #library}
   */
  DaemonClocks(ClusterPaths paths, Path library) {
    this.paths = paths;
    this.library = library;
  }

  /** The library of this machine. */
  public static Optional<Path> library() {
    return FOLDERS.stream().map(folder -> folder.resolve(NAME)).filter(Files::exists).findFirst();
  }

  /** What is to be done where there is none. */
  public static String missing() {
    return ErrorMessage.to("change the clocks of daemons")
        .value("libraries", FOLDERS.stream().map(folder -> folder.resolve(NAME)).toList())
        .expected("one of them; install libfaketime (Debian: package faketime)")
        .message();
  }

  /** Makes what daemons need that are to be started. */
  void make() throws IOException {
    Files.createDirectories(folder(paths));
  }

  /** What starts a daemon under its clock. */
  List<String> prefix(Daemon daemon) {
    return List.of(
        "sh",
        "-c",
        START,
        "sh",
        pidFile(paths).toString(),
        file(paths, daemon).toString(),
        library.toString());
  }

  /**
   * Sets a daemon's clock, also for its next starts. It goes by it within {@link
   * #MAX_DELAY_SECONDS}.
   *
   * @param seconds how far it is off; 0: not at all
   */
  static void set(ClusterPaths paths, Daemon daemon, int seconds) throws IOException {
    Path file = file(paths, daemon);
    Path next = file.resolveSibling(file.getFileName() + ".next");
    Files.writeString(next, String.format(Locale.ROOT, "%+d\n", seconds));
    // In one step: what reads an empty file takes the clock for right.
    Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  /** Deletes what daemons have left in shared memory; they have ended. */
  void leave() throws IOException {
    if (!Files.exists(pidFile(paths))) {
      return;
    }
    for (String pid : Files.readAllLines(pidFile(paths))) {
      Files.deleteIfExists(SHARED_MEMORY.resolve("faketime_shm_" + pid));
      Files.deleteIfExists(SHARED_MEMORY.resolve("sem.faketime_sem_" + pid));
    }
  }

  private static Path folder(ClusterPaths paths) {
    return paths.tmpDir("clocks");
  }

  private static Path file(ClusterPaths paths, Daemon daemon) {
    return folder(paths).resolve(daemon.name());
  }

  private static Path pidFile(ClusterPaths paths) {
    return folder(paths).resolve("pids");
  }
}

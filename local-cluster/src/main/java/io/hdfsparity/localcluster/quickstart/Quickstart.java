/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.quickstart;

import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * {@code ./quickstart}: stores real files on a real HDFS cluster, lets disks or nodes die, and gets
 * every byte back. What it shows is a {@link Chapter}. System properties, which the script sets:
 * {@code hdfsparity.home} (folder of the project), {@code hdfsparity.workdir} (what paths of the
 * user are relative to), {@code hdfsparity.columns} (width of the terminal, 0 when it is none),
 * {@code hdfsparity.cache} (archive of classes), {@code hdfsparity.m2} (Maven repository).
 */
public final class Quickstart {
  private static final int FAILED = 1;
  private static final int WRONG_USAGE = 2;

  private Quickstart() {}

  /** Runs and exits. */
  public static void main(String[] args) {
    int exitCode = FAILED;
    try {
      exitCode = run(args);
    } catch (RuntimeException | Error e) {
      // There was no memory to clear away, either: at the exit the hook tries it once more.
      System.err.println("quickstart: " + e);
    }
    System.exit(exitCode);
  }

  private static int run(String[] args) {
    try {
      Path home = folder("hdfsparity.home");
      Path clusterDir = home.resolve("run/quickstart");
      QuickstartOptions options =
          QuickstartOptions.parse(List.of(args), folder("hdfsparity.workdir"), clusterDir);
      Screen screen = new Screen(System.out, Integer.getInteger("hdfsparity.columns", 0), 0);
      Runner runner = new Runner(options, home, screen);
      return run(runner, options.chapter().chapter(runner));
    } catch (QuickstartException e) {
      return refused(e.getMessage());
    } catch (InvalidPathException e) {
      String expected = "expected a path that the locale can write, such as by LC_ALL=C.UTF-8";
      return refused("Cannot run in this folder: " + e.getMessage() + ", " + expected);
    }
  }

  private static Path folder(String property) {
    return Path.of(System.getProperty(property, ".")).toAbsolutePath().normalize();
  }

  private static int refused(String message) {
    System.err.println("quickstart: " + message);
    System.err.println("Try: ./quickstart --help");
    return WRONG_USAGE;
  }

  /**
   * Runs a chapter and ends what it has started, whatever is thrown.
   *
   * @return the exit code
   */
  static int run(Runner runner, Chapter chapter) {
    Screen screen = runner.screen();
    Cleanup cleanup = null;
    int exitCode = 0;
    try {
      runner.chooseFiles(chapter);
      Workspace workspace = Workspace.take(runner.options().clusterDir(), screen::line);
      cleanup = new Cleanup(screen, workspace);
      runner.run(chapter);
      if (runner.options().keep()) {
        cleanup.keep();
        runner.showKept(chapter, workspace);
      } else {
        screen.progress("ending the cluster ...");
        if (cleanup.clear()) {
          screen.plain("");
          screen.plain(
              "Nothing is left running, and its files are deleted. Run it with --keep to look "
                  + "around.");
        }
      }
    } catch (Throwable e) {
      // Errors, too: daemons go on running when this program is out of memory.
      exitCode = FAILED;
      failed(e, cleanup, screen);
    }
    // Not in any case: what is thrown while it is cleared away leaves that to the hook.
    if (cleanup != null) {
      cleanup.disarm();
    }
    return exitCode;
  }

  private static void failed(Throwable e, Cleanup cleanup, Screen screen) {
    if (cleanup == null) {
      screen.plain("");
      screen.plain("FAILED  " + message(e));
      return;
    }
    while (cleanup.wasInterrupted()) {
      // The hook clears away and the JVM ends with the code of the signal; whatever fails meanwhile
      // is no news.
      LockSupport.park();
    }
    cleanup.failed();
    screen.plain("");
    // The logs move before the folder is deleted; messages that name one are to be right
    // afterwards.
    screen.plain("FAILED  " + cleanup.workspace().withSavedLogs(message(e)));
    boolean isOfUser = e instanceof QuickstartException known && !known.isOfCluster();
    try {
      if (isOfUser ? cleanup.clear() : cleanup.clearButLogs(screen::plain)) {
        screen.plain("Nothing is left running.");
      }
    } catch (IOException | InterruptedException | RuntimeException again) {
      screen.plain(cleanup.leftOver(again));
    }
  }

  private static String message(Throwable e) {
    boolean isForUser = e instanceof QuickstartException || e instanceof IOException;
    return isForUser && e.getMessage() != null ? e.getMessage() : e.toString();
  }
}

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.quickstart;

import io.hdfsparity.localcluster.quickstart.QuickstartException.Kind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * {@code ./quickstart}: stores real files on a real HDFS cluster, lets disks or nodes die, and gets
 * every byte back. What it shows is a {@link Chapter}. System properties, which the script sets: {@code hdfsparity.home}
 * (folder of the project), {@code hdfsparity.workdir} (what paths of the user are relative to),
 * {@code hdfsparity.columns} (width of the terminal, 0 when it is none), {@code hdfsparity.cache}
 * (archive of classes), {@code hdfsparity.m2} (Maven repository).
 */
public final class Quickstart {
  private static final int FAILED = 1;
  private static final int WRONG_USAGE = 2;

  private Quickstart() {}

  /** Runs and exits. */
  public static void main(String[] args) {
    System.exit(run(args));
  }

  private static int run(String[] args) {
    Path home = Path.of(System.getProperty("hdfsparity.home", ".")).toAbsolutePath().normalize();
    Path workDir =
        Path.of(System.getProperty("hdfsparity.workdir", ".")).toAbsolutePath().normalize();
    QuickstartOptions options;
    try {
      options =
          QuickstartOptions.parse(
              List.of(args), workDir, home.resolve("run").resolve("quickstart"));
    } catch (QuickstartException e) {
      System.err.println("quickstart: " + e.getMessage());
      System.err.println("Try: ./quickstart --help");
      return WRONG_USAGE;
    }
    Screen screen = new Screen(System.out, Integer.getInteger("hdfsparity.columns", 0), options.chapter().steps());
    Cleanup cleanup = null;
    try {
      Tour tour = options.chapter().tour(options, home, screen);
      tour.chooseFiles();
      Workspace workspace = Workspace.take(options.clusterDir(), screen::line);
      cleanup = new Cleanup(screen, workspace);
      tour.run();
      finish(options, cleanup, workspace, tour, screen);
      return 0;
    } catch (Exception e) {
      return failed(e, cleanup, screen);
    } finally {
      if (cleanup != null) {
        cleanup.disarm();
      }
    }
  }

  private static void finish(
      QuickstartOptions options, Cleanup cleanup, Workspace workspace, Tour tour, Screen screen)
      throws IOException, InterruptedException {
    if (options.keep()) {
      cleanup.keep();
      tour.showKept(workspace);
      return;
    }
    screen.progress("ending the cluster ...");
    if (cleanup.clear()) {
      screen.plain("");
      screen.plain(
          "Nothing is left running, and its files are deleted. Run it with --keep to look around.");
    }
  }

  private static int failed(Exception e, Cleanup cleanup, Screen screen) {
    if (cleanup != null && cleanup.wasInterrupted()) {
      // The hook clears away and the JVM ends with the code of the signal; whatever fails meanwhile
      // is no news.
      while (true) {
        LockSupport.park();
      }
    }
    screen.plain("");
    // The logs move before the folder is deleted; messages that name one are to be right
    // afterwards.
    screen.plain("FAILED  " + (cleanup == null ? message(e) : cleanup.withSavedLogs(message(e))));
    if (cleanup != null) {
      clearAfterFailure(e, cleanup, screen);
    }
    return FAILED;
  }

  private static String message(Exception e) {
    if (e instanceof QuickstartException || e instanceof IOException && e.getMessage() != null) {
      return e.getMessage();
    }
    return e.toString();
  }

  private static void clearAfterFailure(Exception e, Cleanup cleanup, Screen screen) {
    boolean ofUser = e instanceof QuickstartException q && q.kind() != Kind.CLUSTER;
    try {
      if (cleanup.clearAfterFailure(ofUser ? line -> {} : screen::plain, ofUser)) {
        screen.plain("Nothing is left running.");
      }
    } catch (IOException | InterruptedException | RuntimeException again) {
      screen.plain(
          "Cannot clear away everything: "
              + Texts.firstLine(again)
              + "\nDo it with: "
              + cleanup.endCommand());
    }
  }
}

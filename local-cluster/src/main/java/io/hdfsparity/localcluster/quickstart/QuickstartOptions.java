/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.quickstart;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * The command line, without --help, which the script answers.
 *
 * @param chapter what is shown
 * @param sourceDir the folder whose files are stored; none: files that the JDK and the Maven
 *     repository have
 * @param clusterDir the folder of the cluster
 * @param keep whether the cluster goes on running at the end
 * @param httpPort port of the NameNode's web pages, 0: any free one
 */
record QuickstartOptions(
    ChapterName chapter, Optional<Path> sourceDir, Path clusterDir, boolean keep, int httpPort) {
  /**
   * Parses.
   *
   * @param workDir what relative paths are relative to
   * @param defaultClusterDir where the cluster is when nothing is said
   * @throws QuickstartException when something is not understood
   */
  static QuickstartOptions parse(List<String> args, Path workDir, Path defaultClusterDir)
      throws QuickstartException {
    Path source = null;
    Path cluster = defaultClusterDir;
    boolean keep = false;
    int port = 0;
    boolean onlyOperands = false;
    Deque<String> left = new ArrayDeque<>(args);
    Optional<ChapterName> chapter = args.stream().findFirst().flatMap(ChapterName::named);
    chapter.ifPresent(named -> left.pop());
    while (!left.isEmpty()) {
      String arg = left.pop();
      if (onlyOperands || !arg.startsWith("-")) {
        if (source != null) {
          throw usage("DIR is given twice: " + source + " and " + arg);
        }
        if (arg.isEmpty()) {
          throw usage("DIR is empty");
        }
        source = path("DIR", workDir, arg);
        continue;
      }
      switch (arg) {
        case "--" -> onlyOperands = true;
        case "--keep" -> keep = true;
        case "--cluster-dir" -> cluster = path(arg, workDir, value(arg, left));
        case "--http-port" -> port = port(value(arg, left));
        default -> throw usage("unknown option " + arg);
      }
    }
    ChapterName shown = chapter.orElse(ChapterName.RAIDP);
    return new QuickstartOptions(shown, Optional.ofNullable(source), cluster, keep, port);
  }

  private static String value(String option, Deque<String> left) throws QuickstartException {
    if (left.isEmpty()) {
      throw usage("option " + option + " lacks its value");
    }
    return left.pop();
  }

  private static Path path(String name, Path workDir, String text) throws QuickstartException {
    try {
      return workDir.resolve(text).normalize();
    } catch (InvalidPathException e) {
      String expected = "expected a path that the locale can write, such as by LC_ALL=C.UTF-8";
      throw QuickstartException.input(e, "%s=%s, %s: %s", name, text, expected, e.getReason());
    }
  }

  private static int port(String text) throws QuickstartException {
    int port = text.matches("\\d{1,5}") ? Integer.parseInt(text) : 0;
    if (port < 1 || port > 65_535) {
      throw usage("--http-port=" + text + ", expected a number from 1 to 65535");
    }
    return port;
  }

  private static QuickstartException usage(String message) {
    return QuickstartException.input("%s", message);
  }
}

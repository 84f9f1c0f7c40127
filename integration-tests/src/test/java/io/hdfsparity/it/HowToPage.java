/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A page of docs/how-to. Its blocks of code that begin with {@code ```console test=NAME} have the
 * commands that a test executes in their order; NAME is the page's own. Immutable.
 *
 * @param name of the file, without its ending
 * @param commands marked ones, a list of words each, the first of which is {@code hdfs} or a client
 *     of block devices
 */
record HowToPage(String name, List<List<String>> commands) {
  private static final Path PAGES = Path.of("..", "docs", "how-to");
  private static final Set<String> PROGRAMS =
      Set.of("hdfs", "nbdinfo", "qemu-img", "nbdcopy", "fio");
  private static final Pattern MARK = Pattern.compile("^\\s*```console test=(\\S+)$");

  /**
   * @throws IllegalArgumentException if a mark has another name, or a command is none of the
   *     programs
   */
  static HowToPage parse(String name, List<String> lines) {
    List<List<String>> commands = new ArrayList<>();
    boolean isMarked = false;
    for (String line : lines) {
      Matcher mark = MARK.matcher(line);
      if (mark.matches()) {
        if (!mark.group(1).equals(name)) {
          throw new IllegalArgumentException("test=" + mark.group(1) + ", expected " + name);
        }
        isMarked = true;
      } else if (line.strip().startsWith("```")) {
        isMarked = false;
      } else if (isMarked) {
        List<String> words = List.of(line.strip().split("\\s+"));
        if (!PROGRAMS.contains(words.get(0)) || words.size() < 2) {
          throw new IllegalArgumentException("command=" + line + ", expected one of " + PROGRAMS);
        }
        commands.add(words);
      }
    }
    return new HowToPage(name, List.copyOf(commands));
  }

  static HowToPage read(String name) throws IOException {
    return parse(name, Files.readAllLines(PAGES.resolve(name + ".md")));
  }

  /** Pages that have a marked command, by name. */
  static List<HowToPage> marked() throws IOException {
    List<HowToPage> pages = new ArrayList<>();
    try (var files = Files.list(PAGES)) {
      for (Path file : files.sorted().toList()) {
        HowToPage page = read(file.getFileName().toString().replace(".md", ""));
        if (!page.commands().isEmpty()) {
          pages.add(page);
        }
      }
    }
    return pages;
  }
}

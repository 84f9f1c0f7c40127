/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.quickstart;

import io.hdfsparity.localcluster.ForegroundProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Consumer;

/** Programs of other projects that a chapter runs. */
enum Tool {
  QEMU_IMG("qemu-img", "qemu-utils"),
  NBDCOPY("nbdcopy", "libnbd-bin"),
  MKE2FS("mke2fs", "e2fsprogs"),
  E2FSCK("e2fsck", "e2fsprogs");

  private final String program;
  private final String debianPackage;

  Tool(String program, String debianPackage) {
    this.program = program;
    this.debianPackage = debianPackage;
  }

  /** Where programs are; those of administrators are not on everybody's path. */
  static List<Path> folders() {
    List<Path> folders = new ArrayList<>();
    for (String folder : (System.getenv("PATH") + ":/usr/sbin:/sbin").split(":")) {
      folders.add(Path.of(folder));
    }
    return folders;
  }

  private Optional<Path> find(List<Path> folders) {
    return folders.stream()
        .map(folder -> folder.resolve(program))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /**
   * Refuses when one of them is not installed.
   *
   * @throws QuickstartException naming those that are missing, and their packages
   */
  static void requireAll(List<Path> folders) throws QuickstartException {
    TreeSet<String> missing = new TreeSet<>();
    TreeSet<String> packages = new TreeSet<>();
    for (Tool tool : values()) {
      if (tool.find(folders).isEmpty()) {
        missing.add(tool.program);
        packages.add(tool.debianPackage);
      }
    }
    if (!missing.isEmpty()) {
      throw QuickstartException.input(
          "Cannot find %s: expected them to be installed (Debian: sudo apt-get install %s)",
          String.join(", ", missing), String.join(" ", packages));
    }
  }

  /**
   * Runs it to its end.
   *
   * @param lines gets each line that it prints, as it comes
   * @throws IOException when it fails; with the last lines that it has printed
   */
  void run(Consumer<String> lines, Object... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(find(folders()).orElseThrow().toString()));
    for (Object argument : arguments) {
      command.add(argument.toString());
    }
    ForegroundProgram.run(program, new ProcessBuilder(command), lines);
  }
}

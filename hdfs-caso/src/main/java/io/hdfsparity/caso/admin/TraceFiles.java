/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.admin;

import io.hdfsparity.core.check.ErrorMessage;
import io.hdfsparity.core.trace.UpdateTraceName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The files of a trace: the one that was named, or those of a directory in which updaters have
 * noted what they did, of one updated file. Stateless.
 */
final class TraceFiles {
  private TraceFiles() {}

  /**
   * Finds them.
   *
   * @param named file or directory
   * @param inodeId of the updated file, if traces of others may be there
   * @throws IOException if a directory has no trace of it, or, where that is not said, of several
   */
  static List<Path> of(Path named, OptionalLong inodeId) throws IOException {
    if (!Files.isDirectory(named)) {
      return List.of(named);
    }
    TreeMap<Long, List<Path>> byInode = byInode(named);
    if (inodeId.isEmpty() && byInode.size() > 1) {
      throw new IOException(
          ErrorMessage.to("read trace")
              .value("traces of inodes", byInode.keySet())
              .expected("those of one file, or -inode N")
              .where("directory", named)
              .message());
    }
    List<Path> files =
        inodeId.isPresent()
            ? byInode.getOrDefault(inodeId.getAsLong(), List.of())
            : byInode.values().stream().findFirst().orElse(List.of());
    if (files.isEmpty()) {
      String inode = inodeId.isPresent() ? Long.toString(inodeId.getAsLong()) : "*";
      throw new IOException(
          ErrorMessage.to("read trace")
              .value("traces of inodes", byInode.keySet())
              .expected(
                  "a file, or a directory with traces of updaters, updates-" + inode + "-*.csv")
              .where("directory", named)
              .message());
    }
    return files;
  }

  private static TreeMap<Long, List<Path>> byInode(Path directory) throws IOException {
    TreeMap<Long, List<Path>> byInode = new TreeMap<>();
    try (Stream<Path> children = Files.list(directory)) {
      for (Path child : children.sorted().toList()) {
        Optional<UpdateTraceName> name = UpdateTraceName.parse(child.getFileName().toString());
        if (name.isPresent() && Files.isRegularFile(child)) {
          byInode.computeIfAbsent(name.get().inodeId(), i -> new ArrayList<>()).add(child);
        }
      }
    }
    return byInode;
  }
}

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.lstord;

import io.hdfsparity.core.store.PrivateFiles;
import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A file with an advisory lock, open in this process at most once at a time. The operating system
 * drops all locks that a process has on a file when the process closes any channel of that file.
 * Locks belong to processes, so the set of open files is one for the process too.
 *
 * <p><b>Invariant</b>: no channel of a file is opened or closed here while another one is open. Two
 * paths of the same file, by links or mounts, are one file.
 *
 * <p>Thread-safe.
 */
final class LockFile implements Closeable {
  /** Keeps each reachable until it is closed: a channel that is collected closes its file. */
  private static final Map<Object, LockFile> OPEN = new ConcurrentHashMap<>();

  private final Object key;
  private volatile String owner = "this process";
  private @Nullable FileChannel channel;
  private boolean closed;

  private LockFile(Object key) {
    this.key = key;
  }

  /**
   * Opens a file, and makes it if it is not there.
   *
   * @return empty if this process has it open already
   */
  static Optional<LockFile> open(Path file) throws IOException {
    make(file);
    LockFile opened = new LockFile(key(file));
    if (OPEN.putIfAbsent(opened.key, opened) != null) {
      return Optional.empty();
    }
    try {
      opened.channel = PrivateFiles.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
      return Optional.of(opened);
    } catch (IOException | RuntimeException | Error e) {
      OPEN.remove(opened.key);
      throw e;
    }
  }

  /**
   * Opens and locks a file.
   *
   * @return empty if anybody has locked it, or this process has it open
   */
  static Optional<LockFile> lock(Path file) throws IOException {
    Optional<LockFile> opened = open(file);
    if (opened.isEmpty()) {
      return opened;
    }
    boolean locked = false;
    try {
      locked = opened.get().channel().tryLock() != null;
      return locked ? opened : Optional.empty();
    } finally {
      if (!locked) {
        opened.get().close();
      }
    }
  }

  /** Who in this process has a file open, for messages; empty: nobody. */
  static Optional<String> holder(Path file) throws IOException {
    return Optional.ofNullable(OPEN.get(key(file))).map(holder -> holder.owner);
  }

  /** Says who has it. */
  void heldBy(String name) {
    owner = name;
  }

  FileChannel channel() {
    return Objects.requireNonNull(channel, "opened");
  }

  @Override
  public synchronized void close() throws IOException {
    if (closed) {
      return; // Somebody else may have the file open by now.
    }
    closed = true;
    try {
      channel().close();
    } finally {
      OPEN.remove(key);
    }
  }

  /** Making a file opens and closes it: nobody else in this process looks at it before that. */
  private static synchronized void make(Path file) throws IOException {
    try {
      PrivateFiles.makeFile(file);
    } catch (FileAlreadyExistsException e) {
      // Made by another process meanwhile, which is as good.
    }
  }

  /** The file itself: device and inode, where the file system has them. */
  private static Object key(Path file) throws IOException {
    Object key = Files.readAttributes(file, BasicFileAttributes.class).fileKey();
    return key != null ? key : file.toRealPath();
  }
}

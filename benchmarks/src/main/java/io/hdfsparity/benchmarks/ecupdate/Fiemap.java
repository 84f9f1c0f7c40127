/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.ecupdate;

import com.sun.jna.LastErrorException;
import com.sun.jna.Memory;
import com.sun.jna.Native;
import com.sun.jna.Pointer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Linux's ioctl FS_IOC_FIEMAP: where the bytes of a file lie. Stateless, thread-safe. */
final class Fiemap {
  private static final int O_RDONLY_CLOEXEC = 0x80000;
  private static final long FS_IOC_FIEMAP = 0xC020660BL;
  private static final int FLAG_SYNC = 1;
  private static final int MAX_EXTENTS = 4096;

  /** struct fiemap, and struct fiemap_extent, of linux/fiemap.h. */
  private static final int HEAD_BYTES = 32;

  private static final int LENGTH = 8;
  private static final int FLAGS = 16;
  private static final int MAPPED = 20;
  private static final int COUNT = 24;
  private static final int EXTENT_BYTES = 56;
  private static final int EXTENT_PLACE = 8;
  private static final int EXTENT_LENGTH = 16;
  private static final int EXTENT_FLAGS = 40;

  /** The place is not known, not yet allocated, or is inside metadata. */
  private static final int NO_PLACE = 0x2 | 0x4 | 0x8 | 0x100 | 0x200;

  static {
    Native.register(Fiemap.class, "c");
  }

  private Fiemap() {}

  private static native int open(String path, int flags) throws LastErrorException;

  private static native int close(int file) throws LastErrorException;

  private static native int ioctl(int file, long request, Pointer argument)
      throws LastErrorException;

  /** Nothing where the file is gone, or its file system does not tell. */
  static Optional<Extents> of(Path path) {
    try (Memory map = new Memory(HEAD_BYTES + (long) MAX_EXTENTS * EXTENT_BYTES)) {
      map.clear();
      map.setLong(LENGTH, Long.MAX_VALUE);
      map.setInt(FLAGS, FLAG_SYNC);
      map.setInt(COUNT, MAX_EXTENTS);
      int file = open(path.toString(), O_RDONLY_CLOEXEC);
      try {
        ioctl(file, FS_IOC_FIEMAP, map);
      } finally {
        close(file);
      }
      return Optional.of(decode(map));
    } catch (LastErrorException e) {
      return Optional.empty();
    }
  }

  private static Extents decode(Memory map) {
    List<Extent> parts = new ArrayList<>();
    for (int i = 0; i < map.getInt(MAPPED); i++) {
      long at = HEAD_BYTES + (long) i * EXTENT_BYTES;
      if ((map.getInt(at + EXTENT_FLAGS) & NO_PLACE) == 0) {
        parts.add(
            new Extent(
                map.getLong(at), map.getLong(at + EXTENT_PLACE), map.getLong(at + EXTENT_LENGTH)));
      }
    }
    return new Extents(parts);
  }
}

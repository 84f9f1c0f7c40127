/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.quickstart;

import static io.hdfsparity.localcluster.quickstart.Texts.format;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;

/**
 * A file of the user that is stored, as it was when it was chosen.
 *
 * @param file where it is
 * @param name its name below the folder of stored files, with slashes
 * @param lengthBytes its length
 * @param modifiedMs when it was changed last, milliseconds since 1970
 */
record SourceFile(Path file, String name, long lengthBytes, long modifiedMs) implements Content {
  static SourceFile of(Path file, String name, BasicFileAttributes attributes) {
    return new SourceFile(file, name, attributes.size(), attributes.lastModifiedTime().toMillis());
  }

  @Override
  public byte[] read(long position, int length) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      ByteBuffer buffer = ByteBuffer.allocate(length);
      while (buffer.hasRemaining()) {
        if (channel.read(buffer, position + buffer.position()) < 0) {
          throw new EOFException(
              format(
                  "Cannot read the source: length=%s, expected %s, file=%s",
                  channel.size(), lengthBytes, file));
        }
      }
      return buffer.array();
    }
  }

  /**
   * Refuses when the file is not what it was when it was chosen.
   *
   * @throws QuickstartException naming the file and what has changed
   */
  void requireUnchanged() throws QuickstartException {
    BasicFileAttributes now;
    try {
      now = Files.readAttributes(file, BasicFileAttributes.class);
    } catch (IOException e) {
      throw QuickstartException.input(
          e, "A source file went away while the quickstart ran: file=%s", file);
    }
    if (now.size() != lengthBytes) {
      throw changed("length=" + now.size() + ", expected " + lengthBytes);
    }
    if (now.lastModifiedTime().toMillis() != modifiedMs) {
      throw changed("it was written again at " + now.lastModifiedTime());
    }
  }

  /** The complaint about a change. */
  QuickstartException changed(String what) {
    return QuickstartException.input(
        "A source file changed while the quickstart ran: %s, file=%s; take a folder whose "
            + "files nobody changes",
        what, file);
  }
}

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.core.trace;

import io.hdfsparity.core.check.Checks;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Name of a file in which an updater has noted its requests, {@code
 * updates-<inode>-<writer>-<part>.csv}: lines of an MSR Cambridge trace without heading, offsets in
 * the updated file's own order, the field DiskNumber its inode. Immutable.
 *
 * @param inodeId of the file that was updated, >= 0
 * @param writer tells updaters apart: lower case letters, digits, dots and hyphens, at most {@value
 *     #MAX_WRITER_CHARS}
 * @param part of this updater's, from 1 on
 */
public record UpdateTraceName(long inodeId, String writer, int part) {
  /** Longest writer. */
  public static final int MAX_WRITER_CHARS = 100;

  private static final String WRITER = "[a-z0-9][a-z0-9.-]{0," + (MAX_WRITER_CHARS - 1) + "}";
  private static final Pattern NAME =
      Pattern.compile("updates-([0-9]{1,18})-(" + WRITER + ")-([0-9]{8})\\.csv");
  private static final int MAX_PARTS = 99_999_999;

  public UpdateTraceName {
    Checks.argument(inodeId >= 0, "name a trace", "inodeId", inodeId, ">= 0");
    Checks.argument(writer.matches(WRITER), "name a trace", "writer", writer, WRITER);
    Checks.argument(
        part >= 1 && part <= MAX_PARTS, "name a trace", "part", part, "1 to " + MAX_PARTS);
  }

  /** The name that stands in a directory. */
  public String fileName() {
    return String.format(Locale.ROOT, "updates-%d-%s-%08d.csv", inodeId, writer, part);
  }

  /** What a name says; empty if it is none of these. */
  public static Optional<UpdateTraceName> parse(String fileName) {
    Matcher m = NAME.matcher(fileName);
    if (!m.matches() || m.group(3).equals("00000000")) {
      return Optional.empty();
    }
    return Optional.of(
        new UpdateTraceName(Long.parseLong(m.group(1)), m.group(2), Integer.parseInt(m.group(3))));
  }
}

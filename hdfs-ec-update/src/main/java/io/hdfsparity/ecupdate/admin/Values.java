/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.admin;

import io.hdfsparity.core.cli.Arguments;
import io.hdfsparity.core.cli.SizesAndDurations;
import io.hdfsparity.core.cli.UsageException;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Values of options, refused with their name where they are wrong. Stateless. */
final class Values {
  private static final Pattern TIME = Pattern.compile("([0-9]{1,12})(ms|s|m|h)");

  private Values() {}

  /** A size of at least a byte, or what stands for it; "0" where that is allowed. */
  static long bytes(Arguments a, String name, long otherwise) throws UsageException {
    Optional<String> text = a.value(name);
    if (text.isEmpty()) {
      return otherwise;
    }
    return text.get().equals("0") ? 0 : size(name, text.get());
  }

  /** A place or length in bytes that must be there: a number, or a size such as 7G. */
  static long position(Arguments a, String name) throws UsageException {
    String text = a.value(name).orElseThrow(() -> new UsageException(name + " is missing"));
    return text.equals("0") ? 0 : size(name, text);
  }

  private static long size(String name, String text) throws UsageException {
    try {
      return SizesAndDurations.parseBytes(name, text);
    } catch (IllegalArgumentException e) {
      throw new UsageException(name + "=" + text + ", expected bytes such as 4096, 64K, 1.5G or 0");
    }
  }

  /** A time with its unit, in milliseconds. */
  static long millis(Arguments a, String name, long otherwise) throws UsageException {
    Optional<String> text = a.value(name);
    if (text.isEmpty()) {
      return otherwise;
    }
    Matcher m = TIME.matcher(text.get());
    if (!m.matches()) {
      throw new UsageException(
          name + "=" + text.get() + ", expected a time such as 500ms, 5s or 1m");
    }
    long unitMs =
        switch (m.group(2)) {
          case "ms" -> 1L;
          case "s" -> 1000L;
          case "m" -> 60_000L;
          default -> 3_600_000L;
        };
    return Long.parseLong(m.group(1)) * unitMs;
  }

  /** A path of a file system of Hadoop. */
  static org.apache.hadoop.fs.Path remote(String text) throws UsageException {
    try {
      return new org.apache.hadoop.fs.Path(text);
    } catch (IllegalArgumentException e) {
      throw new UsageException("path=" + text + ", expected a path: " + e.getMessage());
    }
  }
}

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.core.check;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;

/**
 * The byte boxes of a format, which stand in the Javadoc of its class and on its page of {@code
 * docs/formats}. For tests that both are the same; they run in the directory of their module.
 */
public final class ByteBoxes {
  private static final Path MODULE = Path.of("").toAbsolutePath();

  private ByteBoxes() {}

  /** What stands between pre tags in the Javadoc of a class. */
  public static String of(Class<?> format) throws IOException {
    String source = "src/main/java/" + format.getName().replace('.', '/') + ".java";
    String text = Files.readString(MODULE.resolve(source));
    return text.substring(text.indexOf("<pre>") + 6, text.indexOf(" * </pre>"))
        .lines()
        .map(line -> line.length() < 3 ? "" : line.substring(3))
        .collect(Collectors.joining("\n"))
        .strip();
  }

  /** A page of {@code docs/formats}. */
  public static String page(String name) throws IOException {
    return Files.readString(MODULE.resolveSibling("docs").resolve("formats").resolve(name));
  }
}

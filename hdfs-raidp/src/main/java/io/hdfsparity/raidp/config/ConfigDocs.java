/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.config;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;

/**
 * Writes the configuration reference from {@link RaidpKeys}: a defaults file for people to copy
 * from, and a page.
 */
public final class ConfigDocs {
  private static final int LINE = 100;

  private ConfigDocs() {}

  /**
   * @param args the project's root directory
   */
  public static void main(String[] args) throws IOException {
    Path root = Path.of(args[0]);
    write(root.resolve("conf/raidp-default.xml"), xml());
    write(root.resolve("docs/raidp-configuration.md"), markdown());
  }

  private static void write(Path file, String text) throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, text, StandardCharsets.UTF_8);
  }

  /** Content of conf/raidp-default.xml. */
  static String xml() {
    StringBuilder b =
        new StringBuilder(
            """
        <?xml version="1.0" encoding="UTF-8"?>
        <?xml-stylesheet type="text/xsl" href="configuration.xsl"?>
        <!-- Licensed under the Apache License, Version 2.0. See LICENSE in the project root. -->
        <!-- All keys of RAIDP with their defaults. Made from the code; do not edit, and do not change defaults here:
             put what differs into hdfs-site.xml. -->
        <configuration>
        """);
    for (ConfigKey key : RaidpKeys.all()) {
      b.append("  <property>\n    <name>")
          .append(key.name())
          .append("</name>\n    <value>")
          .append(key.defaultValue())
          .append("</value>\n    <description>")
          .append(escape(key.meaning()))
          .append(" (")
          .append(key.kind().form())
          .append("; read by ")
          .append(readers(key))
          .append(")</description>\n  </property>\n");
    }
    return b.append("</configuration>\n").toString();
  }

  /** Content of docs/raidp-configuration.md. */
  static String markdown() {
    StringBuilder b =
        new StringBuilder(
            """
        # Configuration of RAIDP

        Made from the code (`io.hdfsparity.raidp.config.RaidpKeys`); do not edit. Put the keys into `hdfs-site.xml`. Sizes and
        durations are written as everywhere in Hadoop: `64m`, `30s`. A key with the prefix `hdfsparity.raidp.` that is not
        listed here stops the daemon that reads it.

        """);
    for (ConfigKey key : RaidpKeys.all()) {
      b.append("## `")
          .append(key.name())
          .append("`\n\n")
          .append(wrapped(key.meaning()))
          .append("\n\n- default: ")
          .append(
              key.defaultValue().isEmpty() ? "none, must be set" : "`" + key.defaultValue() + "`")
          .append("\n- form: ")
          .append(key.kind().form())
          .append("\n- read by: ")
          .append(readers(key))
          .append("\n\n");
    }
    return b.toString().stripTrailing() + "\n";
  }

  private static String readers(ConfigKey key) {
    return key.readers().stream()
        .sorted()
        .map(
            r ->
                switch (r) {
                  case NAMENODE -> "NameNode";
                  case DATANODE -> "DataNode";
                  case LSTOR -> "Lstor daemon";
                  case ADMIN -> "hdfs raidp";
                })
        .collect(Collectors.joining(", "));
  }

  private static String escape(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }

  private static String wrapped(String text) {
    StringBuilder b = new StringBuilder();
    int column = 0;
    for (String word : text.split(" ", -1)) {
      if (column > 0 && column + 1 + word.length() > LINE) {
        b.append('\n');
        column = 0;
      } else if (column > 0) {
        b.append(' ');
        column++;
      }
      b.append(word);
      column += word.length();
    }
    return b.toString();
  }
}

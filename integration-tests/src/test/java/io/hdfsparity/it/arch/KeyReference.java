/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it.arch;

import io.hdfsparity.bridge.config.ConfigKey;
import io.hdfsparity.bridge.config.KeyUser;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Writes the reference of all keys: a page, and a file of defaults to copy from. Stateless. */
final class KeyReference {
  private KeyReference() {}

  /** By area, then in the order of their enums. */
  static List<ConfigKey> ordered(List<ConfigKey> keys) {
    return keys.stream().sorted(Comparator.comparing(KeyReference::area)).toList();
  }

  /** First word behind the prefix: the feature or daemon, or the key itself. */
  private static String area(ConfigKey key) {
    String rest = key.key().substring(ConfigKey.SUITE_PREFIX.length());
    int end = rest.indexOf('.');
    return end < 0 ? rest : rest.substring(0, end);
  }

  /** Content of conf/parity-default.xml. */
  static String xml(List<ConfigKey> keys) {
    StringBuilder b =
        new StringBuilder(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <?xml-stylesheet type="text/xsl" href="configuration.xsl"?>
            <!-- Licensed under the Apache License, Version 2.0. See LICENSE in the project root. -->
            <!-- All keys of the suite with their defaults, generated from the code. Do not edit: put what
                 differs into hdfs-site.xml. -->
            <configuration>
            """);
    for (ConfigKey key : ordered(keys)) {
      b.append("  <property>\n    <name>")
          .append(key.key())
          .append("</name>\n    <value>")
          .append(escape(key.defaultValue()))
          .append("</value>\n    <description>")
          .append(escape(key.meaning()))
          .append(" (")
          .append(key.form().words())
          .append("; read by ")
          .append(users(key))
          .append(")</description>\n  </property>\n");
    }
    return b.append("</configuration>\n").toString();
  }

  /** Content of docs/reference/keys.md. */
  static String markdown(List<ConfigKey> keys) {
    StringBuilder b =
        new StringBuilder(
            """
            # Configuration keys

            This page is generated from the code; CONTRIBUTING.md says how. The keys go into `hdfs-site.xml` of the
            daemons and programs that read them. Sizes and durations are written as everywhere in Hadoop: `64m`, `30s`.
            A daemon or command refuses a key under its feature's prefix that is not listed here.
            """);
    String area = "";
    for (ConfigKey key : ordered(keys)) {
      if (!area(key).equals(area)) {
        area = area(key);
        b.append("\n## ").append(ConfigKey.SUITE_PREFIX).append(area).append('\n');
      }
      b.append("\n### `").append(key.key()).append("`\n\n");
      WrappedText.append(key.meaning(), b);
      b.append("\n- default: ")
          .append(key.defaultValue().isEmpty() ? "none" : "`" + key.defaultValue() + "`")
          .append("\n- form: ")
          .append(key.form().words())
          .append("\n- read by: ")
          .append(users(key))
          .append('\n');
    }
    return b.toString();
  }

  private static String users(ConfigKey key) {
    return key.users().stream().sorted().map(KeyUser::words).collect(Collectors.joining(", "));
  }

  private static String escape(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }

  /** For messages. */
  static String name(ConfigKey key) {
    return key.getClass().getSimpleName() + "." + key.toString().toUpperCase(Locale.ROOT);
  }
}

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.page;

/** Text that becomes HTML: all that is not markup of the caller is escaped. Not thread-safe. */
final class Html {
  private final StringBuilder out = new StringBuilder(16 * 1024);

  /** Markup, from constants only. */
  Html raw(String markup) {
    out.append(markup);
    return this;
  }

  /** Text between tags or in a quoted attribute. */
  Html text(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '&' -> out.append("&amp;");
        case '<' -> out.append("&lt;");
        case '>' -> out.append("&gt;");
        case '"' -> out.append("&quot;");
        case '\'' -> out.append("&#39;");
        default -> {
          if (isShown(c)) {
            out.append(c);
          } else {
            // Control characters, and those that turn the direction of what follows.
            out.append('\ufffd');
          }
        }
      }
    }
    return this;
  }

  private static boolean isShown(char c) {
    int type = Character.getType(c);
    return c == '\n' || c == '\t' || type != Character.CONTROL && type != Character.FORMAT;
  }

  /** An element with text in it. */
  Html element(String name, String text) {
    return raw("<").raw(name).raw(">").text(text).raw("</").raw(name).raw(">");
  }

  /** An element of a class with text in it. */
  Html element(String name, String style, String text) {
    return raw("<")
        .raw(name)
        .raw(" class=\"")
        .text(style)
        .raw("\">")
        .text(text)
        .raw("</")
        .raw(name)
        .raw(">");
  }

  @Override
  public String toString() {
    return out.toString();
  }
}

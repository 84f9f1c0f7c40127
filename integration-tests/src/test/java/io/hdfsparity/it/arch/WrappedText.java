/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it.arch;

/** Text of a page, in lines that are not too long. Stateless. */
final class WrappedText {
  private static final int PAGE_WIDTH = 120;

  private WrappedText() {}

  static void append(String text, StringBuilder b) {
    int column = 0;
    // A "<" outside of code would be taken for a tag.
    for (String word : text.replace("<", "&lt;").split(" ", -1)) {
      if (column > 0 && column + 1 + word.length() > PAGE_WIDTH) {
        b.append('\n');
        column = 0;
      } else if (column > 0) {
        b.append(' ');
        column++;
      }
      b.append(word);
      column += word.length();
    }
    b.append('\n');
  }
}

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.caso;

import io.hdfsparity.benchmarks.macro.BadOption;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A code, in the paper's words: k data and m parity cells a stripe.
 *
 * @param dataCells k
 * @param parityCells m
 */
record CodeShape(int dataCells, int parityCells) {
  private static final Pattern TEXT = Pattern.compile("([1-9]\\d?)-([1-9]\\d?)");

  /**
   * Of {@code k-m}.
   *
   * @throws BadOption when it is something else
   */
  static CodeShape parse(String text) {
    Matcher numbers = TEXT.matcher(text);
    if (!numbers.matches()) {
      throw new BadOption("codes", text, "k-m, such as 4-2");
    }
    return new CodeShape(Integer.parseInt(numbers.group(1)), Integer.parseInt(numbers.group(2)));
  }

  @Override
  public String toString() {
    return "RS(" + dataCells + "," + parityCells + ")";
  }
}

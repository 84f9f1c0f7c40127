/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.caso;

/**
 * A code, in the paper's words: k data and m parity cells a stripe.
 *
 * @param dataCells k
 * @param parityCells m
 */
record CodeShape(int dataCells, int parityCells) {
  /** Of {@code k-m}. */
  static CodeShape parse(String text) {
    String[] numbers = text.split("-", -1);
    if (numbers.length != 2) {
      throw new IllegalArgumentException("Cannot run: code=" + text + ", expected k-m");
    }
    return new CodeShape(Integer.parseInt(numbers[0]), Integer.parseInt(numbers[1]));
  }

  @Override
  public String toString() {
    return "RS(" + dataCells + "," + parityCells + ")";
  }
}

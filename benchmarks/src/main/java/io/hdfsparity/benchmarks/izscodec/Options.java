/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.izscodec;

import io.hdfsparity.benchmarks.macro.BadOption;
import io.hdfsparity.izs.codec.IzsFamily;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Command line of the benchmark.
 *
 * @param out where results go
 * @param dataUnits values of k
 * @param cellKib sizes of a cell in KiB
 * @param rounds turns of each coder
 * @param sliceMs length of a turn
 * @param seed of bytes and order
 */
record Options(
    Path out, List<Integer> dataUnits, List<Integer> cellKib, int rounds, int sliceMs, long seed) {
  static Options parse(String[] arguments) {
    Map<String, String> given = new LinkedHashMap<>();
    given.put("--data-units", "4,6,8,10");
    given.put("--cell-kib", "64,1024");
    given.put("--rounds", "100");
    given.put("--slice-ms", "4");
    given.put("--seed", "1");
    if (arguments.length % 2 == 0) {
      throw new BadOption(
          "Cannot run: an option lacks its value, expected OUT_DIR [OPTION VALUE]…, options "
              + given);
    }
    for (int i = 1; i < arguments.length; i += 2) {
      if (given.replace(arguments[i], arguments[i + 1]) == null) {
        throw new BadOption("option", arguments[i], "one of " + given.keySet());
      }
    }
    for (int dataUnits : numbers(given, "--data-units")) {
      if (!IzsFamily.dataColumns().contains(dataUnits)) {
        throw new BadOption("data-units", dataUnits, "some of " + IzsFamily.dataColumns());
      }
    }
    return new Options(
        Path.of(arguments[0]),
        numbers(given, "--data-units"),
        numbers(given, "--cell-kib"),
        numbers(given, "--rounds").get(0),
        numbers(given, "--slice-ms").get(0),
        BadOption.wholeNumber("seed", given.get("--seed")));
  }

  private static List<Integer> numbers(Map<String, String> given, String name) {
    return Arrays.stream(given.get(name).split(",", -1))
        .map(number -> BadOption.number(name.substring(2), number, 1))
        .toList();
  }
}

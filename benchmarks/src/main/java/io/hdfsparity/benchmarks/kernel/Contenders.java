/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.kernel;

import io.hdfsparity.core.gf.Kernel;
import io.hdfsparity.core.gf.Kernels;
import java.io.IOException;
import java.util.List;

/** Makes contenders by name. */
final class Contenders {
  /** The yardstick first. */
  static final List<String> NAMES =
      List.of("isal-from-c", "isal", "vector", "word", "table", "hadoop-java");

  private Contenders() {}

  static Contender named(String name, Stripe stripe) throws IOException, InterruptedException {
    return switch (name) {
      case "isal-from-c" -> {
        IsalLoop.build();
        yield new IsalFromC(stripe);
      }
      case "hadoop-java" -> new HadoopContender(stripe);
      default -> new KernelContender(kernel(name), stripe);
    };
  }

  private static Kernel kernel(String name) {
    for (Kernels.Candidate candidate : Kernels.table().candidates()) {
      if (candidate.name().equals(name)) {
        return candidate
            .kernel()
            .orElseThrow(
                () ->
                    new UnsupportedOperationException(
                        "Cannot measure: kernel="
                            + name
                            + ", expected one that is here: "
                            + candidate.reason()));
      }
    }
    throw new IllegalArgumentException(
        "Cannot measure: contender=" + name + ", expected one of " + NAMES);
  }
}

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class IsalLoopTest {
  @Test
  void aMissingIsalIsCalledByItsPackage() {
    assertThat(IsalLoop.refusal(1, "/usr/bin/ld: cannot find -l:libisal.so.2: No such file"))
        .contains("exit=1", "apt-get install libisal2", "cannot find -l:libisal.so.2");
    assertThat(IsalLoop.refusal(1, "syntax error")).contains("syntax error").doesNotContain("apt");
  }
}

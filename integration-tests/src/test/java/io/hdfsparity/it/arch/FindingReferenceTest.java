/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it.arch;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.bridge.doctor.Doctor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/**
 * One reference of all findings, generated from the enums that have them. {@code
 * -Dfindings.regenerate=true} writes it.
 */
class FindingReferenceTest {
  private static final Path PAGE = Path.of("..", "docs", "reference", "doctor.md");

  @Test
  void theReferenceIsUpToDate() throws IOException {
    String content = FindingReference.markdown(Doctor.ofClassPath().kinds());
    if (Boolean.getBoolean("findings.regenerate")) {
      Files.writeString(PAGE, content);
    }
    assertThat(PAGE).as("regenerate by -Dfindings.regenerate=true").hasContent(content);
    assertThat(content.lines()).allMatch(line -> line.length() <= 120);
  }
}

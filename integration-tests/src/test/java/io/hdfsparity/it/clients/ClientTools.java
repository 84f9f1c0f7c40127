/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it.clients;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;

/** What makes programs of other languages ready. Without its tool a test fails. */
final class ClientTools {
  private ClientTools() {}

  /** A copy of a file of the tests' resources. */
  static Path resource(String name, Path folder) throws IOException {
    try (InputStream in = ClientTools.class.getResourceAsStream("/clients/" + name)) {
      Path copy = folder.resolve(Path.of(name).getFileName());
      Files.copy(in, copy, StandardCopyOption.REPLACE_EXISTING);
      return copy;
    }
  }

  /**
   * Runs a command to its end.
   *
   * @param folder where
   * @param remedy what to do if it fails
   */
  static void run(Path folder, String remedy, List<String> command)
      throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor())
        .as("Cannot prepare a client: command=%s; %s\n%s", command, remedy, output)
        .isZero();
  }
}

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it.clients;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The program of {@code clients/go}, whose modules are pinned by their hashes. */
final class GoProgram {
  private GoProgram() {}

  /** Builds it below {@code target}; Go does nothing that it has done before. */
  static Path build() throws IOException, InterruptedException {
    Path folder = Files.createDirectories(Path.of("target", "clients-go")).toAbsolutePath();
    for (String each : List.of("go.mod", "go.sum", "main.go")) {
      ClientTools.resource("go/" + each, folder);
    }
    Path program = folder.resolve("client");
    ClientTools.run(
        folder,
        "Debian: apt-get install golang-go; modules come from the proxy that GOPROXY names",
        List.of("go", "build", "-mod=readonly", "-o", program.toString(), "."));
    return program;
  }
}

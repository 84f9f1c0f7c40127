/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.admin;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hdfsparity.bridge.cli.Console;
import io.hdfsparity.core.cli.Arguments;
import io.hdfsparity.raidp.wire.message.TextResponse;
import java.io.IOException;
import java.io.PrintStream;
import java.util.function.BiConsumer;

/** Prints what the manager has answered: as it is with {@code -json}, else for people. */
final class AnswerPrinter {
  private static final String JSON = "-json";

  private final PrintStream out;
  private final ObjectMapper mapper = new ObjectMapper();

  AnswerPrinter(PrintStream out) {
    this.out = out;
  }

  /**
   * Prints it.
   *
   * @return the exit code of the command
   */
  int print(TextResponse answer, Arguments a, BiConsumer<JsonNode, PrintStream> text)
      throws IOException {
    JsonNode doc = mapper.readTree(answer.json());
    if (a.has(JSON)) {
      out.println(Console.json(doc));
    } else {
      text.accept(doc, out);
    }
    return answer.exitCode();
  }
}

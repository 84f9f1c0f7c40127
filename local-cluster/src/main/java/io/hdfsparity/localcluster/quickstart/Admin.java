/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.quickstart;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hdfsparity.localcluster.quickstart.QuickstartException.Kind;
import io.hdfsparity.raidp.admin.RaidpAdmin;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;

/**
 * Runs {@code hdfs raidp} in this JVM, with the arguments that a user would give, and reads the
 * JSON it prints.
 */
final class Admin {
  private final Configuration conf;

  Admin(Configuration conf) {
    this.conf = conf;
  }

  /** Exit code, what was printed, and what was complained about. */
  record Answer(int exitCode, String out, String err) {
    Optional<JsonNode> json() {
      try {
        JsonNode doc = new ObjectMapper().readTree(out);
        return doc == null || doc.isMissingNode() ? Optional.empty() : Optional.of(doc);
      } catch (IOException noJson) {
        return Optional.empty();
      }
    }
  }

  /** Runs a command; each line that it prints on standard error is handed on as it comes. */
  Answer run(Consumer<String> errorLines, String... arguments) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    StringBuilder err = new StringBuilder();
    Consumer<String> both =
        line -> {
          err.append(line).append('\n');
          errorLines.accept(line);
        };
    try (PrintStream outStream = new PrintStream(out, false, StandardCharsets.UTF_8);
        PrintStream errStream = new PrintStream(new Lines(both), true, StandardCharsets.UTF_8)) {
      int exitCode = new RaidpAdmin(conf, outStream, errStream).run(arguments);
      outStream.flush();
      return new Answer(exitCode, out.toString(StandardCharsets.UTF_8), err.toString().trim());
    }
  }

  /**
   * Runs a command that must succeed.
   *
   * @throws QuickstartException when it does not
   */
  JsonNode json(String... arguments) throws QuickstartException {
    Answer answer = run(line -> {}, arguments);
    Optional<JsonNode> doc = answer.json();
    if (answer.exitCode() != 0 || doc.isEmpty()) {
      throw new QuickstartException(
          Kind.CLUSTER,
          "raidp "
              + String.join(" ", arguments)
              + " failed: exit code "
              + answer.exitCode()
              + ", "
              + (answer.err().isEmpty() ? answer.out().trim() : answer.err()));
    }
    return doc.get();
  }

  /** Cuts a stream into lines; a carriage return ends one too. Used by one thread. */
  private static final class Lines extends OutputStream {
    private final Consumer<String> lines;
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();

    Lines(Consumer<String> lines) {
      this.lines = lines;
    }

    @Override
    public void write(int b) {
      if (b != '\n' && b != '\r') {
        line.write(b);
      } else if (line.size() > 0) {
        lines.accept(line.toString(StandardCharsets.UTF_8));
        line.reset();
      }
    }
  }
}

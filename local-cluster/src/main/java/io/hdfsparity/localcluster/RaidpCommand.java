/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hdfsparity.raidp.admin.RaidpAdmin;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.ToolRunner;

/**
 * Runs {@code hdfs raidp} in this JVM: the same class and arguments as on the command line.
 * Thread-safe.
 */
final class RaidpCommand {
  private final Configuration conf;

  RaidpCommand(Configuration conf) {
    this.conf = conf;
  }

  /** Exit code and what was printed. */
  record Result(int exitCode, String out, String err) {}

  /**
   * Runs a command.
   *
   * @throws IOException when its arguments cannot be parsed at all
   */
  Result run(String... arguments) throws IOException {
    ByteArrayOutputStream outBytes = new ByteArrayOutputStream();
    ByteArrayOutputStream errBytes = new ByteArrayOutputStream();
    try (PrintStream out = new PrintStream(outBytes, true, StandardCharsets.UTF_8);
        PrintStream err = new PrintStream(errBytes, true, StandardCharsets.UTF_8)) {
      int exitCode = ToolRunner.run(conf, new RaidpAdmin(conf, out, err), arguments);
      return new Result(
          exitCode,
          outBytes.toString(StandardCharsets.UTF_8),
          errBytes.toString(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw e;
    } catch (Exception e) {
      throw new IOException("Cannot run raidp " + String.join(" ", arguments) + ": " + e, e);
    }
  }

  /**
   * Runs a command that prints JSON.
   *
   * @throws IOException when it fails or prints something else
   */
  JsonNode json(String... arguments) throws IOException {
    Result result = run(arguments);
    if (result.exitCode() != 0) {
      throw new IOException(
          "Cannot run raidp "
              + String.join(" ", arguments)
              + ": exit code "
              + result.exitCode()
              + ", expected 0: "
              + (result.err() + result.out()).trim());
    }
    return new ObjectMapper().readTree(result.out());
  }
}

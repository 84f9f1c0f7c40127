/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hdfsparity.admin.ParityAdmin;
import io.hdfsparity.caso.admin.CasoAdmin;
import io.hdfsparity.ecupdate.admin.EcUpdateAdmin;
import io.hdfsparity.izs.admin.IzsAdmin;
import io.hdfsparity.raidp.admin.RaidpAdmin;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.Tool;

/**
 * Runs an administrator's commands in this JVM, as a user would write them behind {@code hdfs}, and
 * reads the JSON they print. Thread-safe.
 *
 * @param conf of a client of the cluster
 */
public record AdminCommand(Configuration conf) {
  /** What was run, exit code, what was printed, and what was complained about. */
  public record Answer(String command, int exitCode, String out, String err) {
    /**
     * This answer, if the command has succeeded.
     *
     * @throws IOException with what it has complained about
     */
    public Answer requireSuccess() throws IOException {
      if (exitCode != 0) {
        throw failed();
      }
      return this;
    }

    /**
     * The JSON that was printed, whatever the exit code.
     *
     * @throws IOException when it is none, with what the command has complained about
     */
    public JsonNode requireJson() throws IOException {
      return json().orElseThrow(this::failed);
    }

    /** The JSON that was printed, if it is some. */
    public Optional<JsonNode> json() {
      try {
        JsonNode doc = new ObjectMapper().readTree(out);
        return Optional.ofNullable(doc).filter(each -> !each.isMissingNode());
      } catch (IOException noJson) {
        return Optional.empty();
      }
    }

    private IOException failed() {
      String told = err.isEmpty() ? out.trim() : err;
      return new IOException(command + " failed: exit code " + exitCode + ", " + told);
    }
  }

  /**
   * Runs a command.
   *
   * @param errorLines told each line that it prints on standard error, as it comes
   * @param line its name and arguments, with spaces between them; each that is %s is the next value
   */
  public Answer run(Consumer<String> errorLines, String line, Object... values) {
    Iterator<Object> left = List.of(values).iterator();
    List<String> words =
        Arrays.stream(line.split(" "))
            .map(word -> word.equals("%s") ? left.next().toString() : word)
            .toList();
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    StringBuilder err = new StringBuilder();
    Lines lines = new Lines(text -> err.append(text).append('\n'), errorLines);
    try (PrintStream outStream = new PrintStream(out, true, StandardCharsets.UTF_8);
        PrintStream errStream = new PrintStream(lines, true, StandardCharsets.UTF_8)) {
      Tool tool = tool(words.get(0), outStream, errStream);
      int exitCode = tool.run(words.subList(1, words.size()).toArray(String[]::new));
      outStream.flush();
      return new Answer(
          String.join(" ", words),
          exitCode,
          out.toString(StandardCharsets.UTF_8),
          err.toString().trim());
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException("Commands tell errors by their exit code: " + line, e);
    }
  }

  private Tool tool(String name, PrintStream out, PrintStream err) {
    return switch (name) {
      case "raidp" -> new RaidpAdmin(conf, out, err);
      case "izs" -> new IzsAdmin(conf, out, err);
      case "ecupdate" -> new EcUpdateAdmin(conf, InputStream.nullInputStream(), out, err);
      case "caso" -> new CasoAdmin(conf, out, err);
      case "parity" -> new ParityAdmin(conf, out, err);
      default ->
          throw new IllegalArgumentException(
              "Cannot run a command: name=" + name + ", expected one of the suite");
    };
  }

  /**
   * Runs a command that must succeed, and print JSON.
   *
   * @throws IOException when it does not
   */
  public JsonNode json(String line, Object... values) throws IOException {
    return run(text -> {}, line, values).requireSuccess().requireJson();
  }

  /** Cuts a stream into lines; a carriage return ends one too. Used by one thread. */
  private static final class Lines extends OutputStream {
    private final Consumer<String> lines;
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();

    Lines(Consumer<String> kept, Consumer<String> told) {
      this.lines = kept.andThen(told);
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

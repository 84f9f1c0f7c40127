/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.quickstart;

import static io.hdfsparity.localcluster.quickstart.Texts.format;

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
import java.time.Duration;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.apache.hadoop.conf.Configuration;

/**
 * Runs an administrator's command in this JVM, with the arguments that a user would give, and reads
 * the JSON it prints.
 */
record Admin(String name, Tool tool) {
  /** The command itself. */
  interface Tool {
    int run(PrintStream out, PrintStream err, String... arguments);
  }

  /** {@code hdfs raidp}. */
  static Admin raidp(Configuration conf) {
    return new Admin("raidp", (out, err, args) -> new RaidpAdmin(conf, out, err).run(args));
  }

  /** {@code hdfs parity}. */
  static Admin parity(Configuration conf) {
    return new Admin("parity", (out, err, args) -> new ParityAdmin(conf, out, err).run(args));
  }

  /** {@code hdfs izs}. */
  static Admin izs(Configuration conf) {
    return new Admin("izs", (out, err, args) -> new IzsAdmin(conf, out, err).run(args));
  }

  /** {@code hdfs ecupdate}. */
  static Admin ecupdate(Configuration conf) {
    return new Admin(
        "ecupdate",
        (out, err, args) ->
            new EcUpdateAdmin(conf, InputStream.nullInputStream(), out, err).run(args));
  }

  /** {@code hdfs caso}. */
  static Admin caso(Configuration conf) {
    return new Admin("caso", (out, err, args) -> new CasoAdmin(conf, out, err).run(args));
  }

  /** What was run, exit code, what was printed, and what was complained about. */
  record Answer(String command, int exitCode, String out, String err) {
    /** The complaint about it. */
    QuickstartException failed() {
      return QuickstartException.cluster(
          "%s failed: exit code %s, %s", command, exitCode, err.isEmpty() ? out.trim() : err);
    }

    Answer requireSuccess() throws QuickstartException {
      if (exitCode != 0) {
        throw failed();
      }
      return this;
    }

    JsonNode requireJson() throws QuickstartException {
      return json().orElseThrow(this::failed);
    }

    Optional<JsonNode> json() {
      try {
        JsonNode doc = new ObjectMapper().readTree(out);
        return doc == null || doc.isMissingNode() ? Optional.empty() : Optional.of(doc);
      } catch (IOException noJson) {
        return Optional.empty();
      }
    }
  }

  /**
   * Runs a command.
   *
   * @param errorLines told each line that it prints on standard error, as it comes
   * @param line its arguments, with spaces between them; each that is %s is the next value
   */
  Answer run(Consumer<String> errorLines, String line, Object... values) {
    Iterator<Object> left = List.of(values).iterator();
    String[] arguments =
        Arrays.stream(line.split(" "))
            .map(word -> word.equals("%s") ? left.next().toString() : word)
            .toArray(String[]::new);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    StringBuilder err = new StringBuilder();
    Consumer<String> both =
        text -> {
          err.append(text).append('\n');
          errorLines.accept(text);
        };
    try (PrintStream outStream = new PrintStream(out, false, StandardCharsets.UTF_8);
        PrintStream errStream = new PrintStream(new Lines(both), true, StandardCharsets.UTF_8)) {
      int exitCode = tool.run(outStream, errStream, arguments);
      outStream.flush();
      return new Answer(
          name + " " + format(line, values),
          exitCode,
          out.toString(StandardCharsets.UTF_8),
          err.toString().trim());
    }
  }

  /**
   * Runs a command that must succeed.
   *
   * @throws QuickstartException when it does not
   */
  JsonNode json(String line, Object... values) throws QuickstartException {
    return run(text -> {}, line, values).requireSuccess().requireJson();
  }

  /**
   * Runs a command until its answer will do: it is refused while the cluster is not ready for it.
   *
   * @param errorLines told each line that it prints on standard error
   * @param reasons told each time why its answer will not do
   */
  JsonNode jsonWhen(
      Predicate<Answer> ready,
      Duration timeout,
      Consumer<String> errorLines,
      Consumer<String> reasons,
      String line,
      Object... values)
      throws QuickstartException, InterruptedException {
    return Poll.answer(
        name + " " + format(line, values) + " failed",
        timeout,
        reasons,
        () -> {
          Answer answer = run(errorLines, line, values);
          if (!ready.test(answer)) {
            throw new Poll.NotYet("%s", answer.err());
          }
          return answer.requireJson();
        });
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

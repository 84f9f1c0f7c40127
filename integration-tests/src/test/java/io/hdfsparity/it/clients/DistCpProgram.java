/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it.clients;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.tools.DistCp;

/**
 * DistCp in a process with no class of the suite but this one and {@link ClientProgram}, whose
 * lines it takes. Jobs run in the process.
 *
 * <p>One side of each copy is a replicated file below {@code /distcp-}, the other is what the line
 * names. DistCp compares the checksums of both. It appends where the target is the begin of the
 * source ({@code -update -append}).
 */
final class DistCpProgram {
  private static final String LOGGING =
      """
      log4j.rootLogger=WARN, err
      log4j.appender.err=org.apache.log4j.ConsoleAppender
      log4j.appender.err.target=System.err
      log4j.appender.err.layout=org.apache.log4j.PatternLayout
      log4j.appender.err.layout.ConversionPattern=%p %c{1} %m%n
      """;

  private final Configuration conf = new Configuration();
  private final FileSystem fs;

  /** Of this process: programs that run beside it have others. */
  private final Path folder = new Path("/distcp-" + ProcessHandle.current().pid());

  private int files;

  /** What was logged: DistCp only logs what a job has failed with. */
  private final ByteArrayOutputStream logged;

  private DistCpProgram(ByteArrayOutputStream logged) throws IOException {
    this.logged = logged;
    // Checksums of files in copies and in code differ else, and DistCp refuses. The jobs run with
    // this file system: it is cached.
    conf.set("dfs.checksum.combine.mode", "COMPOSITE_CRC");
    fs = FileSystem.get(FileSystem.getDefaultUri(conf), conf);
  }

  public static void main(String[] args) throws IOException {
    ByteArrayOutputStream logged = new ByteArrayOutputStream();
    System.setErr(new PrintStream(logged, /* autoFlush= */ true, StandardCharsets.UTF_8));
    java.nio.file.Path logging = Files.createTempFile("distcp", ".properties");
    Files.writeString(logging, LOGGING);
    // Read when the first class logs: the appender takes the stream that was set above.
    System.setProperty("log4j.configuration", logging.toUri().toString());
    ClientProgram.serve(new DistCpProgram(logged)::run);
  }

  private Path fresh() {
    files++;
    return new Path(folder, "f" + files);
  }

  private String run(String operation, String path, String local) throws Exception {
    java.nio.file.Path here = java.nio.file.Path.of(local);
    Path file = new Path(path);
    Path copy = fresh();
    switch (operation) {
      case "read" -> {
        copy(file, copy);
        try (InputStream in = fs.open(copy)) {
          Files.copy(in, here, StandardCopyOption.REPLACE_EXISTING);
        }
      }
      case "write" -> {
        try (OutputStream out = fs.create(copy)) {
          Files.copy(here, out);
        }
        copy(copy, file);
      }
      case "append" -> {
        try (OutputStream out = fs.create(copy);
            InputStream in = fs.open(file)) {
          in.transferTo(out);
          Files.copy(here, out);
        }
        copy(copy, file, "-update", "-append");
      }
      default -> throw new IllegalArgumentException("operation=" + operation);
    }
    return "";
  }

  private void copy(Path from, Path to, String... options) throws Exception {
    logged.reset();
    List<String> words = new ArrayList<>(List.of(options));
    words.add(from.toString());
    words.add(to.toString());
    int exit =
        org.apache.hadoop.util.ToolRunner.run(
            conf, new DistCp(conf, /* inputOptions= */ null), words.toArray(new String[0]));
    if (exit != 0) {
      throw new IOException("exit " + exit + ": " + String.join("; ", failures()));
    }
  }

  /** The exceptions that were logged, each with its message. */
  private List<String> failures() {
    return logged
        .toString(StandardCharsets.UTF_8)
        .lines()
        .filter(line -> line.matches("(Caused by: )?([a-z]\\w*\\.)+\\w*(Exception|Error)\\b.*"))
        .map(line -> line.replaceFirst("Caused by: ", "caused by "))
        .distinct()
        .toList();
  }
}

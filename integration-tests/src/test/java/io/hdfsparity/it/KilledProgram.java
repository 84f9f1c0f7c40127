/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import io.hdfsparity.ecupdate.client.FileUpdates;
import io.hdfsparity.ecupdate.updater.SessionOverException;
import io.hdfsparity.ecupdate.updater.StripedFileUpdater;
import io.hdfsparity.ecupdate.updater.UpdaterOptions;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/**
 * A class with a main method that runs as a process of its own, and is killed: it says what it
 * does, a line each, whose last word is a dot. Used by one thread.
 */
final class KilledProgram implements AutoCloseable {
  private static final int ERROR_LINES = 40;

  private final Process process;
  private final BufferedReader said;
  private final java.nio.file.Path errors;

  KilledProgram(Class<?> main, String... arguments) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(
            System.getProperty("java.home") + "/bin/java",
            "-Xmx256m",
            "-cp",
            System.getProperty("java.class.path"),
            main.getName());
    builder.command().addAll(List.of(arguments));
    errors = Files.createTempFile("killed-program", ".err");
    process = builder.redirectError(errors.toFile()).start();
    said =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
  }

  /**
   * For such a program: opens a file once nothing hinders it any more, as a machine that is slow
   * may for a moment (DataNodes that have not reported yet, rebuilds that HDFS has ordered).
   */
  static StripedFileUpdater open(FileSystem fs, Path path) {
    return Awaitility.await(path + " is opened")
        .atMost(Duration.ofMinutes(2))
        .ignoreExceptionsInstanceOf(IOException.class)
        .until(
            () -> {
              try {
                return FileUpdates.open(fs, path, UpdaterOptions.standard());
              } catch (IOException e) {
                System.err.println("Cannot open yet: " + e);
                throw e;
              }
            },
            opened -> true);
  }

  /**
   * For such a program: writes, with another session if a machine that is slow has let this one's
   * lease end.
   *
   * @return the updater that has written
   */
  static StripedFileUpdater write(
      StripedFileUpdater updater, FileSystem fs, Path path, long position, byte[] bytes)
      throws IOException {
    StripedFileUpdater now = updater;
    while (true) {
      try {
        now.write(position, ByteBuffer.wrap(bytes));
        return now;
      } catch (SessionOverException e) {
        System.err.println("Opened again: " + e);
        now = open(fs, path);
      }
    }
  }

  /** The words of the next line, the dot too; null when it has ended, and all was heard. */
  String @Nullable [] next() throws IOException {
    String line = said.readLine();
    while (line != null && !line.endsWith(" .")) {
      line = said.readLine(); // the last one, cut
    }
    return line == null ? null : line.split(" ");
  }

  /** The end of its standard error: why it has ended by itself. */
  String errors() throws IOException {
    List<String> lines = Files.readAllLines(errors);
    return String.join("\n", lines.subList(Math.max(0, lines.size() - ERROR_LINES), lines.size()));
  }

  /** SIGKILL; what it has said before can be heard still. */
  void kill() {
    process.toHandle().destroyForcibly(); // its output stays open
  }

  @Override
  public void close() throws IOException {
    process.destroyForcibly();
    said.close();
    Files.delete(errors);
  }
}

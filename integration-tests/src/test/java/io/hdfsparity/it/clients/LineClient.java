/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it.clients;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** A client in a process of its own, which talks in the lines of {@link ClientProgram}. */
final class LineClient implements Client {
  private static final String ANSWER = "::";

  private final String title;
  private final boolean takesOurJar;
  private final Set<Operation> operations;
  private final Path errors;
  private final Process process;
  private final BufferedWriter to;
  private final BufferedReader from;

  LineClient(String title, boolean takesOurJar, List<String> command, Path errors)
      throws IOException {
    this(title, takesOurJar, EnumSet.allOf(Operation.class), command, errors);
  }

  /**
   * @param operations that it has
   */
  LineClient(
      String title,
      boolean takesOurJar,
      Set<Operation> operations,
      List<String> command,
      Path errors)
      throws IOException {
    this.title = title;
    this.operations = operations;
    this.takesOurJar = takesOurJar;
    this.errors = errors;
    ProcessBuilder builder = new ProcessBuilder(command).redirectError(errors.toFile());
    // Nothing of this machine's Hadoop, if it has one.
    builder.environment().keySet().removeIf(name -> name.startsWith("HADOOP_"));
    process = builder.start();
    to = process.outputWriter(StandardCharsets.UTF_8);
    from = process.inputReader(StandardCharsets.UTF_8);
  }

  @Override
  public String title() {
    return title;
  }

  @Override
  public boolean takesOurJar() {
    return takesOurJar;
  }

  @Override
  public boolean offers(Operation operation) {
    return operations.contains(operation);
  }

  @Override
  public Answer run(Operation operation, String path, Path local) throws IOException {
    return send(operation.label(), path, local.toString());
  }

  /**
   * A line that the program knows.
   *
   * @param local a file of this machine, or what else the operation takes
   */
  Answer send(String operation, String path, String local) throws IOException {
    to.write(operation + "\t" + path + "\t" + local + "\n");
    to.flush();
    String line = from.readLine();
    while (line != null && !line.startsWith(ANSWER)) {
      line = from.readLine();
    }
    if (line == null) {
      throw new IOException(title + " has ended: " + Files.readString(errors));
    }
    String[] words = line.substring(ANSWER.length()).split("\t", -1);
    if (!words[0].equals("ok")) {
      return Answer.refused(words[1]);
    }
    Map<String, Long> listed = new TreeMap<>();
    for (int i = 1; i < words.length; i++) {
      int at = words[i].lastIndexOf('=');
      listed.put(words[i].substring(0, at), Long.parseLong(words[i].substring(at + 1)));
    }
    return Answer.done(listed);
  }

  @Override
  public void close() throws InterruptedException {
    // A client may stand in an operation: it is not asked to end.
    process.destroyForcibly().waitFor(60, TimeUnit.SECONDS);
  }
}

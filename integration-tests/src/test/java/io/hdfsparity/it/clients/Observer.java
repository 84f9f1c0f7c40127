/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it.clients;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;

/** Has one client do everything, and judges what it did. For one thread. */
final class Observer {
  private static final int WRITE_BYTES = (1 << 20) + 200_003;
  private static final int MORE_BYTES = 400_007;

  private final ClientsCluster cluster;
  private final Client client;
  private final SuiteClient judge;
  private final int number;
  private final Path scratch;
  private final StripeCheck stripes;

  /**
   * @param judge reads what the client has written
   * @param number of the client, from 0
   * @param scratch a folder of its own
   */
  Observer(ClientsCluster cluster, Client client, SuiteClient judge, int number, Path scratch) {
    this.cluster = cluster;
    this.client = client;
    this.judge = judge;
    this.number = number;
    this.scratch = scratch;
    this.stripes = new StripeCheck(cluster.dfs());
  }

  /**
   * @param clients how many there are, each with a file to append to in either state
   */
  void observe(boolean nodeIsDead, int clients, Map<Observation, Outcome> table) throws Exception {
    for (FileKind kind : cluster.kinds()) {
      for (Operation operation : Operation.values()) {
        Observation cell = new Observation(client.title(), kind, operation, nodeIsDead);
        if (client.offers(operation) && isAsked(cell)) {
          table.put(
              cell,
              switch (operation) {
                case READ -> read(cell);
                case WRITE -> write(cell);
                case APPEND ->
                    append(cell, cluster.append(kind, number + (nodeIsDead ? clients : 0)));
                case LIST -> list(cell);
              });
        }
      }
    }
  }

  private static boolean isAsked(Observation cell) {
    return switch (cell.operation()) {
      case READ -> true;
      case WRITE -> cell.kind().isWritten();
      // Nobody could judge what was appended: such a file is not decoded.
      case APPEND -> !(cell.nodeIsDead() && cell.kind() == FileKind.UPDATING);
      // DataNodes have no part in it.
      case LIST -> !cell.nodeIsDead();
    };
  }

  private Path local(String name) {
    return scratch.resolve(name);
  }

  private Outcome read(Observation cell) throws Exception {
    TestFile file = cluster.read(cell.kind());
    Path local = local("read");
    Files.deleteIfExists(local);
    Answer answer = client.run(Operation.READ, file.path(), local);
    if (!answer.isDone()) {
      // Whoever does not look at the length has these bytes.
      boolean isWrong =
          answer.message().equals(WebClient.CUT)
              && Arrays.mismatch(Files.readAllBytes(local), file.bytes()) != Files.size(local);
      return isWrong
          ? Outcome.wrong("cut, and other bytes")
          : Outcome.refused(cell, answer.message());
    }
    return difference(Files.readAllBytes(local), file.bytes())
        .map(Outcome::wrong)
        .orElseGet(Outcome::works);
  }

  private static Optional<String> difference(byte[] read, byte[] expected) {
    int at = Arrays.mismatch(read, expected);
    return at == -1
        ? Optional.empty()
        : Optional.of(
            "byte "
                + at
                + " differs; lengthBytes="
                + read.length
                + ", expected "
                + expected.length);
  }

  private Outcome write(Observation cell) throws Exception {
    FileKind kind = cell.kind();
    String path = kind.directory() + "/written-" + number + (cell.nodeIsDead() ? "-dead" : "");
    byte[] bytes = TestFile.content(path, WRITE_BYTES);
    Path local = Files.write(local("write"), bytes);
    Answer answer = client.run(Operation.WRITE, path, local);
    if (!answer.isDone()) {
      long left = length(path);
      return left > 0
          ? Outcome.wrong("refused, and leaves bytes=" + left + ": " + answer.message())
          : Outcome.refused(cell, answer.message());
    }
    Optional<String> problem = problem(path, bytes);
    if (problem.isEmpty() && kind.hasPlainParity()) {
      problem = stripes.problem(path);
    }
    return problem.map(Outcome::wrong).orElseGet(Outcome::works);
  }

  /** Of a file, 0 if there is none. */
  private long length(String path) throws IOException {
    org.apache.hadoop.fs.Path file = new org.apache.hadoop.fs.Path(path);
    try {
      return judge.fileSystem().getFileStatus(file).getLen();
    } catch (FileNotFoundException e) {
      return 0;
    }
  }

  /** What the suite's file system does not find in a file. */
  private Optional<String> problem(String path, byte[] expected) throws IOException {
    Path local = local("judged");
    Answer read = judge.run(Operation.READ, path, local);
    return read.isDone()
        ? difference(Files.readAllBytes(local), expected)
        : Optional.of("it cannot be read afterwards: " + read.message());
  }

  private Outcome append(Observation cell, TestFile file) throws Exception {
    byte[] more = TestFile.content(file.path() + " and more", MORE_BYTES);
    Path local = Files.write(local("append"), more);
    Answer answer = client.run(Operation.APPEND, file.path(), local);
    if (!answer.isDone()) {
      // A refusal changes nothing. Who cannot read it now could not before.
      Answer before = judge.run(Operation.READ, file.path(), local("judged"));
      if (!before.isDone()) {
        return cell.nodeIsDead()
            ? Outcome.refused(cell, answer.message())
            : Outcome.wrong("refused, and then: " + before.message());
      }
      return difference(Files.readAllBytes(local("judged")), file.bytes())
          .map(Outcome::wrong)
          .orElseGet(() -> Outcome.refused(cell, answer.message()));
    }
    byte[] all = Arrays.copyOf(file.bytes(), file.bytes().length + more.length);
    System.arraycopy(more, 0, all, file.bytes().length, more.length);
    Optional<String> problem = problem(file.path(), all);
    if (problem.isEmpty() && cell.kind().hasPlainParity()) {
      problem = stripes.problem(file.path());
    }
    return problem.map(Outcome::wrong).orElseGet(Outcome::works);
  }

  private Outcome list(Observation cell) throws Exception {
    TestFile file = cluster.read(cell.kind());
    Answer answer = client.run(Operation.LIST, cell.kind().directory(), local("list"));
    if (!answer.isDone()) {
      return Outcome.refused(cell, answer.message());
    }
    Long length = answer.listed().get(file.name());
    return length != null && length == file.bytes().length
        ? Outcome.works()
        : Outcome.wrong("listed " + answer.listed());
  }
}

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.admin;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hdfsparity.core.cli.Arguments;
import io.hdfsparity.core.cli.Command;
import io.hdfsparity.core.cli.SizesAndDurations;
import io.hdfsparity.core.cli.UsageException;
import io.hdfsparity.raidp.admin.ManagerClient.AnswerTimeout;
import io.hdfsparity.raidp.wire.RaidpAdminProtocol;
import io.hdfsparity.raidp.wire.message.TextResponse;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * {@code hdfs raidp -fsck} and {@code -scrub}. The check runs in the NameNode and on the DataNodes;
 * ending the command ends it there as well.
 */
final class FsckCommand {
  private static final String JSON = "-json";
  private static final String PROGRESS = "-progress";
  private static final String STOP = "-stop";
  private static final String PARALLEL = "-parallel";
  private static final long LINE_EVERY_MS = 2_000;

  private final Supplier<ManagerClient> client;
  private final PrintStream out;
  private final PrintStream err;
  private final AnswerPrinter answers;
  private final ObjectMapper mapper = new ObjectMapper();

  /** One of the two calls. */
  private interface Call {
    TextResponse at(RaidpAdminProtocol manager, List<String> args) throws IOException;
  }

  FsckCommand(Supplier<ManagerClient> client, PrintStream out, PrintStream err) {
    this.client = client;
    this.out = out;
    this.err = err;
    this.answers = new AnswerPrinter(out);
  }

  List<Command> commands() {
    String options = "[-parallel NODES] [-throttle MB_PER_SECOND] [-progress | -stop] [-json]";
    String explained =
        "\n-parallel: DataNodes that read at once (16); -throttle: what each of them reads at most;"
            + " -progress prints how far it is; -stop ends the check that is running. Ctrl-C ends"
            + " it too.";
    return List.of(
        Command.of(
            "-fsck",
            "[-repair] " + options,
            "Checks placement, slots, checksums and parity of everything that is covered; with"
                + " -repair puts right what can be."
                + explained,
            args ->
                run(args, Set.of(JSON, PROGRESS, STOP, "-repair"), Set.of(), FsckCommand::fsck)),
        Command.of(
            "-scrub",
            "[-disk ID] " + options,
            "Reads covered replicas and parity of all disks, or of one, and compares." + explained,
            args -> run(args, Set.of(JSON, PROGRESS, STOP), Set.of("-disk"), FsckCommand::scrub)));
  }

  private static TextResponse fsck(RaidpAdminProtocol manager, List<String> args)
      throws IOException {
    return manager.fsck(args);
  }

  private static TextResponse scrub(RaidpAdminProtocol manager, List<String> args)
      throws IOException {
    return manager.scrub(args);
  }

  private int run(List<String> args, Set<String> flags, Set<String> values, Call call)
      throws Exception {
    Set<String> allValues = new java.util.HashSet<>(values);
    allValues.add(PARALLEL);
    allValues.add("-throttle");
    Arguments a = Arguments.parse(args, flags, allValues);
    ManagerClient manager = client.get();
    if (a.has(STOP)) {
      return answers.print(
          manager.call(m -> call.at(m, List.of(STOP)), AnswerTimeout.SHORT),
          a,
          (doc, to) ->
              to.println(
                  doc.path("running").asBoolean() ? "Stopping the check" : "No check is running"));
    }
    List<String> sent = new ArrayList<>();
    if (a.has("-repair")) {
      sent.add("-repair");
    }
    a.value("-disk").ifPresent(disk -> sent.addAll(List.of("-disk", disk)));
    Optional<String> parallel = a.value(PARALLEL);
    if (parallel.isPresent()) {
      if (!parallel.get().matches("[1-9][0-9]{0,3}")) {
        throw new UsageException(
            PARALLEL + "=" + parallel.get() + ", expected a number of DataNodes, from 1 to 1024");
      }
      sent.addAll(List.of(PARALLEL, parallel.get()));
    }
    OptionalLong throttle = ProtectionCommands.throttle(a);
    throttle.ifPresent(bytes -> sent.addAll(List.of("-throttle", String.valueOf(bytes))));
    Thread hook = new Thread(() -> stop(manager, call));
    Runtime.getRuntime().addShutdownHook(hook);
    try {
      TextResponse answer =
          a.has(PROGRESS)
              ? watched(manager, call, sent, a.has(JSON) ? err : out)
              : manager.call(m -> call.at(m, sent), AnswerTimeout.LONG);
      return answers.print(answer, a, Texts::fsck);
    } finally {
      removeHook(hook);
    }
  }

  private void stop(ManagerClient manager, Call call) {
    try {
      manager.call(m -> call.at(m, List.of(STOP)), AnswerTimeout.SHORT);
      err.println("Stopping the check");
    } catch (IOException e) {
      err.println("The check may go on; end it with: hdfs raidp -fsck -stop. " + e.getMessage());
    }
  }

  private void removeHook(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException shuttingDown) {
      err.flush(); // The hook is running: that is what it is for.
    }
  }

  private TextResponse watched(ManagerClient manager, Call call, List<String> sent, PrintStream to)
      throws Exception {
    CompletableFuture<TextResponse> result = new CompletableFuture<>();
    Thread check =
        new Thread(
            () -> {
              try {
                result.complete(manager.call(m -> call.at(m, sent), AnswerTimeout.LONG));
              } catch (IOException | RuntimeException e) {
                result.completeExceptionally(e);
              }
            },
            "raidp-fsck");
    check.setDaemon(true);
    check.start();
    while (true) {
      try {
        return result.get(LINE_EVERY_MS, TimeUnit.MILLISECONDS);
      } catch (TimeoutException running) {
        to.println(progress(manager, call));
      } catch (ExecutionException e) {
        if (e.getCause() instanceof Exception cause) {
          throw cause;
        }
        throw e;
      }
    }
  }

  private String progress(ManagerClient manager, Call call) {
    try {
      TextResponse answer = manager.call(m -> call.at(m, List.of("-watch")), AnswerTimeout.SHORT);
      return line(mapper.readTree(answer.json()));
    } catch (IOException e) {
      return "Cannot ask how far the check is: " + e.getMessage();
    }
  }

  /** One line of progress. */
  static String line(JsonNode d) {
    if (d.path("nodesTotal").asInt() == 0) {
      return "Comparing blocks and rows";
    }
    long elapsedMs = Math.max(1, d.path("elapsedMs").asLong());
    long bytes = d.path("bytesRead").asLong();
    long etaMs = d.path("etaMs").asLong(-1);
    return "Reading: "
        + d.path("percent").asInt()
        + "%, nodes "
        + d.path("nodesDone").asInt()
        + " of "
        + d.path("nodesTotal").asInt()
        + ", read "
        + SizesAndDurations.bytes(bytes)
        + ", "
        + SizesAndDurations.bytes((long) (bytes * 1000.0 / elapsedMs))
        + "/s, ETA "
        + (etaMs < 0 ? "--:--" : SizesAndDurations.minutes(etaMs));
  }
}

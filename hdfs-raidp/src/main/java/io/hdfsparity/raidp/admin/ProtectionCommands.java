/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.admin;

import com.fasterxml.jackson.databind.JsonNode;
import io.hdfsparity.core.cli.Arguments;
import io.hdfsparity.core.cli.Command;
import io.hdfsparity.core.cli.UsageException;
import io.hdfsparity.raidp.admin.ManagerClient.AnswerTimeout;
import io.hdfsparity.raidp.wire.message.AdoptRequest;
import io.hdfsparity.raidp.wire.message.AdoptRequest.Action;
import io.hdfsparity.raidp.wire.message.AdoptRequest.Goal;
import io.hdfsparity.raidp.wire.message.ProtectRequest;
import io.hdfsparity.raidp.wire.message.ProtectRequest.Change;
import io.hdfsparity.raidp.wire.message.TextResponse;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

/** The commands of {@code hdfs raidp} about protected directories. */
final class ProtectionCommands {
  private static final String JSON = "-json";
  private static final String ADOPT = "-adopt";
  private static final String ALL = "-all";
  private static final String RELEASE = "-release";
  private static final String REPLICATION = "-replication";
  private static final int MIN_REPLICATION = 3;
  private static final String PROGRESS = "-progress";
  private static final String DRY_RUN = "-dryRun";
  private static final String THROTTLE = "-throttle";
  private static final long MAX_THROTTLE = 1_000_000;

  private final Supplier<ManagerClient> client;
  private final PrintStream out;
  private final PrintStream err;
  private final AnswerPrinter answers;

  ProtectionCommands(Supplier<ManagerClient> client, PrintStream out, PrintStream err) {
    this.client = client;
    this.out = out;
    this.err = err;
    this.answers = new AnswerPrinter(out);
  }

  List<Command> commands() {
    return List.of(
        Command.of(
            "-protect",
            "PATH [-adopt [-progress] [-throttle MB_PER_SECOND]] [-dryRun] [-json]",
            "Protects new blocks below a directory, or of a file, by parity; with -adopt takes in"
                + " the blocks that exist, and then gives up their third replicas.\n"
                + "-progress watches until it is done; -dryRun changes nothing and says what could"
                + " be taken in.",
            this::protect),
        Command.of(
            "-unprotect",
            "PATH|-all [-release [-replication N] [-progress] [-throttle MB_PER_SECOND]] [-dryRun]"
                + " [-json]",
            "Makes new blocks below a path plain, or with -all all new blocks. Blocks that are"
                + " covered stay so, with two replicas; with -release HDFS first makes their third"
                + " replicas, and then they give up their parity.\n"
                + "-replication is of these files (dfs.replication of the NameNode, at least 3);"
                + " -progress watches until it is done; -dryRun changes nothing and says what is"
                + " covered. Ends with -1 if files stay covered.",
            this::unprotect));
  }

  private int protect(List<String> args) throws Exception {
    Arguments a =
        Arguments.parse(
            args, Set.of(JSON, ADOPT, PROGRESS, DRY_RUN), Set.of(THROTTLE), List.of("PATH"));
    String path = a.operand(0);
    for (String option : List.of(PROGRESS, THROTTLE)) {
      requires(a, option, ADOPT);
    }
    OptionalLong throttle = throttle(a);
    if (a.has(DRY_RUN)) {
      return survey(path, a);
    }
    ManagerClient manager = client.get();
    TextResponse marked =
        manager.call(m -> m.protect(new ProtectRequest(path, Change.PROTECT)), AnswerTimeout.SHORT);
    if (!a.has(ADOPT)) {
      return answers.print(marked, a, AdoptionText::protectedPath);
    }
    AdoptRequest start =
        new AdoptRequest(path, Goal.ADOPT, Action.START, OptionalInt.empty(), throttle);
    return run(
        manager, start, a, AdoptionText::report, "hdfs raidp -protect PATH -adopt -progress");
  }

  private int unprotect(List<String> args) throws Exception {
    boolean all = args.contains(ALL);
    Arguments a =
        Arguments.parse(
            args,
            Set.of(JSON, ALL, RELEASE, PROGRESS, DRY_RUN),
            Set.of(THROTTLE, REPLICATION),
            all ? List.of() : List.of("PATH"));
    String path = all ? "/" : a.operand(0);
    for (String option : List.of(PROGRESS, THROTTLE, REPLICATION)) {
      requires(a, option, RELEASE);
    }
    OptionalLong throttle = throttle(a);
    OptionalInt replication = replication(a);
    if (a.has(DRY_RUN)) {
      return survey(path, a);
    }
    ManagerClient manager = client.get();
    ProtectRequest request =
        new ProtectRequest(path, all ? Change.UNPROTECT_ALL : Change.UNPROTECT);
    // All marks are sought in the whole namespace.
    TextResponse unmarked =
        manager.call(m -> m.protect(request), all ? AnswerTimeout.LONG : AnswerTimeout.SHORT);
    if (!a.has(RELEASE)) {
      return answers.print(unmarked, a, AdoptionText::unprotectedPath);
    }
    AdoptRequest start = new AdoptRequest(path, Goal.RELEASE, Action.START, replication, throttle);
    return run(
        manager,
        start,
        a,
        AdoptionText::released,
        "hdfs raidp -unprotect " + (all ? ALL : "PATH") + " -release -progress");
  }

  private static void requires(Arguments a, String option, String other) throws UsageException {
    if (!a.has(other) && (a.has(option) || a.value(option).isPresent())) {
      throw new UsageException(option + " needs " + other);
    }
  }

  private int run(
      ManagerClient manager,
      AdoptRequest start,
      Arguments a,
      BiConsumer<JsonNode, PrintStream> report,
      String watch)
      throws IOException, InterruptedException {
    if (a.has(PROGRESS)) {
      return answers.print(watched(manager, start, a), a, report);
    }
    return answers.print(
        manager.call(m -> m.adopt(start), AnswerTimeout.SHORT),
        a,
        (doc, to) ->
            to.println(
                (doc.path("joined").asBoolean() ? "Already running: " : "Started: ")
                    + AdoptionText.line(doc)
                    + "\nIt continues in the NameNode; watch it with: "
                    + watch));
  }

  /** The status of a path. */
  int status(List<String> args) throws Exception {
    Arguments a = Arguments.parse(args, Set.of(JSON), Set.of(), List.of("PATH"));
    return survey(a.operand(0), a);
  }

  private int survey(String path, Arguments a) throws Exception {
    AdoptRequest start =
        new AdoptRequest(
            path, Goal.SURVEY, Action.START, OptionalInt.empty(), OptionalLong.empty());
    return answers.print(watched(client.get(), start, a), a, AdoptionText::report);
  }

  private TextResponse watched(ManagerClient manager, AdoptRequest start, Arguments a)
      throws IOException, InterruptedException {
    AdoptRequest watch =
        new AdoptRequest(
            start.path(), start.goal(), Action.WATCH, OptionalInt.empty(), OptionalLong.empty());
    return new RunWatch(
            () -> manager.call(m -> m.adopt(start), AnswerTimeout.SHORT),
            () -> manager.call(m -> m.adopt(watch), AnswerTimeout.SHORT),
            AdoptionText::line,
            a.has(JSON) ? err : out)
        .untilOver();
  }

  private static OptionalInt replication(Arguments a) throws UsageException {
    Optional<String> given = a.value(REPLICATION);
    if (given.isEmpty()) {
      return OptionalInt.empty();
    }
    if (given.get().matches("[0-9]{1,5}")) {
      int replication = Integer.parseInt(given.get());
      if (replication >= MIN_REPLICATION && replication <= Short.MAX_VALUE) {
        return OptionalInt.of(replication);
      }
    }
    throw new UsageException(
        REPLICATION
            + "="
            + given.get()
            + ", expected at least "
            + MIN_REPLICATION
            + ": with fewer replicas and without parity, files would survive less than now");
  }

  /** What {@code -throttle} says, in bytes per second. */
  static OptionalLong throttle(Arguments a) throws UsageException {
    Optional<String> given = a.value(THROTTLE);
    if (given.isEmpty()) {
      return OptionalLong.empty();
    }
    if (given.get().matches("[0-9]{1,7}")) {
      long mebibytes = Long.parseLong(given.get());
      if (mebibytes <= MAX_THROTTLE) {
        return OptionalLong.of(mebibytes << 20);
      }
    }
    throw new UsageException(
        THROTTLE + "=" + given.get() + ", expected MB a second, 0 for no limit, up to 1000000");
  }
}

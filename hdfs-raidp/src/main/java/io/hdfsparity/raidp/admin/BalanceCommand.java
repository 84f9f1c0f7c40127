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
import io.hdfsparity.raidp.wire.message.BalanceRequest;
import io.hdfsparity.raidp.wire.message.BalanceRequest.Action;
import io.hdfsparity.raidp.wire.message.TextResponse;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Supplier;

/**
 * {@code hdfs raidp -balance}. The balance is in the memory of the active NameNode: leaving the
 * watch does not end it, and a restart or a failover does.
 */
final class BalanceCommand {
  private static final String JSON = "-json";
  private static final String PROGRESS = "-progress";
  private static final String DRY_RUN = "-dryRun";
  private static final String STOP = "-stop";
  private static final String THRESHOLD = "-threshold";
  private static final String THROTTLE = "-throttle";
  private static final int FAILED = -1;

  private final Supplier<ManagerClient> client;
  private final PrintStream out;
  private final PrintStream err;
  private final AnswerPrinter answers;
  private final ObjectMapper mapper = new ObjectMapper();

  BalanceCommand(Supplier<ManagerClient> client, PrintStream out, PrintStream err) {
    this.client = client;
    this.out = out;
    this.err = err;
    this.answers = new AnswerPrinter(out);
  }

  Command command() {
    return Command.of(
        "-balance",
        "[-threshold PERCENT] [-throttle MB_PER_SECOND] [-progress | -dryRun | -stop] [-json]",
        "Moves protected blocks from superchunks on fuller disks to superchunks on emptier ones,"
            + " until the utilization of each disk is within the threshold of the mean (10"
            + " percentage points).\n"
            + "-progress watches until it is done; -dryRun changes nothing and says what would be"
            + " moved; -stop ends the balance that is running, and leaves blocks on their way in"
            + " their old superchunks. Ends with -1 if a disk stays outside the threshold.",
        this::run);
  }

  private int run(List<String> args) throws Exception {
    Arguments a =
        Arguments.parse(args, Set.of(JSON, PROGRESS, DRY_RUN, STOP), Set.of(THRESHOLD, THROTTLE));
    if (a.has(DRY_RUN) && a.has(PROGRESS)) {
      throw new UsageException("-dryRun moves nothing that -progress could watch");
    }
    if (a.has(STOP)
        && (a.has(DRY_RUN)
            || a.has(PROGRESS)
            || a.value(THRESHOLD).isPresent()
            || a.value(THROTTLE).isPresent())) {
      throw new UsageException("-stop stands alone, or with -json");
    }
    double threshold = threshold(a);
    OptionalLong throttle = ProtectionCommands.throttle(a);
    ManagerClient manager = client.get();
    if (a.has(DRY_RUN)) {
      BalanceRequest plan = new BalanceRequest(Action.PLAN, threshold, throttle);
      return answers.print(call(manager, plan), a, BalanceCommand::plan);
    }
    if (a.has(STOP)) {
      BalanceRequest stop = new BalanceRequest(Action.STOP, threshold, throttle);
      return answers.print(call(manager, stop), a, BalanceCommand::stopped);
    }
    BalanceRequest start = new BalanceRequest(Action.START, threshold, throttle);
    if (!a.has(PROGRESS)) {
      return answers.print(call(manager, start), a, BalanceCommand::started);
    }
    BalanceRequest watch = new BalanceRequest(Action.WATCH, threshold, OptionalLong.empty());
    TextResponse last =
        new RunWatch(
                () -> call(manager, start),
                () -> call(manager, watch),
                BalanceCommand::line,
                a.has(JSON) ? err : out)
            .untilOver();
    int code = answers.print(last, a, this::report);
    return state(mapper.readTree(last.json())).equals("NONE") ? FAILED : code;
  }

  private static TextResponse call(ManagerClient manager, BalanceRequest request)
      throws IOException {
    // A plan of a large cluster takes longer than other answers.
    return manager.call(
        m -> m.balance(request),
        request.action() == Action.PLAN ? AnswerTimeout.LONG : AnswerTimeout.SHORT);
  }

  private static String state(JsonNode doc) {
    return doc.path("state").asText();
  }

  // ---------------------------------------------------------------- text

  private static void started(JsonNode doc, PrintStream to) {
    to.println(
        (doc.path("joined").asBoolean() ? "Already running: " : "Started: ")
            + line(doc)
            + "\nIt continues in the NameNode; watch it with: hdfs raidp -balance -progress");
  }

  private static void plan(JsonNode doc, PrintStream to) {
    to.printf(
        "Would move %s in %d moves, and copy %s over the network%n",
        SizesAndDurations.bytes(doc.path("plannedBytes").asLong()),
        doc.path("moves").asLong(),
        SizesAndDurations.bytes(doc.path("copiedBytes").asLong()));
    for (JsonNode disk : doc.path("disks")) {
      to.printf(
          "  Disk %s: %.1f %% now, %.1f %% then%n",
          disk.path("id").asText(),
          disk.path("beforePercent").asDouble(),
          disk.path("afterPercent").asDouble());
    }
    if (!doc.path("balanced").asBoolean()) {
      to.println(
          "Some disks would stay outside the threshold: no superchunk could take their blocks, or"
              + " give them some. Form superchunks of new disks with: hdfs raidp -layout -apply");
    }
  }

  private static void stopped(JsonNode doc, PrintStream to) {
    to.println(
        state(doc).equals("RUNNING")
            ? "Stopping: "
                + line(doc)
                + "\nBlocks on their way stay in their old superchunks; hdfs raidp -status says"
                + " when it has stopped"
            : "No balance is running");
  }

  private void report(JsonNode doc, PrintStream to) {
    if (state(doc).equals("NONE")) {
      err.println(
          "The NameNode that ran the balance is not active any more, or was restarted, and the"
              + " balance has ended. No block has fewer replicas than before. Run the same command"
              + " again to go on.");
      return;
    }
    to.printf("Balance: %s%n", outcome(doc));
    spread(to, "before", doc.path("before"));
    spread(to, "now", doc.path("now"));
    AdoptionText.tally("Blocks moved", doc.path("moved"), to);
    AdoptionText.tally("Blocks copied over the network", doc.path("copied"), to);
    AdoptionText.tally(
        "Blocks left where they were, as they changed or a copy failed", doc.path("left"), to);
  }

  private static String outcome(JsonNode doc) {
    return switch (doc.path("outcome").asText()) {
      case "BALANCED" -> "every disk is within the threshold";
      case "NO_MOVE" ->
          "a disk is outside the threshold, and no superchunk can take its blocks, or give it some;"
              + " form superchunks of new disks with: hdfs raidp -layout -apply";
      case "NO_PROGRESS" ->
          "a disk is outside the threshold, and two passes have brought the one that is furthest"
              + " from the mean no nearer: files are open, ask for more than two replicas, or blocks"
              + " are larger than what has to move; close them, or raise -threshold, and run it"
              + " again";
      case "STOPPED" -> "stopped; run hdfs raidp -balance again to go on";
      case "FAILED" -> "failed; the NameNode's log says why. Run hdfs raidp -balance again";
      default -> "running";
    };
  }

  private static void spread(PrintStream to, String when, JsonNode d) {
    to.printf(
        "  Utilization %s: %.1f %% to %.1f %%, mean %.1f %%%n",
        when,
        d.path("lowestPercent").asDouble(),
        d.path("highestPercent").asDouble(),
        d.path("meanPercent").asDouble());
  }

  /** One line of progress. */
  static String line(JsonNode d) {
    long done = d.path("moved").path("bytes").asLong();
    long total = Math.max(done, d.path("plannedBytes").asLong());
    long etaMs = d.path("etaMs").asLong(-1);
    return "moved "
        + SizesAndDurations.bytes(done)
        + " of "
        + SizesAndDurations.bytes(total)
        + AdoptionText.speed(d)
        + ", pass "
        + d.path("pass").asInt()
        + ", ETA "
        + (etaMs < 0 ? "--:--" : SizesAndDurations.minutes(etaMs))
        + ", "
        + state(d);
  }

  private static double threshold(Arguments a) throws UsageException {
    Optional<String> given = a.value(THRESHOLD);
    if (given.isEmpty()) {
      return BalanceRequest.DEFAULT_THRESHOLD;
    }
    if (given.get().matches("[0-9]{1,3}(\\.[0-9]{1,3})?")) {
      double percent = Double.parseDouble(given.get());
      if (percent >= 1 && percent <= 100) {
        return percent;
      }
    }
    throw new UsageException(
        THRESHOLD + "=" + given.get() + ", expected percentage points, from 1 to 100");
  }
}

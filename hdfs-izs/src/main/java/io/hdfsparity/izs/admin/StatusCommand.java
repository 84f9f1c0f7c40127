/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.admin;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hdfsparity.bridge.cli.Console;
import io.hdfsparity.bridge.cli.ConsoleCommand;
import io.hdfsparity.bridge.wire.NameNodeServer;
import io.hdfsparity.core.cli.Arguments;
import io.hdfsparity.core.cli.CommandLine;
import io.hdfsparity.izs.level.LevelStatus;
import io.hdfsparity.izs.level.VerifyStatus;
import io.hdfsparity.izs.wire.LevelManagers;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** {@code hdfs izs -status}: the level managers of all NameNodes, and what is still to be done. */
final class StatusCommand extends ConsoleCommand {
  private static final String PROGRESS = "-progress";
  private static final long PAUSE_MS = 2_000;

  StatusCommand(Console console) {
    super(
        console,
        "-status",
        "[-progress] [-json]",
        """
    Shows the level manager of each NameNode, and how many block groups of the cluster wait for a
    unit or have one to be deleted.
    -progress   repeats that until nothing is left to do
    Exit code -1 when a level manager does not answer or is not guarded, or none is active.
    """);
  }

  @Override
  public int run(List<String> args) throws Exception {
    Arguments a = Arguments.parse(args, Set.of(PROGRESS, Console.JSON), Set.of());
    LevelManagers managers = LevelManagers.all(console.conf());
    ObjectNode doc = ask(managers);
    while (a.has(PROGRESS) && doc.get("left").longValue() > 0) {
      console.err().println(progress(doc));
      TimeUnit.MILLISECONDS.sleep(PAUSE_MS);
      doc = ask(managers);
    }
    console.print(doc, a, StatusCommand::text);
    return doc.get("healthy").booleanValue() ? 0 : CommandLine.FAILED;
  }

  private static ObjectNode ask(LevelManagers managers) {
    ObjectNode doc = JsonNodeFactory.instance.objectNode();
    ArrayNode list = doc.putArray("managers");
    boolean healthy = true;
    boolean active = false;
    long left = 0;
    for (NameNodeServer server : managers.servers()) {
      InetSocketAddress address = server.address();
      ObjectNode each = list.addObject();
      each.put("address", address.getHostString() + ":" + address.getPort());
      try {
        LevelStatus status = managers.call(server, manager -> manager.status());
        describe(status, each);
        healthy &=
            status.readiness().guarded()
                && !status.readiness().replayAsserts()
                && status.readiness().clientsGuarded();
        if (status.active()) {
          active = true;
          left += status.backlog().groupsLackingUnits() + status.backlog().queuedDeletes();
        }
      } catch (IOException e) {
        each.put("failure", CommandLine.firstLine(e.getMessage()));
        healthy = false;
      }
    }
    doc.put("healthy", healthy && active);
    doc.put("left", left);
    return doc;
  }

  private static void describe(LevelStatus status, ObjectNode into) {
    into.put("active", status.active());
    into.put("guarded", status.readiness().guarded());
    into.put("replayAsserts", status.readiness().replayAsserts());
    into.put("upgradeOpen", status.readiness().upgradeOpen());
    into.put("filesChanged", status.changes().filesChanged());
    into.put("filesRefused", status.changes().filesRefused());
    into.put("groupsChanged", status.changes().groupsChanged());
    into.put("unitsDropped", status.changes().unitsDropped());
    into.put("surplusSwept", status.changes().surplusSwept());
    into.put("interruptedChangesCompleted", status.changes().interruptedChangesCompleted());
    into.put("restoredLocations", status.changes().restoredLocations());
    into.put("groupsLackingUnits", status.backlog().groupsLackingUnits());
    into.put("queuedDeletes", status.backlog().queuedDeletes());
    into.put("clientsGuarded", status.readiness().clientsGuarded());
    VerifyStatus verification = status.verification();
    ObjectNode parity = into.putObject("verification");
    parity.put("running", verification.isRunning());
    parity.put("problem", verification.problem());
    parity.put("unverified", verification.unverified());
    parity.put("idsLeft", verification.idsLeft());
    parity.put("sampled", verification.results().sampled());
    parity.put("verified", verification.results().verified());
    parity.put("wrongParity", verification.results().wrongParity());
    parity.put("unitsReencoded", verification.results().unitsReencoded());
    parity.put("suspectedData", verification.results().suspectedData());
    parity.put("notCompared", verification.results().notCompared());
    parity.put("takenByUpdates", verification.results().takenByUpdates());
    parity.put("givenUp", verification.results().givenUp());
  }

  private static String progress(JsonNode doc) {
    long lacking = 0;
    long deletes = 0;
    for (JsonNode each : doc.get("managers")) {
      if (each.path("active").booleanValue()) {
        lacking += each.get("groupsLackingUnits").longValue();
        deletes += each.get("queuedDeletes").longValue();
      }
    }
    return lacking + " groups lack units, " + deletes + " deletions are queued";
  }

  private static void text(JsonNode doc, PrintStream out) {
    for (JsonNode each : doc.get("managers")) {
      out.print("level manager " + each.get("address").textValue() + ": ");
      if (each.has("failure")) {
        out.println(each.get("failure").textValue());
        continue;
      }
      out.printf(
          "%s, %s%s%s%s%n",
          each.get("active").booleanValue() ? "active" : "standby",
          each.get("guarded").booleanValue() ? "guarded" : "NOT GUARDED",
          each.get("clientsGuarded").booleanValue() ? "" : ", CLIENTS NOT GUARDED",
          each.get("replayAsserts").booleanValue() ? ", ASSERTIONS ON" : "",
          each.get("upgradeOpen").booleanValue() ? ", upgrade in progress" : "");
      out.printf(
          "  since its start: %d files changed, %d refused, %d units dropped, %d swept,"
              + " %d interrupted changes completed%n",
          each.get("filesChanged").longValue(),
          each.get("filesRefused").longValue(),
          each.get("unitsDropped").longValue(),
          each.get("surplusSwept").longValue(),
          each.get("interruptedChangesCompleted").longValue());
      if (each.get("active").booleanValue()) {
        parity(each.get("verification"), out);
      }
    }
    out.println(progress(doc));
  }

  private static void parity(JsonNode status, PrintStream out) {
    String problem = status.get("problem").textValue();
    if (!status.get("running").booleanValue()) {
      out.println("  parity: NOT VERIFIED" + (problem.isEmpty() ? "" : ": " + problem));
      return;
    }
    long idsLeft = status.get("idsLeft").longValue();
    out.printf(
        "  parity: %d groups unverified%s; since its start: %d verified, %d wrong, %d units encoded"
            + " from data, %d with suspected data, %d abandoned%s%n",
        status.get("unverified").longValue(),
        idsLeft == 0 ? "" : ", up to " + idsLeft + " more not looked at",
        status.get("verified").longValue(),
        status.get("wrongParity").longValue(),
        status.get("unitsReencoded").longValue(),
        status.get("suspectedData").longValue(),
        status.get("givenUp").longValue(),
        problem.isEmpty() ? "" : "; last round failed: " + problem);
  }
}

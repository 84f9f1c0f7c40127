/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.admin;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hdfsparity.bridge.cli.Console;
import io.hdfsparity.bridge.cli.ConsoleCommand;
import io.hdfsparity.core.cli.Arguments;
import io.hdfsparity.core.cli.CommandLine;
import io.hdfsparity.core.cli.SizesAndDurations;
import io.hdfsparity.ecupdate.protocol.ControlProtocol.Listed;
import io.hdfsparity.ecupdate.protocol.NodeStatus;
import io.hdfsparity.ecupdate.protocol.ReplicaStatus;
import io.hdfsparity.ecupdate.protocol.SessionId;
import io.hdfsparity.ecupdate.protocol.SessionStatus;
import io.hdfsparity.ecupdate.protocol.StorageStatus;
import io.hdfsparity.ecupdate.protocol.UpdateNode;
import io.hdfsparity.ecupdate.wire.SessionManagers;
import java.io.IOException;
import java.io.PrintStream;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.security.AccessControlException;

/** {@code hdfs ecupdate -status}: sessions, and the DataNodes that serve updates. */
final class StatusCommand extends ConsoleCommand {
  private static final String REPLICAS = "-replicas";

  /** Who was admitted before sessions had names, or whose note was lost. */
  private static final String UNKNOWN = new SessionId(0).toString();

  StatusCommand(Console console) {
    super(
        console,
        "-status",
        "[path] [-replicas] [-json]",
        """
    For superusers and dfs.cluster.administrators. Shows open sessions and each DataNode that serves
    updates: its storages, how full their logs are, replicas that were admitted to updates, changes
    that lie in logs and reserved space, and replicas that are withheld, with the reason.
    path        the replicas of this file, or of the files below this directory, one by one
    -replicas   all replicas, one by one
    Exit code -1 when a DataNode does not answer, a storage serves no updates, a replica is withheld,
    or no DataNode reports; with a path also when a DataNode of it does not serve updates.
    A superuser is told which sessions have ended without leaving: HDFS decodes and rebuilds none of
    the block groups that they used until "hdfs ecupdate -recover FILE"; with a path, which files.
    """);
  }

  @Override
  public int run(List<String> args) throws Exception {
    boolean hasPath = args.stream().anyMatch(each -> !each.startsWith("-"));
    Arguments a =
        Arguments.parse(
            args, Set.of(REPLICAS, Console.JSON), Set.of(), hasPath ? List.of("path") : List.of());
    TreeMap<String, TreeSet<Long>> wanted = new TreeMap<>();
    Map<Long, String> fileOf = new HashMap<>();
    DistributedFileSystem fs;
    if (hasPath) {
      HdfsFiles files = HdfsFiles.of(console.conf(), a.operand(0));
      files.forEach(file -> add(files, file, wanted, fileOf));
      fs = files.fileSystem();
    } else {
      FileSystem any = FileSystem.get(console.conf());
      fs = HdfsFiles.hdfs(any, any.getUri().toString());
    }
    SessionManagers managers = SessionManagers.of(console.conf(), fs);
    ObjectNode doc = JsonNodeFactory.instance.objectNode();
    Set<String> open = new HashSet<>();
    boolean isAll =
        sessions(
            managers,
            open,
            hasPath ? fs.makeQualified(new Path(a.operand(0))).toUri().getPath() : "/",
            doc);
    ControlNodes nodes = ControlNodes.of(console.conf(), managers);
    boolean isHealthy = true;
    ArrayNode list = doc.putArray("nodes");
    for (UpdateNode node : nodes.all()) {
      TreeSet<Long> blockIds = wanted.remove(node.uuid());
      if (hasPath && blockIds == null) {
        continue;
      }
      Listed listed = hasPath ? Listed.THOSE_NAMED : a.has(REPLICAS) ? Listed.ALL : Listed.NONE;
      isHealthy &=
          describe(nodes, node, listed, blockIds == null ? Set.of() : blockIds, list.addObject());
    }
    for (String uuid : wanted.keySet()) {
      list.addObject()
          .put("uuid", uuid)
          .put("failure", "it does not report to the session manager: serves no updates");
      isHealthy = false;
    }
    if (!hasPath && list.isEmpty()) {
      doc.put(
          "problem",
          "no DataNode reports to the session manager, so no file can be updated: the"
              + " NameNode has just become active, or check dfs.parity.features,"
              + " dfs.datanode.plugins and the logs of DataNodes");
      isHealthy = false;
    }
    if (isAll) {
      // Those that have come meanwhile are not taken for ended.
      managers
          .callActive(manager -> manager.list(/* all= */ true))
          .forEach(each -> open.add(each.id().toString()));
      unsettled(doc, open, fileOf, hasPath);
    }
    doc.put("healthy", isHealthy);
    console.print(doc, a, StatusCommand::text);
    return isHealthy ? 0 : CommandLine.FAILED;
  }

  private static void add(
      HdfsFiles files, Path file, TreeMap<String, TreeSet<Long>> wanted, Map<Long, String> fileOf)
      throws IOException {
    TreeMap<String, TreeSet<Long>> own = new TreeMap<>();
    files.replicas(file, own);
    for (Map.Entry<String, TreeSet<Long>> each : own.entrySet()) {
      wanted.computeIfAbsent(each.getKey(), uuid -> new TreeSet<>()).addAll(each.getValue());
      each.getValue().forEach(blockId -> fileOf.put(blockId, file.toUri().getPath()));
    }
  }

  /**
   * Sessions that DataNodes have noted, and no NameNode lists any more; and the files they have
   * used.
   */
  private static void unsettled(
      ObjectNode doc, Set<String> open, Map<Long, String> fileOf, boolean hasPath) {
    TreeSet<String> ended = new TreeSet<>();
    TreeSet<String> recover = new TreeSet<>();
    TreeSet<String> writeAnew = new TreeSet<>();
    for (JsonNode node : doc.path("nodes")) {
      for (JsonNode storage : node.path("storages")) {
        for (JsonNode each : hasPath ? storage.path("replicas") : List.of(storage)) {
          String file = fileOf.getOrDefault(each.path("block").asLong(), "");
          for (JsonNode session : each.path("sessions")) {
            if (session.asText().equals(UNKNOWN)) {
              writeAnew.add(file);
            } else if (!open.contains(session.asText())) {
              ended.add(session.asText());
              recover.add(file);
            }
          }
        }
      }
    }
    put(doc, "unsettled", ended);
    if (hasPath) {
      recover.removeAll(writeAnew);
      put(doc, "recover", recover);
      put(doc, "writeAnew", writeAnew);
    }
  }

  private static void put(ObjectNode doc, String name, Collection<String> values) {
    ArrayNode list = doc.putArray(name);
    values.forEach(list::add);
  }

  /** Whether all could be listed; {@code open} is notified of each. */
  private static boolean sessions(
      SessionManagers managers, Set<String> open, String below, ObjectNode doc) throws IOException {
    List<SessionStatus> sessions;
    boolean isAll = true;
    try {
      sessions = managers.callActive(manager -> manager.list(/* all= */ true));
    } catch (AccessControlException e) {
      sessions = managers.callActive(manager -> manager.list(/* all= */ false));
      isAll = false;
    }
    ArrayNode list = doc.putArray("sessions");
    String directory = below.endsWith("/") ? below : below + "/";
    for (SessionStatus each : sessions) {
      open.add(each.id().toString());
      if (each.path().equals(below) || each.path().startsWith(directory)) {
        list.addObject()
            .put("id", each.id().toString())
            .put("path", each.path())
            .put("user", each.user())
            .put("client", each.client())
            .put("ageMs", each.ageMs())
            .put("leftMs", each.leftMs())
            .put("ended", each.ended())
            .put("attached", each.grant().attached())
            .put("exclusive", each.isExclusive());
      }
    }
    return isAll;
  }

  /** Whether all is well with a DataNode. */
  private static boolean describe(
      ControlNodes nodes, UpdateNode node, Listed listed, Set<Long> blockIds, ObjectNode doc) {
    doc.put("uuid", node.uuid()).put("host", node.host()).put("port", node.port());
    NodeStatus status;
    try {
      status = nodes.call(node.uuid(), each -> each.status(listed, blockIds));
    } catch (IOException e) {
      doc.put("failure", CommandLine.firstLine(e.getMessage()));
      return false;
    }
    doc.put("blockPool", status.blockPool()).put("connections", status.connections());
    boolean isHealthy = status.connections() >= 0;
    ArrayNode storages = doc.putArray("storages");
    for (StorageStatus storage : status.storages()) {
      storages.add(document(storage));
      isHealthy &= storage.trouble().isEmpty() && storage.withheld() == 0;
      isHealthy &= storage.replicas().stream().allMatch(each -> each.trouble().isEmpty());
    }
    return isHealthy;
  }

  private static ObjectNode document(StorageStatus storage) {
    ObjectNode doc =
        JsonNodeFactory.instance
            .objectNode()
            .put("storage", storage.storageId())
            .put("trouble", storage.trouble())
            .put("logBytes", storage.log().bytes())
            .put("logUsedBytes", storage.log().usedBytes())
            .put("admitted", storage.admitted())
            .put("withheld", storage.withheld())
            .put("overlayBytes", storage.space().overlayBytes())
            .put("reservedBytes", storage.space().reservedBytes())
            .put("reservedUsedBytes", storage.space().reservedUsedBytes());
    putSessions(doc, storage.sessions());
    ArrayNode replicas = doc.putArray("replicas");
    for (ReplicaStatus each : storage.replicas()) {
      putSessions(replicas.addObject(), each.sessions())
          .put("block", each.blockId())
          .put("unit", each.unit())
          .put("scheme", each.scheme())
          .put("bytes", each.lengthBytes())
          .put("overlayBytes", each.space().overlayBytes())
          .put("reservedBytes", each.space().reservedBytes())
          .put("reservedUsedBytes", each.space().reservedUsedBytes())
          .put("trouble", each.trouble());
    }
    return doc;
  }

  private static ObjectNode putSessions(ObjectNode doc, List<SessionId> sessions) {
    put(doc, "sessions", sessions.stream().map(SessionId::toString).toList());
    return doc;
  }

  static void text(JsonNode doc, PrintStream out) {
    int open = 0;
    for (JsonNode each : doc.path("sessions")) {
      boolean isOver = !each.path("ended").asText().isEmpty();
      open += isOver ? 0 : 1;
      out.printf(
          Locale.ROOT,
          "session of %s: %s, client %s, %,d s old%s%s%s%n",
          each.path("path").asText(),
          each.path("user").asText(),
          each.path("client").asText(),
          each.path("ageMs").asLong() / 1000,
          each.path("exclusive").asBoolean() ? ", exclusive" : "",
          each.path("attached").asBoolean() ? ", attached after a failover" : "",
          isOver ? "; over, DataNodes are being notified" : "");
    }
    out.printf("%d open sessions, %d DataNodes%n", open, doc.path("nodes").size());
    if (doc.has("problem")) {
      out.println(doc.path("problem").asText());
    }
    for (JsonNode each : doc.path("unsettled")) {
      out.println("session " + each.asText() + " has ended without leaving");
    }
    if (!doc.has("recover") && !doc.path("unsettled").isEmpty()) {
      out.println("hdfs ecupdate -status PATH tells which files they have used");
    }
    for (JsonNode each : doc.path("recover")) {
      out.println("neither decoded nor rebuilt until hdfs ecupdate -recover " + each.asText());
    }
    for (JsonNode each : doc.path("writeAnew")) {
      out.println(
          "neither decoded nor rebuilt, for it is not known who has used it; rewrite it: "
              + each.asText());
    }
    for (JsonNode node : doc.path("nodes")) {
      out.print("DataNode " + node.path("uuid").asText());
      if (node.has("host")) {
        out.print(" at " + node.path("host").asText() + ":" + node.path("port").asText());
      }
      if (node.has("failure")) {
        out.println(": " + node.path("failure").asText());
        continue;
      }
      int connections = node.path("connections").asInt();
      out.println(connections < 0 ? ": channel DOWN" : ": " + connections + " connections");
      node.path("storages").forEach(storage -> storage(storage, out));
    }
  }

  private static void storage(JsonNode storage, PrintStream out) {
    out.printf(
        Locale.ROOT,
        "  %s: log %s of %s; %,d replicas admitted, %,d withheld; in log only %s, reserved %s of"
            + " %s%s%n",
        storage.path("storage").asText(),
        SizesAndDurations.bytes(storage.path("logUsedBytes").asLong()),
        SizesAndDurations.bytes(storage.path("logBytes").asLong()),
        storage.path("admitted").asLong(),
        storage.path("withheld").asLong(),
        SizesAndDurations.bytes(storage.path("overlayBytes").asLong()),
        SizesAndDurations.bytes(storage.path("reservedUsedBytes").asLong()),
        SizesAndDurations.bytes(storage.path("reservedBytes").asLong()),
        storage.path("trouble").asText().isEmpty()
            ? ""
            : "; OUT OF SERVICE: " + storage.path("trouble").asText());
    for (JsonNode each : storage.path("replicas")) {
      String trouble = each.path("trouble").asText();
      if (each.path("unit").asLong() < 0) {
        out.printf("    block %s WITHHELD: %s%n", each.path("block").asText(), trouble);
        continue;
      }
      out.printf(
          Locale.ROOT,
          "    block %s, unit %d: %s, %s, in log only %s, reserved %s of %s%s%n",
          each.path("block").asText(),
          each.path("unit").asLong(),
          each.path("scheme").asText(),
          SizesAndDurations.bytes(each.path("bytes").asLong()),
          SizesAndDurations.bytes(each.path("overlayBytes").asLong()),
          SizesAndDurations.bytes(each.path("reservedUsedBytes").asLong()),
          SizesAndDurations.bytes(each.path("reservedBytes").asLong()),
          trouble.isEmpty() ? "" : "; TROUBLE: " + trouble);
    }
  }
}

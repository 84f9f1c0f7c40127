/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.admin;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hdfsparity.bridge.cli.Console;
import io.hdfsparity.bridge.cli.ConsoleCommand;
import io.hdfsparity.core.cli.Arguments;
import io.hdfsparity.core.cli.CommandLine;
import io.hdfsparity.core.cli.Progress;
import io.hdfsparity.core.cli.UsageException;
import io.hdfsparity.ecupdate.config.SchemeOptions;
import io.hdfsparity.ecupdate.storage.UpdateScheme;
import io.hdfsparity.ecupdate.wire.SessionManagers;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.jspecify.annotations.Nullable;

/** {@code hdfs ecupdate -scheme}: how updates of a path are stored. */
final class SchemeCommand extends ConsoleCommand {
  private static final String CONVERT = "-convert";
  private static final String UNSET = "-unset";

  SchemeCommand(Console console) {
    super(
        console,
        "-scheme",
        "<path> [FO|FL|PL|PLR | -unset] [-convert] [-json]",
        """
    Shows or sets how updates of a file, or of all files below a directory, are stored:
      FO    data and parity in place          FL    data and parity in a log, merged on reading
      PL    data in place, parity in a log    PLR   data in place, parity in reserved space
    Without a scheme: shows the one that holds, and where it comes from. The nearest of the file and
    the directories above it that has one counts; else the default, key
    dfs.parity.ecupdate.scheme.default of the NameNodes (this host's configuration is what is shown).
    -unset     takes the scheme of this path away
    -convert   replicas that were updated before keep their scheme; this converts them, online, to
               the scheme that now holds for each file at or below the path. Superuser. May be given
               without a scheme, to go on where it was interrupted.
    Setting needs the right to write the file or directory; in a sticky directory, its owner.
    """);
  }

  /** The scheme that holds for a path. */
  private record Holding(String scheme, String from) {}

  @Override
  public int run(List<String> args) throws Exception {
    boolean isSet = args.stream().filter(each -> !each.startsWith("-")).count() > 1;
    Arguments a =
        Arguments.parse(
            args,
            Set.of(CONVERT, UNSET, Console.JSON),
            Set.of(),
            isSet ? List.of("path", "scheme") : List.of("path"));
    if (isSet && a.has(UNSET)) {
      throw new UsageException(UNSET + " and scheme " + a.operand(1) + ", expected one of them");
    }
    if (isSet && !UpdateScheme.NAMES.contains(a.operand(1))) {
      throw new UsageException("scheme=" + a.operand(1) + ", expected FO, FL, PL or PLR");
    }
    HdfsFiles files = HdfsFiles.of(console.conf(), a.operand(0));
    Path path = files.path();
    if (isSet) {
      files
          .fileSystem()
          .setXAttr(
              path,
              SchemeOptions.ATTRIBUTE,
              a.operand(1).getBytes(StandardCharsets.US_ASCII),
              EnumSet.of(XAttrSetFlag.CREATE, XAttrSetFlag.REPLACE));
    } else if (a.has(UNSET) && own(files.fileSystem(), path) != null) {
      files.fileSystem().removeXAttr(path, SchemeOptions.ATTRIBUTE);
    }
    Holding holding = holding(files.fileSystem(), path, new HashMap<>());
    ObjectNode doc =
        JsonNodeFactory.instance
            .objectNode()
            .put("path", a.operand(0))
            .put("scheme", holding.scheme)
            .put("from", holding.from);
    boolean hasFailed = a.has(CONVERT) && convert(files, doc);
    console.print(doc, a, SchemeCommand::text);
    return hasFailed ? CommandLine.FAILED : 0;
  }

  /** Converts each file to what holds for it: below a directory others may be set. */
  private boolean convert(HdfsFiles files, ObjectNode doc) throws IOException {
    ControlNodes nodes =
        ControlNodes.of(console.conf(), SessionManagers.of(console.conf(), files.fileSystem()));
    Map<String, ReplicaWork> byScheme = new HashMap<>();
    Map<Path, Holding> known = new HashMap<>();
    ObjectNode converted = doc.putObject("converted");
    boolean hasFailed = false;
    try (Progress progress = new Progress(console.err())) {
      files.forEach(
          file -> {
            String scheme = holding(files.fileSystem(), file, known).scheme;
            byScheme
                .computeIfAbsent(
                    scheme,
                    to -> new ReplicaWork(nodes, (node, blockIds) -> node.convert(to, blockIds)))
                .add(files, file, progress);
          });
      for (Map.Entry<String, ReplicaWork> each : byScheme.entrySet()) {
        each.getValue().flush();
        each.getValue().describe(converted.putObject(each.getKey()));
        hasFailed |= each.getValue().hasFailed();
      }
    }
    return hasFailed;
  }

  /**
   * As the NameNode finds it.
   *
   * @param known of directories that were looked at already
   */
  private Holding holding(DistributedFileSystem fs, Path path, Map<Path, Holding> known)
      throws IOException {
    Holding before = known.get(path);
    if (before != null) {
      return before;
    }
    String own = own(fs, path);
    Path parent = path.getParent();
    Holding holding;
    if (own != null) {
      holding = new Holding(own, path.toUri().getPath());
    } else if (parent != null) {
      holding = holding(fs, parent, known);
    } else {
      holding = new Holding(SchemeOptions.of(console.conf()).defaultScheme(), "default");
    }
    if (known.size() < 1 << 16) {
      known.put(path, holding);
    }
    return holding;
  }

  private static @Nullable String own(DistributedFileSystem fs, Path path) throws IOException {
    byte[] value = fs.getXAttrs(path).get(SchemeOptions.ATTRIBUTE);
    return value == null ? null : new String(value, StandardCharsets.UTF_8);
  }

  private static void text(JsonNode doc, PrintStream out) {
    String from = doc.path("from").asText();
    out.printf(
        "%s: %s, %s%n",
        doc.path("path").asText(),
        doc.path("scheme").asText(),
        from.equals("default") ? "by default" : "set at " + from);
    doc.path("converted")
        .fields()
        .forEachRemaining(
            each -> ReplicaWork.print(each.getValue(), "converted to " + each.getKey(), out));
  }
}

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.admin;

import io.hdfsparity.core.cli.Arguments;
import io.hdfsparity.core.cli.Command;
import io.hdfsparity.core.cli.CommandLine;
import io.hdfsparity.core.cli.UsageException;
import io.hdfsparity.raidp.admin.ManagerClient.AnswerTimeout;
import io.hdfsparity.raidp.config.LockGranularity;
import io.hdfsparity.raidp.wire.RaidpAdminProtocol.DryRun;
import io.hdfsparity.raidp.wire.message.FailDiskRequest;
import io.hdfsparity.raidp.wire.message.LstorRebuildRequest;
import io.hdfsparity.raidp.wire.message.LstorRebuildRequest.Action;
import io.hdfsparity.raidp.wire.message.RecoverRequest;
import io.hdfsparity.raidp.wire.message.TextResponse;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.util.StringUtils.TraditionalBinaryPrefix;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;

/**
 * {@code hdfs raidp}: administration of RAIDP. Exit codes as those of dfsadmin: 0, or -1 for any
 * error.
 */
public final class RaidpAdmin extends Configured implements Tool {
  private static final String JSON = "-json";
  private static final String ACCEPT_LOSS = "-acceptLoss";
  private final PrintStream out;
  private final PrintStream err;
  private final AnswerPrinter answers;
  private final ProtectionCommands protection;
  private final CommandLine commands;

  /** Prints to the process' own streams; {@code ToolRunner} sets the configuration. */
  public RaidpAdmin() {
    this(new HdfsConfiguration(), System.out, System.err);
  }

  /**
   * @param conf HDFS configuration of the cluster
   */
  public RaidpAdmin(Configuration conf, PrintStream out, PrintStream err) {
    super(conf);
    this.out = out;
    this.err = err;
    this.answers = new AnswerPrinter(out);
    this.protection = new ProtectionCommands(this::client, out, err);
    this.commands =
        new CommandLine(
            "hdfs raidp",
            "commands that change something can be run by an HDFS superuser only.",
            ToolRunner::printGenericCommandUsage,
            out,
            err,
            commands());
  }

  private List<Command> commands() {
    List<Command> all = new ArrayList<>(clusterCommands());
    all.addAll(protection.commands());
    all.add(new BalanceCommand(this::client, out, err).command());
    all.addAll(new FsckCommand(this::client, out, err).commands());
    return all;
  }

  private List<Command> clusterCommands() {
    return List.of(
        Command.of(
            "-status",
            "[PATH] [-json]",
            "Superchunks by state, nodes and disks, problems in the reports; with a path, which of"
                + " its files and blocks are protected.",
            this::status),
        Command.of(
            "-layout",
            "[-apply [-dryRun]] [-json]",
            "Lists superchunks and spare frames; with -apply pairs"
                + " frames that have no superchunk, with -dryRun only shows which.",
            this::layout),
        Command.of(
            "-plan",
            "-nodes N -disks D ... (see -plan -help)",
            "Plans a layout for a described cluster;" + " touches none.",
            args -> new PlanCommand().run(args.toArray(String[]::new), out, err)),
        Command.of(
            "-recover",
            "[-progress] [-chunkSize BYTES] [-lock range|superchunk] [-throttle BYTES_PER_SECOND]"
                + " [-acceptLoss] [-json]",
            "Brings all superchunks back to two replicas; with -progress watches until it is done."
                + " With -acceptLoss it does without the Lstors that superchunks wait for now as"
                + " LSTOR_UNREADABLE: the blocks that only they have are lost.",
            this::recover),
        Command.of(
            "-failDisk",
            "ID [-force | -undo] [-json]",
            "Takes a disk out of service, with all its frames. Refused while it may have the last"
                + " replica of a block in a superchunk, also if its node is down, but for -force. With -undo takes that back:"
                + " a DataNode that has put the disk out of service is to be restarted then.",
            this::failDisk),
        Command.of(
            "-lstor",
            "[-rebuild DISK] [-json]",
            "Lists the Lstors and who holds them; with -rebuild recomputes the parity of a disk"
                + " from its replicas, and a new Lstor where it is lost or damaged.",
            this::lstors));
  }

  /**
   * @param args generic Hadoop options, then a command
   */
  public static void main(String[] args) throws Exception {
    System.exit(
        ToolRunner.run(new RaidpAdmin(new HdfsConfiguration(), System.out, System.err), args));
  }

  @Override
  public int run(String[] args) {
    return commands.run(args);
  }

  // ---------------------------------------------------------------- commands

  private int status(List<String> args) throws Exception {
    if (args.stream().anyMatch(arg -> arg.startsWith("/"))) {
      return protection.status(args);
    }
    Arguments a = Arguments.parse(args, Set.of(JSON), Set.of());
    return answers.print(
        client().call(m -> m.status(List.of()), AnswerTimeout.SHORT), a, Texts::status);
  }

  private int layout(List<String> args) throws Exception {
    Arguments a = Arguments.parse(args, Set.of(JSON, "-apply", "-dryRun"), Set.of());
    if (!a.has("-apply")) {
      if (a.has("-dryRun")) {
        throw new UsageException("-dryRun needs -apply");
      }
      return answers.print(
          client().call(m -> m.layout(List.of()), AnswerTimeout.SHORT), a, Texts::layout);
    }
    DryRun dryRun = a.has("-dryRun") ? DryRun.YES : DryRun.NO;
    return answers.print(
        client().call(m -> m.applyLayout(dryRun), AnswerTimeout.LONG), a, Texts::applied);
  }

  private int failDisk(List<String> args) throws Exception {
    if (args.isEmpty() || args.get(0).startsWith("-")) {
      throw new UsageException("a disk id is missing");
    }
    String diskId = args.get(0);
    Arguments a =
        Arguments.parse(args.subList(1, args.size()), Set.of(JSON, "-force", "-undo"), Set.of());
    if (a.has("-undo")) {
      if (a.has("-force")) {
        throw new UsageException("-undo goes without -force");
      }
      return answers.print(
          client().call(m -> m.withdrawFailedDisk(diskId), AnswerTimeout.SHORT),
          a,
          Texts::withdrawn);
    }
    FailDiskRequest request =
        new FailDiskRequest(
            diskId,
            a.has("-force") ? FailDiskRequest.Check.NONE : FailDiskRequest.Check.OTHER_REPLICAS);
    return answers.print(
        client().call(m -> m.failDisk(request), AnswerTimeout.SHORT), a, Texts::failed);
  }

  private int lstors(List<String> args) throws Exception {
    Arguments a = Arguments.parse(args, Set.of(JSON), Set.of("-rebuild"));
    Optional<String> disk = a.value("-rebuild");
    if (disk.isEmpty()) {
      return answers.print(
          client().call(m -> m.lstors(List.of()), AnswerTimeout.SHORT), a, Texts::lstors);
    }
    ManagerClient client = client();
    LstorRebuildRequest start = new LstorRebuildRequest(disk.get(), Action.START);
    client.call(m -> m.rebuildLstor(start), AnswerTimeout.SHORT);
    LstorRebuildRequest watch = new LstorRebuildRequest(disk.get(), Action.WATCH);
    TextResponse answer =
        new LstorRebuildWatch(
                () -> client.call(m -> m.rebuildLstor(watch), AnswerTimeout.SHORT),
                a.has(JSON) ? err : out)
            .untilOver();
    return answers.print(answer, a, (doc, to) -> to.println(LstorRebuildWatch.line(doc)));
  }

  private int recover(List<String> args) throws Exception {
    Arguments a =
        Arguments.parse(
            args,
            Set.of(JSON, "-progress", ACCEPT_LOSS),
            Set.of("-chunkSize", "-lock", "-throttle"));
    RecoverRequest request = request(a);
    ManagerClient client = client();
    TextResponse answer = client.call(m -> m.recover(request), AnswerTimeout.SHORT);
    if (a.has("-progress")) {
      boolean onTerminal = System.console() != null && out == System.out;
      PrintStream bar = a.has(JSON) ? err : out;
      answer =
          new RecoveryWatch(
                  () -> client.call(m -> m.recover(request), AnswerTimeout.SHORT),
                  () -> client.call(m -> m.recoveryStatus(List.of()), AnswerTimeout.SHORT),
                  bar,
                  onTerminal ? RecoveryWatch.Style.BAR : RecoveryWatch.Style.LINES,
                  RecoveryWatch.Limits.USUAL)
              .untilOver();
    }
    return answers.print(answer, a, Texts::recovery);
  }

  private static RecoverRequest request(Arguments a) throws UsageException {
    OptionalLong chunkBytes = size(a, "-chunkSize");
    try {
      return new RecoverRequest(
          chunkBytes.isPresent()
              ? OptionalInt.of(Math.toIntExact(chunkBytes.getAsLong()))
              : OptionalInt.empty(),
          lock(a),
          size(a, "-throttle"),
          a.has(ACCEPT_LOSS));
    } catch (ArithmeticException e) {
      throw new UsageException(
          "-chunkSize=" + chunkBytes.getAsLong() + ", expected a multiple of 64k up to 64m");
    } catch (IllegalArgumentException e) {
      throw new UsageException(String.valueOf(e.getMessage()));
    }
  }

  private static OptionalLong size(Arguments a, String option) throws UsageException {
    Optional<String> given = a.value(option);
    try {
      return given.isPresent()
          ? OptionalLong.of(TraditionalBinaryPrefix.string2long(given.get()))
          : OptionalLong.empty();
    } catch (IllegalArgumentException e) {
      throw new UsageException(
          option + "=" + given.get() + ", expected bytes, with k, m, g or t, as in 4m");
    }
  }

  private static Optional<LockGranularity> lock(Arguments a) throws UsageException {
    Optional<String> given = a.value("-lock");
    try {
      return given.map(word -> LockGranularity.valueOf(word.toUpperCase(Locale.ROOT)));
    } catch (IllegalArgumentException e) {
      throw new UsageException("-lock=" + given.get() + ", expected range or superchunk");
    }
  }

  private ManagerClient client() {
    return new ManagerClient(getConf());
  }
}

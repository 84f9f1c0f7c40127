/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.admin;

import io.hdfsparity.bridge.cli.Console;
import io.hdfsparity.bridge.cli.ConsoleCommand;
import io.hdfsparity.bridge.refusal.Refusal;
import io.hdfsparity.bridge.swap.SwapProtocol;
import io.hdfsparity.core.cli.Arguments;
import io.hdfsparity.core.cli.CommandLine;
import io.hdfsparity.core.cli.UsageException;
import io.hdfsparity.izs.apply.ApplyItem;
import io.hdfsparity.izs.apply.FileMove;
import io.hdfsparity.izs.apply.MovePoints;
import io.hdfsparity.izs.config.ApplyKey;
import io.hdfsparity.izs.config.ApplyOptions;
import io.hdfsparity.izs.config.LevelOptions;
import io.hdfsparity.izs.mapping.Advice;
import io.hdfsparity.izs.mapping.Advice.Verdict;
import io.hdfsparity.izs.mapreduce.MoveJob;
import io.hdfsparity.izs.transfer.Mover;
import io.hdfsparity.izs.transfer.WorkFolder;
import io.hdfsparity.izs.wire.LevelManagers;
import io.hdfsparity.izs.wire.LevelProtocol;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/**
 * {@code hdfs izs -apply}: carries out what {@code -advise} says. What is done stays done when it
 * is interrupted, and the next run passes over it; copies that were under way are restarted.
 */
final class ApplyCommand extends ConsoleCommand {
  private static final String RECURSIVE = "-R";
  private static final String DRY_RUN = "-dryRun";
  private static final String PROGRESS = "-progress";
  private static final String MAPREDUCE = "-mapreduce";
  private static final String MAPS = "-maps";
  private static final String THREADS = "-threads";
  private static final String BANDWIDTH = "-bandwidth";

  private final MovePoints points;

  /**
   * @param points notified of the steps of each copy
   */
  ApplyCommand(Console console, MovePoints points) {
    super(
        console,
        "-apply",
        "<path> [-R] [-dryRun] [-json] [-progress] [-threads <number>] [-bandwidth <bytes/s>]"
            + " [-mapreduce] [-maps <number>] ["
            + StaleReaders.FLAG
            + "]",
        """
    Carries out what -advise says, for a file, for the files in a directory, or with -R for all below
    it. Number of copies and levels change in place. Between copies and code a file is copied, the
    copy is read back and compared, and takes the place of the file in one step in the NameNode, with
    owner, group, mode, ACL, xattrs, times and storage policy, only if the file was not touched
    meanwhile. May be interrupted and run again. Refused files are listed with a reason and a remedy:
    open ones, those in snapshots and in encryption zones, and what the cluster cannot hold. Needs the
    access history and the level manager in the NameNode, and a superuser.
    -dryRun             only shows what would be done
    -threads <number>   files copied at a time (dfs.parity.izs.apply.threads)
    -bandwidth <bytes>  most bytes read a second, as 100M (dfs.parity.izs.apply.bandwidth)
    -mapreduce          copies by a MapReduce job, for large trees (-maps: most maps); also by itself from
                        dfs.parity.izs.apply.mapreduce.files on
    -acceptStaleReaders files also get erasure coded forms: a program with Hadoop's own client that
                        has such a file open since before may read wrong bytes of it, without an error
    Exit code 0 when nothing was refused, else -1.
    """);
    this.points = points;
  }

  @Override
  public int run(List<String> args) throws Exception {
    Arguments a =
        Arguments.parse(
            args,
            Set.of(RECURSIVE, DRY_RUN, Console.JSON, PROGRESS, MAPREDUCE, StaleReaders.FLAG),
            Set.of(THREADS, BANDWIDTH, MAPS),
            List.of("the path"));
    ApplyOptions options = options(a);
    AdviceWalk walk = AdviceWalk.of(console, "apply", a.operand(0));
    ApplyReport.Mode mode = a.has(DRY_RUN) ? ApplyReport.Mode.DRY_RUN : ApplyReport.Mode.APPLY;
    try (ApplyReport report = ApplyReport.of(console, mode, a.has(Console.JSON))) {
      try {
        if (mode == ApplyReport.Mode.DRY_RUN) {
          SwapProtocol service = LevelManagers.of(console.conf(), walk.fileSystem()).swaps();
          PairCheck pairs = new PairCheck(service);
          StaleReaders staleReaders = new StaleReaders(a.has(StaleReaders.FLAG));
          walk.forEach(tree(a), advice -> show(advice, service, pairs, staleReaders, report));
        } else {
          apply(walk, a, options, report);
        }
      } catch (IOException e) {
        report.fail(e);
        throw e;
      }
      return report.exitCode();
    }
  }

  private static AdviceWalk.Tree tree(Arguments a) {
    return a.has(RECURSIVE) ? AdviceWalk.Tree.YES : AdviceWalk.Tree.NO;
  }

  /** The configuration with what the command line says. */
  private static Configuration settings(Configuration conf, Arguments a) {
    Configuration own = new Configuration(conf);
    a.value(THREADS).ifPresent(text -> own.set(ApplyKey.THREADS.key(), text));
    a.value(BANDWIDTH).ifPresent(text -> own.set(ApplyKey.BANDWIDTH.key(), text));
    a.value(MAPS).ifPresent(text -> own.set(ApplyKey.MAPREDUCE_MAPS.key(), text));
    return own;
  }

  private ApplyOptions options(Arguments a) throws UsageException {
    Configuration conf = settings(console.conf(), a);
    try {
      return ApplyOptions.of(conf);
    } catch (IllegalArgumentException e) {
      throw new UsageException(CommandLine.firstLine(e.getMessage()));
    }
  }

  /** What would be done with a file, refusals that can be foreseen included. */
  private static void show(
      Advice advice,
      SwapProtocol service,
      PairCheck pairs,
      StaleReaders staleReaders,
      ApplyReport report)
      throws IOException {
    Verdict verdict = advice.verdict();
    ApplyItem item = ApplyItem.of(advice);
    Optional<Refusal> refusal =
        verdict == Verdict.REWRITE
            ? FileMove.foreseen(advice.file().path(), advice.form().orElseThrow(), service::inspect)
            : pairs.refusal(advice);
    refusal = refusal.or(() -> staleReaders.refusal(advice));
    if (refusal.isPresent()) {
      report.refuse(item, refusal.get());
    } else if (verdict == Verdict.REWRITE) {
      report.change(item, advice.file().lengthBytes());
    } else if (verdict == Verdict.SET_LEVEL || verdict == Verdict.SET_REPLICATION) {
      report.change(item, 0);
    } else {
      report.leave(item, advice.why());
    }
  }

  private void apply(AdviceWalk walk, Arguments a, ApplyOptions options, ApplyReport report)
      throws IOException {
    DistributedFileSystem fs = walk.fileSystem();
    LevelManagers managers = LevelManagers.of(console.conf(), fs);
    requireManager(managers);
    try (WorkFolder work = WorkFolder.open(fs, options.workFolder())) {
      int cleaned = work.cleanLeftovers();
      if (cleaned > 0) {
        console.err().println("Deleted " + cleaned + " copies that an earlier run left behind");
      }
      SwapProtocol swaps = managers.swaps();
      Mover mover = new Mover(fs, swaps, work, options, points, ApplyCommand::nothing);
      Optional<Ticker> ticker =
          a.has(PROGRESS)
              ? Optional.of(new Ticker(console.err(), report::line, mover::readBytes))
              : Optional.empty();
      try (Moves moves = moves(a, options, mover, fs, work, report)) {
        int batchFiles = LevelOptions.of(console.conf()).batchFiles();
        StaleReaders staleReaders = new StaleReaders(a.has(StaleReaders.FLAG));
        ApplyRun run =
            new ApplyRun(
                fs,
                managers,
                moves,
                new PairCheck(swaps),
                staleReaders,
                new ProtectedCopies(swaps, () -> work.protect(swaps)),
                report,
                batchFiles);
        walk.forEach(tree(a), run::take);
        run.finish();
      } finally {
        ticker.ifPresent(Ticker::close);
      }
    }
  }

  /** Fails soon where there is no level manager; later a NameNode that is away is waited for. */
  private static void requireManager(LevelManagers managers) throws IOException {
    try {
      managers.callActive(LevelProtocol::status);
    } catch (IOException e) {
      // A connection that was kept since before a restart fails once.
      managers.callActive(LevelProtocol::status);
    }
  }

  private static void nothing() {
    // A process is not watched as a task of a job is.
  }

  private Moves moves(
      Arguments a,
      ApplyOptions options,
      Mover mover,
      DistributedFileSystem fs,
      WorkFolder work,
      ApplyReport report)
      throws IOException {
    ThresholdMoves.Factory job =
        () ->
            new JobMoves(
                new MoveJob(settings(console.conf(), a), fs, work, options.maps()), report);
    if (a.has(MAPREDUCE)) {
      return job.make();
    }
    ThresholdMoves.Factory local = () -> new LocalMoves(mover, report, options.threads());
    return options.jobFiles() > 0
        ? new ThresholdMoves(options.jobFiles(), local, job)
        : local.make();
  }
}

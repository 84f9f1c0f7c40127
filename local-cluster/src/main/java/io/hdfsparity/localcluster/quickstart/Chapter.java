/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.quickstart;

import static io.hdfsparity.localcluster.quickstart.QuickstartException.require;
import static io.hdfsparity.localcluster.quickstart.Texts.format;

import com.fasterxml.jackson.databind.JsonNode;
import io.hdfsparity.localcluster.AdminCommand;
import io.hdfsparity.localcluster.ClusterMetrics;
import io.hdfsparity.localcluster.LocalCluster;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/**
 * A name, a cluster, and steps on it. What steps find for later ones is in fields. Has the clients
 * of the cluster, and the steps that chapters share. Used by one thread.
 */
abstract class Chapter implements Closeable {
  static final int NAME_WIDTH = 20;
  private static final Duration COMMAND_TIMEOUT = Duration.ofMinutes(3);

  final ChapterName name;
  final Screen screen;
  final Report report;
  final Ledger ledger = new Ledger();
  private final Runner runner;
  private final long blockBytes;
  private final Deque<Closeable> opened = new ArrayDeque<>();
  private FileSystem client;
  private DistributedFileSystem stock;

  /**
   * @param blockBytes block size of its clients
   * @param nameWidth of the lines of the report
   */
  Chapter(ChapterName name, Runner runner, long blockBytes, int nameWidth) {
    this.name = name;
    this.runner = runner;
    this.blockBytes = blockBytes;
    screen = runner.screen();
    report = new Report(nameWidth);
  }

  /** Whether it stores files of the user; if not, it gets none. */
  boolean takesFiles() {
    return true;
  }

  /**
   * Refuses files that it cannot show anything with.
   *
   * @throws QuickstartException naming what is wrong with them
   */
  void check(List<SourceFile> chosen) throws QuickstartException {}

  /** The cluster for the files that were chosen. */
  abstract ClusterPlan plan(List<SourceFile> chosen) throws QuickstartException;

  /**
   * What has to be done before the cluster that was started is ready.
   *
   * @return what to say of it
   */
  String makeReady() throws Exception {
    return "";
  }

  /** All steps but the choice of files and the start of the cluster. */
  abstract List<Step> steps();

  /** Chapters that come on the same cluster after the steps, which are done again behind them. */
  List<Chapter> parts() {
    return List.of();
  }

  /** Deletes what was stored and starts what was killed, for the next chapter on the cluster. */
  void clear() throws Exception {}

  /**
   * What shows something of interest in a cluster that is kept, after bin/hdfs-parity --dir DIR.
   */
  abstract List<String> commands();

  final LocalCluster cluster() {
    return runner.cluster();
  }

  final List<SourceFile> files() {
    return runner.files();
  }

  final long blockBytes() {
    return blockBytes;
  }

  /** A read whose replicas are all gone is tried again within a second, not for half a minute. */
  int retryWindowMs() {
    return 300;
  }

  /** A configuration with the suite's file system, for a client of this chapter. */
  final Configuration conf() throws IOException {
    return withTimeouts(cluster().conf());
  }

  /** Commands of an administrator. */
  final AdminCommand admin() throws IOException {
    return new AdminCommand(conf());
  }

  /** A client of the suite, open until the end of the chapter. */
  final FileSystem client() throws IOException {
    if (client == null) {
      client = closeLater(newClient());
    }
    return client;
  }

  /** A client of the suite; to be closed. */
  final FileSystem newClient() throws IOException {
    return FileSystem.newInstance(conf());
  }

  /** Hadoop's own client, open until the end of the chapter. */
  final DistributedFileSystem stock() throws IOException {
    if (stock == null) {
      Configuration conf = withTimeouts(cluster().stockConf());
      stock = closeLater((DistributedFileSystem) FileSystem.newInstance(conf));
    }
    return stock;
  }

  /** Settings that concern waiting, the end of this program, and the blocks of this chapter. */
  private Configuration withTimeouts(Configuration conf) {
    conf.setInt("dfs.client.retry.window.base", retryWindowMs());
    // Whoever ends this program has the cluster ended too: nothing is to be flushed to it.
    conf.set("fs.automatic.close", "false");
    conf.setLong("dfs.blocksize", blockBytes);
    return conf;
  }

  /** Starts readers and writers, which end with the chapter at the latest. */
  final Load start(List<Load.Program> programs) {
    return closeLater(new Load(files(), programs));
  }

  /** Has something closed at the end of the chapter. */
  final <T extends Closeable> T closeLater(T resource) {
    opened.push(resource);
    return resource;
  }

  @Override
  public final void close() throws IOException {
    while (!opened.isEmpty()) {
      opened.pop().close();
    }
  }

  /** Waits, and shows what for; after the timeout this says what else is the case. */
  final void await(String otherwise, Duration timeout, Poll.Condition condition) throws Exception {
    Poll.answer(otherwise, timeout, screen::progress, condition);
  }

  /** Runs a command until its answer will do: it is refused while the cluster is not ready. */
  final JsonNode jsonWhen(Predicate<AdminCommand.Answer> ready, String line, Object... values)
      throws Exception {
    AdminCommand admin = admin();
    return Poll.answer(
        format(line, values) + " failed",
        COMMAND_TIMEOUT,
        screen::progress,
        () -> {
          AdminCommand.Answer answer = admin.run(screen::progress, line, values);
          Poll.NotYet.unless(ready.test(answer), "%s", answer.err());
          return answer.requireJson();
        });
  }

  /** Makes a folder with an erasure code. */
  final void makeFolder(String folder, String policy) throws IOException {
    Path path = new Path(folder);
    stock().mkdirs(path);
    stock().enableErasureCodingPolicy(policy);
    stock().setErasureCodingPolicy(path, policy);
  }

  /** Deletes folders of the cluster. */
  final void delete(String... folders) throws IOException {
    for (String folder : folders) {
      stock().delete(new Path(folder), true);
    }
  }

  /** Counters of the cluster. */
  final ClusterMetrics metrics() throws QuickstartException {
    return QuickstartException.attempt("Cannot read the counters", cluster()::metrics);
  }

  /**
   * Stores the files in a folder with an erasure code.
   *
   * @param also what else is stored, for the title
   * @param then what belongs to the step after that
   */
  final Step store(String folder, String policy, String also, Step.Action then) {
    return Step.of(
        format(
            "Store the files under %s with Hadoop's own client, %s at a time%s",
            policy, Workers.THREADS, also),
        () -> {
          makeFolder(folder, policy);
          store(folder);
          then.run();
        });
  }

  /** Stores the files in a folder, and says how much was stored in what time. */
  final void store(String folder) throws Exception {
    long ms = new StoreStep(stock(), folder, ledger, screen).run(files());
    String rate = Texts.rate(FileChoice.totalBytes(files()), ms);
    screen.line("%s in {ms}, %s", FileChoice.text(files()), ms, rate);
  }

  /** Says on the last page what was stored. */
  static void addStored(Report report, List<SourceFile> files) {
    report.row("stored", "%s", FileChoice.text(files));
  }

  /**
   * Has the parity of files recomputed; a file is refused while HDFS rebuilds a unit of it.
   *
   * @param of which files, for the title
   */
  final Step verify(String of, Supplier<Iterable<String>> paths, Step.Action then) {
    return Step.of(
        format("Recompute the parity of every stripe of %s: ecupdate -verify", of),
        () -> {
          long stripes = 0;
          for (String path : paths.get()) {
            JsonNode doc =
                jsonWhen(
                    answer -> answer.json().filter(json -> json.has("right")).isPresent(),
                    "ecupdate -verify %s -json",
                    path);
            require(doc.path("right").asBoolean(), "PARITY IS WRONG: %s", doc);
            stripes += doc.path("stripes").asLong();
          }
          screen.line("{stripe}, all parity right", stripes);
          report.row("parity right", "{stripe}", stripes);
          then.run();
        });
  }

  /**
   * Reads back all that HDFS has acknowledged, at the end.
   *
   * @param with a way to a client: there is no cluster yet when steps are listed
   * @param more what the report says besides
   */
  final Step compareAll(
      Callable<FileSystem> with, String title, Function<CompareStep.Result, String> more) {
    return new Step(
        () -> format("Read back all {file}%s", ledger.size(), title),
        () -> {
          CompareStep.Result result = compare(with.call());
          result.addTo(report, more.apply(result));
        });
  }

  /** Reads back all that HDFS has acknowledged, and compares it with its source. */
  final CompareStep.Result compare(FileSystem fileSystem) throws Exception {
    List<Ledger.Entry> entries = List.copyOf(ledger.all());
    CompareStep.Result result = new CompareStep(fileSystem, screen).run(entries);
    require(
        result.wrong().isEmpty(),
        "WRONG BYTES: %s OF %s FILES DIFFER FROM THEIR SOURCE:\n  %s",
        result.wrong().size(),
        entries.size(),
        Texts.first(result.wrong()));
    String template = "%s of %s equal, {bytes} in {ms}";
    screen.line(template, result.files(), entries.size(), result.bytes(), result.ms());
    return result;
  }
}

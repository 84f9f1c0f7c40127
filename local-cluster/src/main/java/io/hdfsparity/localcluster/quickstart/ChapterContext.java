/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.quickstart;

import static io.hdfsparity.localcluster.quickstart.Texts.count;
import static io.hdfsparity.localcluster.quickstart.Texts.firstLine;
import static io.hdfsparity.localcluster.quickstart.Texts.format;
import static io.hdfsparity.localcluster.quickstart.Texts.seconds;
import static io.hdfsparity.localcluster.quickstart.Texts.size;

import com.fasterxml.jackson.databind.JsonNode;
import io.hdfsparity.localcluster.ClusterMetrics;
import io.hdfsparity.localcluster.LocalCluster;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/**
 * What the steps of one chapter work with, and the steps that chapters share. Used by one thread.
 */
final class ChapterContext implements AutoCloseable {
  private static final Duration VERIFY_TIMEOUT = Duration.ofMinutes(2);
  private final Runner runner;
  private final long blockBytes;
  private final Screen screen;
  private final Report report;
  private final Ledger ledger = new Ledger();
  private final Deque<AutoCloseable> opened = new ArrayDeque<>();
  private FileSystem client;
  private DistributedFileSystem stock;

  /**
   * @param blockBytes block size of its clients
   * @param nameWidth of the lines of the report
   */
  ChapterContext(Runner runner, long blockBytes, int nameWidth) {
    this.runner = runner;
    this.blockBytes = blockBytes;
    screen = runner.screen();
    report = new Report(nameWidth);
  }

  /** A way to a client, for steps that are listed before there is a cluster. */
  interface Client {
    FileSystem open() throws IOException;
  }

  Screen screen() {
    return screen;
  }

  Report report() {
    return report;
  }

  Ledger ledger() {
    return ledger;
  }

  List<SourceFile> files() {
    return runner.files();
  }

  LocalCluster cluster() {
    return runner.cluster();
  }

  Path clusterDir() {
    return runner.options().clusterDir();
  }

  /** A configuration with the suite's file system, for a client of this chapter. */
  Configuration conf() throws IOException {
    return withTimeouts(cluster().conf());
  }

  /** A client of the suite, open until the end of the chapter. */
  FileSystem client() throws IOException {
    if (client == null) {
      client = closeLater(newClient());
    }
    return client;
  }

  /** A client of the suite; to be closed. */
  FileSystem newClient() throws IOException {
    return FileSystem.newInstance(conf());
  }

  /** Hadoop's own client, open until the end of the chapter. */
  DistributedFileSystem stock() throws IOException {
    if (stock == null) {
      stock =
          closeLater(
              (DistributedFileSystem) FileSystem.newInstance(withTimeouts(cluster().stockConf())));
    }
    return stock;
  }

  /** Settings that concern waiting, the end of this program, and the blocks of this chapter. */
  private Configuration withTimeouts(Configuration conf) {
    // A read whose replicas are all gone is tried again within a second, not for half a minute.
    conf.set("dfs.client.retry.window.base", "300");
    // Whoever ends this program has the cluster ended too: nothing is to be flushed to it.
    conf.set("fs.automatic.close", "false");
    conf.setLong("dfs.blocksize", blockBytes);
    return conf;
  }

  /** Has something closed at the end of the chapter. */
  <T extends AutoCloseable> T closeLater(T resource) {
    opened.push(resource);
    return resource;
  }

  @Override
  public void close() throws IOException {
    while (!opened.isEmpty()) {
      try {
        opened.pop().close();
      } catch (IOException e) {
        throw e;
      } catch (Exception e) {
        throw new IOException(e);
      }
    }
  }

  /** Waits, and shows what for; after the timeout this says what else is the case. */
  void await(String otherwise, Duration timeout, Poll.Condition condition)
      throws QuickstartException, InterruptedException {
    Poll.await(otherwise, timeout, screen::progress, condition);
  }

  /** Makes a folder with an erasure code. */
  void makeFolder(String folder, String policy) throws IOException {
    org.apache.hadoop.fs.Path path = new org.apache.hadoop.fs.Path(folder);
    stock().mkdirs(path);
    stock().enableErasureCodingPolicy(policy);
    stock().setErasureCodingPolicy(path, policy);
  }

  /** Deletes folders of the cluster. */
  void delete(String... folders) throws IOException {
    for (String folder : folders) {
      stock().delete(new org.apache.hadoop.fs.Path(folder), true);
    }
  }

  /** Counters of the cluster. */
  ClusterMetrics metrics() throws QuickstartException {
    try {
      return cluster().metrics();
    } catch (IOException e) {
      throw QuickstartException.cluster(e, "Cannot read the counters: %s", firstLine(e));
    }
  }

  /**
   * Stores the files in a folder with an erasure code.
   *
   * @param also what else is stored, for the title
   * @param then what belongs to the step after that
   */
  Step store(String folder, String policy, String also, Step.Action then) {
    return Step.of(
        format(
            "Store the files under %s with Hadoop's own client, %s at a time%s",
            policy, Workers.THREADS, also),
        () -> {
          makeFolder(folder, policy);
          tellStored(new StoreStep(stock(), folder, ledger, screen).run(files()));
          then.run();
        });
  }

  /** Says how much was stored in what time. */
  void tellStored(long ms) {
    String rate = Texts.rate(FileChoice.totalBytes(files()), ms);
    screen.line("%s in %s, %s", FileChoice.text(files()), seconds(ms), rate);
  }

  /**
   * Has the parity of files recomputed.
   *
   * @param of which files, for the title
   */
  Step verify(String of, Supplier<Iterable<String>> paths, Step.Action then) {
    return Step.of(
        format("Recompute the parity of every stripe of %s: ecupdate -verify", of),
        () -> {
          long stripes = 0;
          for (String path : paths.get()) {
            JsonNode doc = verified(path);
            if (!doc.path("right").asBoolean()) {
              throw QuickstartException.cluster("PARITY IS WRONG: %s", doc);
            }
            stripes += doc.path("stripes").asLong();
          }
          String text = count(stripes, "stripe");
          screen.line("%s, all parity right", text);
          report.row("parity right", "%s", text);
          then.run();
        });
  }

  /** The answer for a file; it is refused while HDFS rebuilds a unit of the file. */
  private JsonNode verified(String path)
      throws QuickstartException, IOException, InterruptedException {
    Admin admin = Admin.ecupdate(conf());
    return Poll.answer(
        "ecupdate -verify " + path + " failed",
        VERIFY_TIMEOUT,
        screen::progress,
        () -> {
          Admin.Answer answer = admin.run(line -> {}, "-verify", path, "-json");
          return answer
              .json()
              .filter(doc -> doc.has("right"))
              .orElseThrow(() -> new Poll.NotYet("%s", answer.err()));
        });
  }

  /** Reads back all that HDFS has acknowledged, at the end. */
  Step compareAll(Client with, String title) {
    return compareAll(with, title, result -> "");
  }

  /**
   * The same.
   *
   * @param more what the report says besides
   */
  Step compareAll(Client with, String title, Function<CompareStep.Result, String> more) {
    return new Step(
        () -> format("Read back all %s%s", count(ledger.size(), "file"), title),
        () -> {
          CompareStep.Result result = compare(with.open());
          result.addTo(report, more.apply(result));
        });
  }

  /** Reads back all that HDFS has acknowledged, and compares it with its source. */
  CompareStep.Result compare(FileSystem fileSystem) throws Exception {
    List<Ledger.Entry> entries = List.copyOf(ledger.all());
    CompareStep.Result result = new CompareStep(fileSystem, screen).run(entries);
    if (!result.wrong().isEmpty()) {
      throw QuickstartException.cluster(
          "WRONG BYTES: %s OF %s FILES DIFFER FROM THEIR SOURCE:\n  %s",
          result.wrong().size(), entries.size(), Texts.first(result.wrong()));
    }
    String bytes = size(result.bytes());
    String time = seconds(result.ms());
    screen.line("%s of %s equal, %s in %s", result.files(), entries.size(), bytes, time);
    return result;
  }
}

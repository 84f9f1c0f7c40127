/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.quickstart;

import com.fasterxml.jackson.databind.JsonNode;
import io.hdfsparity.localcluster.ClusterMetrics;
import io.hdfsparity.localcluster.LocalCluster;
import io.hdfsparity.localcluster.PortBusyException;
import io.hdfsparity.localcluster.Sizes;
import io.hdfsparity.localcluster.quickstart.QuickstartException.Kind;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/** What the chapters of the quickstart have in common. Used by one thread. */
abstract class Tour {
  private static final Duration METRICS_TIMEOUT = Duration.ofMinutes(1);
  private static final Duration VERIFY_TIMEOUT = Duration.ofMinutes(2);
  static final int SHOWN_FINDINGS = 10;

  /** The choice of files, and the start of the cluster. */
  static final int STEPS_BEFORE = 2;

  private final QuickstartOptions options;
  private final Path home;
  private final Screen screen;
  private final Ledger ledger = new Ledger();
  private List<SourceFile> files = List.of();
  private LocalCluster cluster;

  Tour(QuickstartOptions options, Path home, Screen screen) {
    this.options = options;
    this.home = home;
    this.screen = screen;
  }

  /**
   * Plans the cluster for the files that were chosen.
   *
   * @throws QuickstartException when no cluster of the chapter can hold them
   */
  abstract void plan(List<SourceFile> chosen) throws QuickstartException;

  /** The cluster for the files that were chosen. */
  abstract ClusterPlan clusterPlan();

  /** All steps but the choice of files and the start of the cluster. */
  abstract void show() throws Exception;

  /**
   * What has to be done before the cluster that was started is ready.
   *
   * @return what to say of it
   */
  String makeReady() throws Exception {
    return "";
  }

  /**
   * Deletes what this chapter has stored and starts what it has killed, for the next chapter on the
   * same cluster.
   */
  void clear() throws Exception {}

  /** All steps but the choice of files. */
  void run() throws Exception {
    startCluster();
    show();
  }

  /** Takes a cluster that runs, and has room for the files, instead of starting one. */
  final void use(LocalCluster running, List<SourceFile> chosen) {
    cluster = running;
    files = List.copyOf(chosen);
  }

  /**
   * What shows something of interest in a cluster that is kept, after bin/hdfs-parity --dir DIR.
   */
  abstract List<String> commands();

  final QuickstartOptions options() {
    return options;
  }

  final Screen screen() {
    return screen;
  }

  final Ledger ledger() {
    return ledger;
  }

  final List<SourceFile> files() {
    return files;
  }

  final LocalCluster cluster() {
    return cluster;
  }

  /** Folders that this run writes to, of which the log of the client lies in the second. */
  private List<Path> ownFolders() {
    return List.of(options.clusterDir(), home.resolve("run"), cacheDir());
  }

  private Path cacheDir() {
    return Path.of(
        System.getProperty(
            "hdfsparity.cache", home.resolve("local-cluster/target/cache").toString()));
  }

  /** Looks at all files, before anything is made or started. */
  final void chooseFiles() throws QuickstartException {
    screen.step("Choose the files");
    if (options.sourceDir().isPresent()) {
      files = FileChoice.ofFolder(options.sourceDir().get(), ownFolders());
      screen.line(
          Texts.count(files.size(), "file")
              + ", "
              + Sizes.text(FileChoice.totalBytes(files))
              + ", of "
              + options.sourceDir().get());
    } else {
      files =
          FileChoice.ofThisMachine(
              Path.of(System.getProperty("java.home")),
              Path.of(
                  System.getProperty(
                      "hdfsparity.m2", System.getProperty("user.home") + "/.m2/repository")));
      screen.line(
          Texts.count(files.size(), "file")
              + ", "
              + Sizes.text(FileChoice.totalBytes(files))
              + ": modules of this JDK and jars of the local Maven repository");
    }
    plan(files);
  }

  private void startCluster() throws Exception {
    ClusterPlan plan = clusterPlan();
    screen.step("Start a cluster: " + plan.title());
    long begin = System.nanoTime();
    cluster =
        plan.describe(LocalCluster.builder(options.clusterDir()))
            .httpPort(options.httpPort())
            .cacheDir(cacheDir())
            .log(screen::line)
            .build();
    Machine.requireFree(options.httpPort());
    Machine.room(plan.maxBytes(), cluster.spec(), options.clusterDir()).require();
    try {
      cluster.start();
    } catch (PortBusyException e) {
      throw new QuickstartException(
          Kind.INPUT, e.getMessage() + "; take another one with --http-port", e);
    } catch (IOException e) {
      throw new QuickstartException(Kind.CLUSTER, e.getMessage(), e);
    }
    String made = makeReady();
    screen.line("ready after " + Texts.seconds(Texts.msSince(begin)) + made);
    screen.line("look at it while it runs: http://" + cluster.status().webAddress() + "/");
  }

  /** A configuration with the suite's file system, for a client of this chapter. */
  final Configuration conf() throws IOException {
    return patient(cluster.conf());
  }

  /** A client of the suite; to be closed. */
  final FileSystem newClient() throws IOException {
    return FileSystem.newInstance(conf());
  }

  /** Hadoop's own client; to be closed. */
  final DistributedFileSystem newStockClient() throws IOException {
    return (DistributedFileSystem) FileSystem.newInstance(patient(cluster.stockConf()));
  }

  /** Settings that concern waiting, the end of this program, and the blocks of this chapter. */
  private Configuration patient(Configuration conf) {
    // A read whose replicas are all gone is tried again within a second, not for half a minute.
    conf.set("dfs.client.retry.window.base", "300");
    // Whoever ends this program has the cluster ended too: nothing is to be flushed to it.
    conf.set("fs.automatic.close", "false");
    conf.setLong("dfs.blocksize", clusterPlan().blockBytes());
    return conf;
  }

  /**
   * Stores the files in a folder with an erasure code.
   *
   * @param also what else is stored, for the title
   */
  final void store(DistributedFileSystem stock, String folder, String policy, String also)
      throws Exception {
    screen.step(
        "Store the files under "
            + policy
            + " with Hadoop's own client, "
            + StoreStep.THREADS
            + " at a time"
            + also);
    makeFolder(stock, folder, policy);
    tellStored(new StoreStep(stock, folder, ledger, screen).run(files));
  }

  /** Makes a folder with an erasure code. */
  static void makeFolder(DistributedFileSystem stock, String folder, String policy)
      throws IOException {
    org.apache.hadoop.fs.Path path = new org.apache.hadoop.fs.Path(folder);
    stock.mkdirs(path);
    stock.enableErasureCodingPolicy(policy);
    stock.setErasureCodingPolicy(path, policy);
  }

  /** Deletes folders of the cluster. */
  final void delete(String... folders) throws IOException {
    try (FileSystem fileSystem = newStockClient()) {
      for (String folder : folders) {
        fileSystem.delete(new org.apache.hadoop.fs.Path(folder), true);
      }
    }
  }

  /** Waits, and shows what for; after the timeout this says what else is the case. */
  final void await(String otherwise, Duration timeout, Poll.Question question)
      throws QuickstartException, InterruptedException {
    await(otherwise, timeout, screen::progress, question);
  }

  /** The same, where something else is shown. */
  static void await(
      String otherwise, Duration timeout, Consumer<String> shown, Poll.Question question)
      throws QuickstartException, InterruptedException {
    Optional<String> missing = Poll.until(timeout, shown, question);
    if (missing.isPresent()) {
      throw new QuickstartException(Kind.CLUSTER, otherwise + ": " + missing.get());
    }
  }

  /**
   * Has the parity of files computed anew.
   *
   * @return stripes whose parity was found right
   */
  final long verify(Iterable<String> paths)
      throws QuickstartException, IOException, InterruptedException {
    Admin admin = Admin.ecupdate(conf());
    long stripes = 0;
    for (String path : paths) {
      JsonNode doc = verified(admin, path);
      if (!doc.path("right").asBoolean()) {
        throw new QuickstartException(Kind.CLUSTER, "PARITY IS WRONG: " + doc);
      }
      stripes += doc.path("stripes").asLong();
    }
    screen.line(Texts.count(stripes, "stripe") + ", all parity right");
    return stripes;
  }

  /** The answer for a file; it is refused while HDFS rebuilds a unit of the file. */
  private JsonNode verified(Admin admin, String path)
      throws QuickstartException, InterruptedException {
    AtomicReference<JsonNode> answered = new AtomicReference<>();
    await(
        "ecupdate -verify " + path + " failed",
        VERIFY_TIMEOUT,
        () -> {
          Admin.Answer answer = admin.run(line -> {}, "-verify", path, "-json");
          answer.json().filter(doc -> doc.has("right")).ifPresent(answered::set);
          return answered.get() == null ? Optional.of(answer.err()) : Optional.empty();
        });
    return answered.get();
  }

  /** Says how much was stored in what time. */
  final void tellStored(long ms) {
    long total = FileChoice.totalBytes(files);
    screen.line(
        Texts.count(files.size(), "file")
            + ", "
            + Sizes.text(total)
            + " in "
            + Texts.seconds(ms)
            + ", "
            + Texts.rate(total, ms));
  }

  /**
   * DataNodes answer with counters that may be 10 seconds old (MetricsSourceAdapter): asks until
   * all is counted.
   */
  final ClusterMetrics.DataNodeCounters countersSince(ClusterMetrics before, long expectedBytes)
      throws QuickstartException, InterruptedException {
    AtomicReference<ClusterMetrics.DataNodeCounters> last = new AtomicReference<>();
    Poll.until(
        METRICS_TIMEOUT,
        line -> {},
        () -> {
          last.set(metrics().since(before));
          return last.get().receivedBytes() >= expectedBytes
              ? Optional.empty()
              : Optional.of("counters are old");
        });
    return last.get();
  }

  /** Counters of the cluster. */
  final ClusterMetrics metrics() throws QuickstartException {
    try {
      return cluster.metrics();
    } catch (IOException e) {
      throw new QuickstartException(
          Kind.CLUSTER, "Cannot read the counters: " + Texts.firstLine(e), e);
    }
  }

  /** Ends the load, and everything if it has found something wrong. */
  final LoadCounts end(Load load) throws QuickstartException, InterruptedException {
    if (!load.end()) {
      throw new QuickstartException(Kind.CLUSTER, "Readers and writers did not end in time");
    }
    return load.counts();
  }

  /** Wrong bytes end everything; so does an error that nothing explains. */
  final void requireSound(LoadCounts counts) throws QuickstartException {
    if (!counts.wrong().isEmpty()) {
      for (SourceFile file : files) {
        file.requireUnchanged();
      }
      throw new QuickstartException(
          Kind.CLUSTER,
          "WRONG BYTES WERE READ, "
              + counts.wrong().size()
              + " TIMES:\n  "
              + String.join("\n  ", counts.wrong().stream().limit(SHOWN_FINDINGS).toList()));
    }
    if (!counts.unexpected().isEmpty()) {
      throw new QuickstartException(
          Kind.CLUSTER,
          String.join("\n  ", counts.unexpected().stream().limit(SHOWN_FINDINGS).toList()));
    }
  }

  /** The last comparison, a step of its own. */
  final CompareStep.Result compareAtTheEnd(FileSystem fileSystem, String with) throws Exception {
    screen.step("Read back all " + Texts.count(ledger.all().size(), "file") + with);
    return compare(fileSystem);
  }

  /** Reads back all that HDFS has acknowledged, and compares it with its source. */
  final CompareStep.Result compare(FileSystem fileSystem) throws Exception {
    List<Ledger.Entry> entries = List.copyOf(ledger.all());
    CompareStep.Result result = new CompareStep(fileSystem, screen).run(entries);
    if (!result.wrong().isEmpty()) {
      throw new QuickstartException(
          Kind.CLUSTER,
          "WRONG BYTES: "
              + result.wrong().size()
              + " OF "
              + entries.size()
              + " FILES DIFFER FROM THEIR SOURCE:\n  "
              + String.join("\n  ", result.wrong().stream().limit(SHOWN_FINDINGS).toList()));
    }
    screen.line(
        result.files()
            + " of "
            + entries.size()
            + " equal, "
            + Sizes.text(result.bytes())
            + " in "
            + Texts.seconds(result.ms()));
    return result;
  }

  /** The last page. */
  final void showReport(List<String> report) {
    screen.plain("");
    screen.plain("EVERY BYTE CAME BACK");
    report.forEach(screen::line);
  }

  /** Tells how to look around in a cluster that is kept. */
  final void showKept(Workspace workspace) throws IOException {
    String command = "  bin/hdfs-parity --dir '" + options.clusterDir() + "' ";
    screen.plain("");
    screen.plain(
        "The cluster runs on: "
            + cluster.status().fileSystem()
            + ", web pages http://"
            + cluster.status().webAddress()
            + "/");
    screen.plain("Look around in " + home + " with:");
    commands().forEach(each -> screen.plain(command + each));
    screen.plain("  bin/hdfs-parity cluster --dir '" + options.clusterDir() + "' status");
    screen.plain("End and delete it with:");
    screen.plain("  " + workspace.endCommand());
  }
}

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.quickstart;

import com.fasterxml.jackson.databind.JsonNode;
import io.hdfsparity.localcluster.ClusterPaths;
import io.hdfsparity.localcluster.Sizes;
import io.hdfsparity.localcluster.quickstart.QuickstartException.Kind;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.AddErasureCodingPolicyResponse;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.io.erasurecode.ECSchema;

/**
 * The chapter on files that are organized by how they are used: {@code hdfs caso} learns from half
 * of a trace which cells of a volume are written together and puts them into the same stripes,
 * while the volume is read; the other half is written to it in place, and to a copy in order of
 * addresses, and DataNodes count what that costs in parity. A DataNode dies, the index is damaged,
 * the volume goes back to its own order. Every byte is compared. Used by one thread.
 */
final class CasoTour extends Tour {
  static final int STEPS = 11;
  private static final String FOLDER = "/documents";
  private static final String VOLUMES = "/volumes";
  private static final Path IMAGE = new Path(VOLUMES + "/image");
  private static final Path SEQUENTIAL = new Path(VOLUMES + "/sequential");
  private static final int SEED = 1;

  /** Half of the windows teach, as in the paper and as {@code -compare} has it. */
  private static final String RATIO = "0.5";

  /**
   * Updaters write all cells of a stripe at a time only if no crash of theirs has to be survived
   * together with lost nodes (ADR 0015). By default three cells cost three updates of each parity.
   */
  private static final String SURVIVE = "0c2s";

  private static final Duration TIMEOUT = Duration.ofMinutes(3);

  /** Of a reason to wait. */
  private static final int MAX_CHARS = 100;

  CasoTour(QuickstartOptions options, java.nio.file.Path home, Screen screen) {
    super(options, home, screen);
  }

  @Override
  void plan(List<SourceFile> chosen) {
    // Any files will do: what is changed is a volume of this chapter's own.
  }

  @Override
  ClusterPlan clusterPlan() {
    return new ClusterPlan(
        UpdateShape.NODES
            + " DataNodes in "
            + UpdateShape.RACKS
            + " racks that take updates; CASO's part in the NameNode",
        UpdateShape.BLOCK_BYTES,
        CasoShape::describe,
        CasoShape.maxBytes(files()));
  }

  @Override
  void show() throws Exception {
    Configuration updates = conf();
    updates.set("dfs.parity.ecupdate.survive", SURVIVE);
    try (DistributedFileSystem stock = newStockClient();
        FileSystem updating = FileSystem.newInstance(updates)) {
      store(stock, FOLDER, UpdateShape.POLICY, "; and a volume with cells of 4 KiB");
      Volume content = storeVolumes(stock);
      java.nio.file.Path trace = makeTrace();
      JsonNode compared = compareOrganizations(trace);
      long reads = organize(updating, trace, content);
      WriteWindows later = WriteWindows.read(trace).secondHalf();
      screen()
          .step(
              "Write its second half to both in place, "
                  + Texts.count(later.windows().size(), "window")
                  + " of a millisecond with "
                  + Texts.count(later.writes(), "write")
                  + ", each window durable before the next");
      screen()
          .line(
              "all cells of a stripe at a time: updaters have dfs.parity.ecupdate.survive="
                  + SURVIVE);
      Volume written = content.copy();
      ReplayStep replay = new ReplayStep(cluster(), updating, SEED, screen());
      ReplayStep.Cost sequential = replay.run(SEQUENTIAL, later, written);
      ReplayStep.Cost organized = replay.run(IMAGE, later, content);
      List<String> table = ReplayStep.table(compared, sequential, organized);
      table.forEach(screen()::line);
      screen().step("Compute the parity of every stripe of both anew: ecupdate -verify");
      long stripes = verify(List.of(IMAGE.toString(), SEQUENTIAL.toString()));
      degraded(content);
      repair(stock, content);
      restore(stock, content);
      add(IMAGE, content);
      add(SEQUENTIAL, written);
      CompareStep.Result all =
          compareAtTheEnd(
              stock, " with Hadoop's own client and compare SHA-256 with what was written");
      List<String> report = new ArrayList<>(table);
      report.add(row("read while organized", Texts.count(reads, "piece") + ", each right"));
      report.add(row("parity right", Texts.count(stripes, "stripe")));
      report.add(
          row("SHA-256 equal", Texts.count(all.files(), "file") + " of " + ledger().all().size()));
      showReport(report);
    }
  }

  @Override
  void clear() throws Exception {
    delete(FOLDER, VOLUMES);
  }

  private static String row(String name, String text) {
    return Texts.row(26, name, text);
  }

  /** A volume twice. */
  private Volume storeVolumes(DistributedFileSystem stock) throws Exception {
    ErasureCodingPolicy small =
        new ErasureCodingPolicy(
            new ECSchema("rs", CasoShape.DATA_UNITS, CasoShape.PARITY_UNITS), CasoShape.CELL_BYTES);
    AddErasureCodingPolicyResponse added =
        stock.addErasureCodingPolicies(new ErasureCodingPolicy[] {small})[0];
    if (!added.isSucceed()) {
      throw new QuickstartException(
          Kind.CLUSTER, "HDFS did not take a policy: " + added.getErrorMsg());
    }
    String name = added.getPolicy().getName();
    makeFolder(stock, VOLUMES, name);
    Volume content = new Volume(CasoShape.VOLUME_BYTES, SEED);
    for (Path path : List.of(IMAGE, SEQUENTIAL)) {
      try (OutputStream out =
          stock.createFile(path).blockSize(CasoShape.BLOCK_BYTES).ecPolicyName(name).build()) {
        Digests.copy(content, (buffer, length) -> out.write(buffer, 0, length));
      }
    }
    screen()
        .line(
            IMAGE
                + " and "
                + SEQUENTIAL
                + ", the same "
                + Sizes.text(content.lengthBytes())
                + " twice, under "
                + name);
    return content;
  }

  /** A trace as a user would bring one: made up, by a fixed seed. */
  private java.nio.file.Path makeTrace() throws QuickstartException, IOException {
    java.nio.file.Path folder = new ClusterPaths(options().clusterDir()).tmpDir("client");
    Files.createDirectories(folder);
    java.nio.file.Path trace = folder.resolve("volume.csv");
    caso(
        "-generate",
        CasoShape.WORKLOAD,
        trace.toString(),
        "-requests",
        String.valueOf(CasoShape.REQUESTS),
        "-seed",
        String.valueOf(SEED),
        "-volume",
        String.valueOf(CasoShape.TRACE_BYTES));
    return trace;
  }

  /** Runs a command of hdfs caso that must succeed. */
  private Admin.Answer caso(String... arguments) throws QuickstartException, IOException {
    Admin.Answer answer = Admin.caso(conf()).run(line -> {}, arguments);
    if (answer.exitCode() != 0) {
      throw new QuickstartException(
          Kind.CLUSTER, "caso " + String.join(" ", arguments) + " failed: " + answer.err());
    }
    return answer;
  }

  /** Runs a command until the cluster is ready for it, which it says by an error. */
  private JsonNode casoWhenReady(Consumer<String> progress, String... arguments)
      throws QuickstartException, IOException, InterruptedException {
    Admin admin = Admin.caso(conf());
    Admin.Answer[] last = new Admin.Answer[1];
    Optional<String> missing =
        Poll.until(
            TIMEOUT,
            line -> {},
            () -> {
              last[0] = admin.run(progress, arguments);
              return last[0].exitCode() == 0 ? Optional.empty() : Optional.of(last[0].err());
            });
    if (missing.isPresent() || last[0].json().isEmpty()) {
      throw new QuickstartException(
          Kind.CLUSTER,
          "caso " + String.join(" ", arguments) + " failed: " + missing.orElse(last[0].out()));
    }
    return last[0].json().get();
  }

  private JsonNode compareOrganizations(java.nio.file.Path trace)
      throws QuickstartException, IOException {
    screen()
        .step(
            "Ask what a trace of the volume's use would have saved: caso -compare, made-up trace");
    JsonNode compared =
        Admin.caso(conf())
            .json(
                "-compare",
                trace.toString(),
                "-k",
                String.valueOf(CasoShape.DATA_UNITS),
                "-m",
                String.valueOf(CasoShape.PARITY_UNITS),
                "-cell",
                String.valueOf(CasoShape.CELL_BYTES),
                "-ratio",
                RATIO,
                "-json");
    CasoTables.compared(compared).forEach(screen()::line);
    return compared;
  }

  /** Organizes the volume while it is read; how many reads were right. */
  private long organize(FileSystem caso, java.nio.file.Path trace, Volume content)
      throws Exception {
    screen()
        .step(
            "Organize "
                + IMAGE
                + " by the first half: caso -organize, while programs read it by ParityFileSystem");
    try (PatientReaders readers = new PatientReaders(caso, IMAGE, content)) {
      JsonNode doc =
          casoWhenReady(
              line -> screen().progress(line),
              "-organize",
              IMAGE.toString(),
              "-trace",
              trace.toString(),
              "-ratio",
              RATIO,
              "-json");
      if (!doc.path("organized").asBoolean()) {
        throw new QuickstartException(Kind.CLUSTER, "caso -organize saw no gain: " + doc);
      }
      // Some in the new order, too.
      long before = readers.reads();
      Poll.until(
          TIMEOUT,
          line -> {},
          () ->
              readers.reads() >= before + 20 || !readers.findings().isEmpty()
                  ? Optional.empty()
                  : Optional.of("readers are slow"));
      boolean hasEnded = readers.end();
      if (!readers.findings().isEmpty() || !hasEnded) {
        throw new QuickstartException(
            Kind.CLUSTER,
            hasEnded ? String.join("\n  ", readers.findings()) : "Readers did not end in time");
      }
      screen()
          .line(
              Sizes.text(doc.path("lengthBytes").asLong())
                  + " copied, compared and put in its place in "
                  + Texts.seconds(doc.path("elapsedMs").asLong())
                  + ": "
                  + Texts.count(doc.path("cells").asLong(), "cell")
                  + " in "
                  + Texts.count(doc.path("runs").asLong(), "run"));
      screen()
          .line(
              "meanwhile "
                  + Texts.count(readers.reads(), "read")
                  + " right, none wrong; "
                  + readers.repeated()
                  + " had to open it again as it was replaced");
      return readers.reads();
    }
  }

  /** With a node dead, what it has is decoded as soon as the updaters' traces are at rest. */
  private void degraded(Volume content) throws Exception {
    DataHolder holder;
    // Hadoop's own client is not told where the file is.
    try (FileSystem fs = newClient()) {
      holder =
          DataHolder.most(
              (DistributedFileSystem) fs,
              IMAGE,
              CasoShape.DATA_UNITS,
              cluster().spec().topology().otherNodes());
    }
    screen()
        .step(
            "Kill " + holder.name() + " (kill -9), read all of " + IMAGE + ", and start it again");
    cluster().kill(holder.name());
    long begin = System.nanoTime();
    awaitReadable(IMAGE + " cannot be read with " + holder.name() + " dead", content);
    screen()
        .line(
            "all "
                + Sizes.text(content.lengthBytes())
                + " right after "
                + Texts.seconds(Texts.msSince(begin))
                + "; decoded what "
                + holder.name()
                + " had: "
                + Texts.count(holder.dataUnits(), "data unit"));
    cluster().restart(holder.name());
    screen().line("started again");
  }

  /** Reads the volume in its own order by a client of its own, until it can. */
  private void awaitReadable(String otherwise, Volume content) throws Exception {
    try (FileSystem fresh = newClient()) {
      await(
          otherwise,
          TIMEOUT,
          // A reader's message tells all places of all blocks.
          line ->
              screen()
                  .progress("waiting: " + line.substring(0, Math.min(line.length(), MAX_CHARS))),
          () -> {
            try {
              requireAll(fresh, content);
              return Optional.empty();
            } catch (IOException e) {
              return Optional.of(Texts.firstLine(e));
            }
          });
    }
  }

  private static void requireAll(FileSystem fs, Volume content)
      throws IOException, QuickstartException {
    byte[] got = new byte[CasoShape.VOLUME_BYTES];
    byte[] expected = new byte[CasoShape.VOLUME_BYTES];
    try (FSDataInputStream in = fs.open(IMAGE)) {
      in.readFully(0, got);
    }
    content.read(0, expected, expected.length);
    int differs = Arrays.mismatch(got, expected);
    if (differs >= 0) {
      throw new QuickstartException(
          Kind.CLUSTER, "WRONG BYTES WERE READ: " + IMAGE + ", byte " + differs);
    }
  }

  /** Overwrites the index: nobody gets a byte until it is made anew from its copy. */
  private void repair(FileSystem stock, Volume content) throws Exception {
    screen().step("Overwrite the index of " + IMAGE + ", and have it made anew: caso -repair");
    FileStatus[] indexes = stock.listStatus(new Path("/.caso/index"));
    if (indexes.length != 1) {
      throw new QuickstartException(
          Kind.CLUSTER, "Indexes: " + Arrays.toString(indexes) + ", expected one");
    }
    Path index = indexes[0].getPath();
    try (OutputStream out = stock.create(index, true)) {
      out.write("not an index".getBytes(StandardCharsets.US_ASCII));
    }
    try (FileSystem fresh = newClient()) {
      requireAll(fresh, content);
      throw new QuickstartException(Kind.CLUSTER, IMAGE + " was read by a damaged index");
    } catch (IOException refused) {
      if (!Texts.firstLine(refused).contains(index.toUri().getPath())) {
        throw refused;
      }
      screen().line("without it no byte is read: " + Texts.firstLine(refused));
    }
    JsonNode doc = Admin.caso(conf()).json("-repair", IMAGE.toString(), "-json");
    if (!doc.at("/index/repaired").asBoolean()) {
      throw new QuickstartException(Kind.CLUSTER, "caso -repair found nothing to repair: " + doc);
    }
    awaitReadable("Not repaired", content);
    screen().line("made anew from its copy, all bytes right");
  }

  /** Hadoop's own client reads it as it was before. */
  private void restore(FileSystem stock, Volume content) throws Exception {
    screen().step("Put " + IMAGE + " back to its own order: caso -restore");
    JsonNode doc =
        casoWhenReady(line -> screen().progress(line), "-restore", IMAGE.toString(), "-json");
    if (!doc.path("restored").asBoolean()) {
      throw new QuickstartException(Kind.CLUSTER, "caso -restore changed nothing: " + doc);
    }
    requireAll(stock, content);
    screen()
        .line(
            "restored in "
                + Texts.seconds(doc.path("elapsedMs").asLong())
                + "; Hadoop's own client reads the same bytes");
  }

  private void add(Path path, Volume content) throws IOException {
    String sha256 = Digests.copy(content, (buffer, length) -> {});
    ledger().add(new Ledger.Entry(path.toUri().getPath(), content, sha256));
  }

  @Override
  List<String> commands() {
    String trace = new ClusterPaths(options().clusterDir()).tmpDir("client") + "/volume.csv";
    return List.of(
        "caso -compare '" + trace + "' -k 3 -m 2",
        "caso -organize " + IMAGE + " -trace '" + trace + "'",
        "caso -show " + IMAGE + " -at 1048576",
        "ecupdate -status",
        "dfs -ls -R " + VOLUMES);
  }
}

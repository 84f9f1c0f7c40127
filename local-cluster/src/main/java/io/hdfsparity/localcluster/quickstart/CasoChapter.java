/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.quickstart;

import static io.hdfsparity.localcluster.quickstart.QuickstartException.require;
import static io.hdfsparity.localcluster.quickstart.Texts.firstLine;
import static io.hdfsparity.localcluster.quickstart.Texts.format;

import com.fasterxml.jackson.databind.JsonNode;
import io.hdfsparity.localcluster.ClusterPaths;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
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
final class CasoChapter extends Chapter {
  private static final String FOLDER = "/documents";
  private static final String VOLUMES = "/volumes";
  private static final Path IMAGE = new Path(VOLUMES + "/image");
  private static final Path SEQUENTIAL = new Path(VOLUMES + "/sequential");
  private static final int SEED = 1;
  private static final int WIDTH = 26;

  /** Reads in the new order before readers end. */
  private static final int READS_AFTERWARDS = 20;

  /** Half of the windows teach, as in the paper and as {@code -compare} has it. */
  private static final String RATIO = "0.5";

  /**
   * Updaters write all cells of a stripe at a time only if no crash of theirs has to be survived
   * together with lost nodes (ADR 0015). By default three cells cost three updates of each parity.
   */
  private static final String SURVIVE = "0c2s";

  private static final Duration TIMEOUT = Duration.ofMinutes(3);

  /** What the volumes must hold. */
  private Volume content;

  private Volume sequentialContent;
  private FileSystem updating;
  private JsonNode compared;
  private long reads;
  private WriteWindows later;
  private UnitMap.Holding victim;

  CasoChapter(Runner runner) {
    super(ChapterName.CASO, runner, UpdateShape.BLOCK_BYTES, WIDTH);
  }

  @Override
  ClusterPlan plan(List<SourceFile> chosen) {
    String title =
        format(
            "%s DataNodes in %s racks that take updates; CASO's part in the NameNode",
            UpdateShape.NODES, UpdateShape.RACKS);
    return new ClusterPlan(title, CasoShape::describe, CasoShape.maxBytes(chosen));
  }

  @Override
  List<Step> steps() {
    String organize =
        "Organize %s by the first half: caso -organize, while programs read it by ParityFileSystem";
    return List.of(
        store(FOLDER, UpdateShape.POLICY, "; and a volume with cells of 4 KiB", this::storeVolumes),
        Step.of(
            "Ask what a trace of the volume's use would have saved: caso -compare, made-up trace",
            this::compareOrganizations),
        Step.of(format(organize, IMAGE), this::organize),
        new Step(this::writeTitle, this::write),
        verify("both", () -> List.of(IMAGE.toString(), SEQUENTIAL.toString()), () -> {}),
        new Step(this::killTitle, this::degraded),
        Step.of(
            "Overwrite the index of " + IMAGE + ", and have it rebuilt: caso -repair",
            this::repair),
        Step.of("Put " + IMAGE + " back to its own order: caso -restore", this::restore),
        compareAll(
            this::stock,
            " with Hadoop's own client and compare SHA-256 with what was written",
            result -> ""));
  }

  /** A volume twice, and a trace of its use. */
  private void storeVolumes() throws Exception {
    content = new Volume(CasoShape.VOLUME_BYTES, SEED);
    ECSchema schema = new ECSchema("rs", CasoShape.DATA_UNITS, CasoShape.PARITY_UNITS);
    ErasureCodingPolicy[] policies = {new ErasureCodingPolicy(schema, CasoShape.CELL_BYTES)};
    AddErasureCodingPolicyResponse added = stock().addErasureCodingPolicies(policies)[0];
    require(added.isSucceed(), "HDFS did not take a policy: %s", added.getErrorMsg());
    String policy = added.getPolicy().getName();
    makeFolder(VOLUMES, policy);
    for (Path path : List.of(IMAGE, SEQUENTIAL)) {
      try (OutputStream out =
          stock().createFile(path).blockSize(CasoShape.BLOCK_BYTES).ecPolicyName(policy).build()) {
        Digests.copy(content, out::write);
      }
    }
    String template = "%s and %s, the same {bytes} twice, under %s";
    screen.line(template, IMAGE, SEQUENTIAL, content.lengthBytes(), policy);
    makeTrace();
  }

  private java.nio.file.Path trace() {
    return new ClusterPaths(cluster().dir()).tmpDir("client").resolve("volume.csv");
  }

  /** A trace as a user would bring one: made up, by a fixed seed. */
  private void makeTrace() throws IOException {
    Files.createDirectories(trace().getParent());
    String command = "caso -generate %s %s -requests %s -seed %s -volume %s";
    Object[] values = {
      CasoShape.WORKLOAD, trace(), CasoShape.REQUESTS, SEED, CasoShape.TRACE_BYTES
    };
    admin().run(line -> {}, command, values).requireSuccess();
  }

  private void compareOrganizations() throws IOException {
    String command = "caso -compare %s -k %s -m %s -cell %s -ratio %s -json";
    Object[] values = {
      trace(), CasoShape.DATA_UNITS, CasoShape.PARITY_UNITS, CasoShape.CELL_BYTES, RATIO
    };
    compared = admin().json(command, values);
    CasoTables.compared(compared).forEach(screen::line);
  }

  /** Runs a command until the cluster is ready for it, which it says by an error. */
  private JsonNode jsonWhenReady(String line, Object... values) throws Exception {
    return jsonWhen(answer -> answer.exitCode() == 0, line, values);
  }

  /** A client whose updaters write all cells of a stripe at a time. */
  private FileSystem updating() throws IOException {
    if (updating == null) {
      Configuration conf = conf();
      conf.set("dfs.parity.ecupdate.survive", SURVIVE);
      updating = closeLater(FileSystem.newInstance(conf));
    }
    return updating;
  }

  /** Organizes the volume while it is read. */
  private void organize() throws Exception {
    Ledger image = new Ledger();
    image.add(IMAGE.toString(), content);
    Load load = start(ReadLoop.several(updating(), image, ReadLoop.Ranges.REPLACED));
    String command = "caso -organize %s -trace %s -ratio %s -json";
    JsonNode doc = jsonWhenReady(command, IMAGE, trace(), RATIO);
    require(doc.path("organized").asBoolean(), "caso -organize saw no gain: %s", doc);
    readInNewOrder(load);
    load.end();
    load.requireSound();
    long bytes = doc.path("lengthBytes").asLong();
    long ms = doc.path("elapsedMs").asLong();
    screen.line(
        "{bytes} copied, compared and put in its place in {ms}: {cell} in {run}",
        bytes,
        ms,
        doc.path("cells").asLong(),
        doc.path("runs").asLong());
    reads = load.reads();
    screen.line(
        "meanwhile {read} right, none wrong; %s had to open it again as it was replaced",
        reads, load.repetitions());
  }

  /** Lets readers go on; slow ones are no fault. */
  private void readInNewOrder(Load load) throws Exception {
    long wanted = load.reads() + READS_AFTERWARDS;
    Poll.Condition enough = () -> load.requireReads(wanted);
    try {
      Poll.until(TIMEOUT, line -> {}, enough);
    } catch (Poll.NotYet e) {
      screen.line("readers are slow: " + e.getMessage());
    }
  }

  private String writeTitle() throws IOException {
    later = WriteWindows.read(trace()).secondHalf();
    return format(
        "Write its second half to both in place, {window} of a millisecond with {write}, each "
            + "window durable before the next",
        later.windows().size(),
        later.writes());
  }

  private void write() throws Exception {
    screen.line(
        "all cells of a stripe at a time: updaters have dfs.parity.ecupdate.survive=%s", SURVIVE);
    sequentialContent = content.copy();
    ReplayStep replay = new ReplayStep(cluster(), updating(), SEED, screen);
    long bso = CasoTables.predicted(compared, "bso");
    long byUse = CasoTables.predicted(compared, "default");
    List<String> table =
        CasoTables.costs(
            List.of(
                replay.run("in order of addresses", bso, SEQUENTIAL, later, sequentialContent),
                replay.run("organized", byUse, IMAGE, later, content)));
    table.forEach(screen::line);
    report.table(table);
    report.row("read while organized", "{piece}, each right", reads);
  }

  /** The node with the most data units of the volume, without which some have to be decoded. */
  private String killTitle() throws Exception {
    int nodes = cluster().spec().nodes();
    // The guard does not show Hadoop's own client where the file is.
    DistributedFileSystem own = (DistributedFileSystem) client();
    victim =
        new UnitMap(own, List.of(IMAGE.toString()), CasoShape.SPACE, nodes)
            .holdings().stream()
                .max(Comparator.comparingLong(UnitMap.Holding::dataUnits))
                .orElseThrow();
    require(victim.dataUnits() > 0, "No DataNode is known to have data of %s", IMAGE);
    return format("Kill %s (kill -9), read all of %s, and start it again", victim.name(), IMAGE);
  }

  /** With a node dead, what it has is decoded as soon as the updaters' traces are at rest. */
  private void degraded() throws Exception {
    String node = victim.name();
    cluster().kill(node);
    long begin = System.nanoTime();
    awaitReadable(IMAGE + " cannot be read with " + node + " dead");
    screen.line(
        "all {bytes} right after {ms}; decoded what %s had: {data unit}",
        content.lengthBytes(), Texts.msSince(begin), node, victim.dataUnits());
    cluster().restart(node);
    screen.line("started again");
  }

  /** Reads the volume in its own order by a client of its own, until it can. */
  private void awaitReadable(String otherwise) throws Exception {
    try (FileSystem fresh = newClient()) {
      Poll.Condition readable =
          () -> {
            try {
              requireAll(fresh);
            } catch (IOException e) {
              throw new Poll.NotYet("%s", firstLine(e));
            }
          };
      // A reader's message tells all places of all blocks.
      Poll.answer(
          otherwise, TIMEOUT, line -> screen.progress(format("waiting: %.100s", line)), readable);
    }
  }

  private void requireAll(FileSystem fs) throws IOException, QuickstartException {
    byte[] got = new byte[CasoShape.VOLUME_BYTES];
    try (FSDataInputStream in = fs.open(IMAGE)) {
      in.readFully(0, got);
    }
    int differs = Arrays.mismatch(got, content.read(0, got.length));
    require(differs < 0, "WRONG BYTES WERE READ: %s, byte %s", IMAGE, differs);
  }

  /** Overwrites the index: nobody gets a byte until it is rebuilt from its copy. */
  private void repair() throws Exception {
    FileStatus[] indexes = stock().listStatus(new Path("/.caso/index"));
    require(indexes.length == 1, "Indexes: %s, expected one", Arrays.toString(indexes));
    Path index = indexes[0].getPath();
    try (OutputStream out = stock().create(index, true)) {
      out.write("not an index".getBytes(StandardCharsets.US_ASCII));
    }
    try (FileSystem fresh = newClient()) {
      requireAll(fresh);
      throw QuickstartException.cluster("%s was read by a damaged index", IMAGE);
    } catch (IOException refused) {
      if (!firstLine(refused).contains(index.toUri().getPath())) {
        throw refused;
      }
      screen.line("without it no byte is read: " + firstLine(refused));
    }
    JsonNode doc = admin().json("caso -repair %s -json", IMAGE);
    boolean repaired = doc.at("/index/repaired").asBoolean();
    require(repaired, "caso -repair found nothing to repair: %s", doc);
    awaitReadable("Not repaired");
    screen.line("rebuilt from its copy, all bytes right");
  }

  /** Hadoop's own client reads it as it was before. */
  private void restore() throws Exception {
    JsonNode doc = jsonWhenReady("caso -restore %s -json", IMAGE);
    require(doc.path("restored").asBoolean(), "caso -restore changed nothing: %s", doc);
    requireAll(stock());
    String template = "restored in {ms}; Hadoop's own client reads the same bytes";
    screen.line(template, doc.path("elapsedMs").asLong());
    ledger.add(IMAGE.toString(), content);
    ledger.add(SEQUENTIAL.toString(), sequentialContent);
  }

  @Override
  void clear() throws Exception {
    delete(FOLDER, VOLUMES);
  }

  @Override
  List<String> commands() {
    return List.of(
        "caso -compare '" + trace() + "' -k 3 -m 2",
        "caso -organize " + IMAGE + " -trace '" + trace() + "'",
        "caso -show " + IMAGE + " -at 1048576",
        "ecupdate -status",
        "dfs -ls -R " + VOLUMES);
  }
}

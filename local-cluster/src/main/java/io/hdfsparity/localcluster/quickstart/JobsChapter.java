/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.quickstart;

import static io.hdfsparity.localcluster.quickstart.QuickstartException.require;
import static io.hdfsparity.localcluster.quickstart.Texts.format;

import io.hdfsparity.localcluster.ClusterStatus;
import io.hdfsparity.localcluster.JobClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;

/**
 * The chapter on MapReduce: TeraSort on YARN in a directory that RAIDP protects, and a disk that
 * fails in the middle of it. Used by one thread.
 */
final class JobsChapter extends Chapter {
  private static final int NODE_MANAGERS = 2;
  private static final long RECORDS = 1_000_000;
  private static final long BYTES = RECORDS * 100;

  /** Input, output and what is left of tasks that were tried again, each twice. */
  private static final long MAX_DISK_BYTES = 8 * BYTES;

  private static final String FOLDER = "/tera";
  private static final String IN = FOLDER + "/in";
  private static final String OUT = FOLDER + "/out";
  private static final String REPORT = FOLDER + "/report";
  private static final Pattern PROGRESS = Pattern.compile("map (\\d+)% reduce (\\d+)%");
  private static final Pattern CHECKSUM = Pattern.compile("\\sCHECKSUM=(\\d+)");

  private final RaidpChapter raidp;
  private ClusterStatus.DiskStatus victim;
  private boolean failed;
  private String checksum = "";

  JobsChapter(Runner runner) {
    super(ChapterName.JOBS, runner, ClusterShape.BLOCK_BYTES, NAME_WIDTH);
    raidp = new RaidpChapter(runner);
  }

  @Override
  boolean takesFiles() {
    return false;
  }

  @Override
  void check(List<SourceFile> chosen) throws QuickstartException {
    raidp.check(chosen);
  }

  @Override
  ClusterPlan plan(List<SourceFile> chosen) {
    ClusterShape shape = raidp.shape();
    ClusterPlan plan = raidp.plan(chosen);
    return new ClusterPlan(
        format("%s; YARN with %s NodeManagers", plan.title(), NODE_MANAGERS),
        builder -> shape.describe(builder).yarn(NODE_MANAGERS),
        plan.maxBytes() + MAX_DISK_BYTES);
  }

  @Override
  String makeReady() throws Exception {
    String made = raidp.makeReady();
    stock().mkdirs(new Path(FOLDER));
    admin().json("raidp -protect %s -json", FOLDER);
    return made;
  }

  @Override
  List<Step> steps() {
    return List.of(
        Step.of(format("Write %s records to a protected directory: TeraGen", RECORDS), this::write),
        Step.of("Sort them, and fail a disk in the middle: TeraSort", this::sort),
        Step.of("Recover: " + RaidpChapter.RECOVER, this::recover),
        Step.of("Read back all records in their order: TeraValidate", this::validate),
        Step.of("Check the cluster: raidp -fsck", this::fsck));
  }

  private void write() throws Exception {
    long ms = job("teragen", "-Dmapreduce.job.maps=2", String.valueOf(RECORDS), IN);
    require(!checksum.isEmpty(), "TeraGen has not printed the sum of its records");
    screen.line("{bytes} in {ms}, sum of all records %s", BYTES, ms, checksum);
    report.row("written by TeraGen", "%s records, {bytes}", RECORDS, BYTES);
  }

  /** TeraSort asks for one replica of what it writes, unless an option says otherwise. */
  private void sort() throws Exception {
    victim = DiskFailure.chooseOne(cluster(), admin(), screen);
    long ms = job("terasort", "-Dmapreduce.terasort.output.replication=3", IN, OUT);
    require(failed, "TeraSort ended before a disk was failed");
    cluster().awaitDiskFailureKnown(victim.node(), victim.disk());
    screen.line("sorted in {ms}, with %s failed", ms, victim.name());
    report.row(
        "sorted by TeraSort", "{bytes} in {ms}, %s failed meanwhile", BYTES, ms, victim.name());
  }

  private void recover() throws Exception {
    report.row("recovered", "in {ms}", raidp.recoverDisks());
  }

  private void validate() throws Exception {
    long ms = job("teravalidate", OUT, REPORT);
    String written = text(new Path(REPORT, "part-r-00000"));
    // Records out of order would have lines of their own.
    require(
        written.equals("checksum\t" + checksum + "\n"),
        "WRONG RECORDS: TeraValidate wrote %s, expected the checksum %s and nothing else",
        written,
        checksum);
    screen.line("in order, and their sum is %s, in {ms}", checksum, ms);
    report.row("TeraValidate", "no error, sum %s as written", checksum);
  }

  private void fsck() throws Exception {
    raidp.fsck();
    report.row("raidp -fsck", "healthy");
  }

  private String text(Path file) throws IOException {
    try (FSDataInputStream in = stock().open(file)) {
      return new String(in.readAllBytes(), StandardCharsets.US_ASCII);
    }
  }

  /** Runs a job; in what time, in milliseconds. */
  private long job(String example, String... arguments) throws IOException, InterruptedException {
    long begin = System.nanoTime();
    new JobClient(cluster()).run(this::onLine, example, arguments);
    return Texts.msSince(begin);
  }

  private void onLine(String line) {
    Matcher progress = PROGRESS.matcher(line);
    if (progress.find()) {
      screen.progress(progress.group());
      if (victim != null && !failed && Integer.parseInt(progress.group(1)) > 0) {
        failVictim(progress.group());
      }
    }
    Matcher sum = CHECKSUM.matcher(line);
    if (sum.find()) {
      checksum = Long.toHexString(Long.parseLong(sum.group(1)));
    }
  }

  private void failVictim(String progress) {
    try {
      cluster().failDisk(victim.node(), victim.disk());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    failed = true;
    screen.line("failed %s at %s", victim.name(), progress);
  }

  @Override
  List<String> commands() {
    return List.of("dfs -ls -R " + FOLDER, "raidp -status " + FOLDER, "yarn application -list");
  }
}

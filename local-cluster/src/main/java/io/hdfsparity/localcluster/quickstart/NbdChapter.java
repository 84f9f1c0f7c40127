/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.quickstart;

import static io.hdfsparity.localcluster.quickstart.QuickstartException.require;
import static io.hdfsparity.localcluster.quickstart.Texts.format;

import io.hdfsparity.localcluster.BlockDeviceServer;
import io.hdfsparity.localcluster.ClusterPaths;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The chapter on block devices: other projects' programs write and read an image with a file system
 * on an erasure-coded file, and a DataNode is killed in the middle. Used by one thread.
 */
final class NbdChapter extends Chapter {
  private static final String FOLDER = "/devices";
  private static final String DISK = FOLDER + "/disk";
  private static final long DISK_BYTES = 64L << 20;

  /** Of the one file in the file system. */
  private static final SeededContent CONTENT = new SeededContent(20, 40L << 20);

  private static final double KILL_AT_PERCENT = 20;
  private static final Pattern PROGRESS = Pattern.compile("([0-9.]+)/100%");

  private BlockDeviceServer server;
  private String victim = "";
  private boolean killed;
  private String lastLine = "";

  NbdChapter(Runner runner) {
    super(ChapterName.NBD, runner, UpdateShape.BLOCK_BYTES, NAME_WIDTH);
  }

  @Override
  boolean takesFiles() {
    return false;
  }

  @Override
  void check(List<SourceFile> chosen) throws QuickstartException {
    Tool.requireAll(Tool.folders());
  }

  /** Beside what is stored: the content, the image and a copy of it. */
  @Override
  ClusterPlan plan(List<SourceFile> chosen) {
    List<SourceFile> disk = List.of(new SourceFile(Path.of(DISK), DISK, DISK_BYTES, 0));
    String title = format("%s DataNodes that take updates", UpdateShape.NODES);
    long maxBytes = UpdateShape.maxBytes(disk) + 3 * DISK_BYTES;
    return new ClusterPlan(title, UpdateShape::describe, maxBytes);
  }

  @Override
  List<Step> steps() {
    return List.of(
        Step.of("Make an erasure-coded file of zeros: ecupdate -create", this::create),
        Step.of("Serve it as a block device: ecupdate -nbd", this::serve),
        Step.of(
            "Write an image with ext4 to it by qemu-img, and kill a DataNode (kill -9) in the middle",
            this::write),
        Step.of("Read it back by nbdcopy, check ext4 by e2fsck, and end the server", this::read),
        verify("the file", () -> List.of(DISK), this::expectImage),
        compareAll(
            this::stock,
            " with Hadoop's own client and compare SHA-256 with the image",
            result -> ""));
  }

  private Path local(String file) throws IOException {
    return Files.createDirectories(new ClusterPaths(cluster().dir()).tmpDir("nbd")).resolve(file);
  }

  private void create() throws Exception {
    makeFolder(FOLDER, UpdateShape.POLICY);
    String line = "ecupdate -create %s -size %s -policy %s -json";
    admin().json(line, DISK, DISK_BYTES, UpdateShape.POLICY);
    screen.line("%s, {bytes} under %s", DISK, DISK_BYTES, UpdateShape.POLICY);
    report.row("block device", "%s, {bytes} under %s", DISK, DISK_BYTES, UpdateShape.POLICY);
  }

  private void serve() throws Exception {
    server = closeLater(BlockDeviceServer.start(cluster(), DISK));
    screen.line(server.uri());
    victim =
        new UnitMap(stock(), List.of(DISK), UpdateShape.SPACE, UpdateShape.NODES)
            .holdings().stream()
                .max(Comparator.comparingLong(UnitMap.Holding::dataUnits))
                .orElseThrow()
                .name();
  }

  private void write() throws Exception {
    Path tree = Files.createDirectories(local("tree"));
    try (OutputStream out = Files.newOutputStream(tree.resolve("content"))) {
      Digests.copy(CONTENT, out::write);
    }
    Tool.MKE2FS.run(
        screen::progress, "-q", "-t", "ext4", "-d", tree, local("image"), (DISK_BYTES >> 10) + "k");
    long begin = System.nanoTime();
    Tool.QEMU_IMG.run(
        this::onProgress,
        "convert",
        "-p",
        "-n",
        "-f",
        "raw",
        "-O",
        "raw",
        local("image"),
        server.uri());
    long ms = Texts.msSince(begin);
    require(killed, "qemu-img ended before a DataNode was killed");
    screen.line("{bytes} in {ms}; nothing was refused", DISK_BYTES, ms);
    report.row(
        "written by qemu-img", "{bytes} in {ms}, %s killed meanwhile", DISK_BYTES, ms, victim);
  }

  private void onProgress(String line) {
    screen.progress(line.trim());
    Matcher progress = PROGRESS.matcher(line);
    if (killed || !progress.find()) {
      return;
    }
    double percent = Double.parseDouble(progress.group(1));
    if (percent >= KILL_AT_PERCENT && percent < 100) {
      killed = true;
      try {
        cluster().kill(victim);
        screen.line("killed %s at %s; requests wait for it", victim, progress.group());
        cluster().restart(victim);
        screen.line("started it again");
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private void read() throws Exception {
    Tool.NBDCOPY.run(screen::progress, server.uri(), local("copy"));
    long mismatch = Files.mismatch(local("image"), local("copy"));
    require(mismatch < 0, "WRONG BYTES: the copy differs from the image at %s", mismatch);
    Tool.E2FSCK.run(line -> lastLine = line, "-fn", local("copy"));
    server.close();
    screen.line("all {bytes} equal", DISK_BYTES);
    screen.line("e2fsck: %s", lastLine.replace(local("copy") + ": ", ""));
    report.row("read by nbdcopy", "equal to the image, e2fsck finds nothing wrong");
  }

  private void expectImage() throws IOException {
    Path image = local("image");
    ledger.add(
        DISK, SourceFile.of(image, DISK, Files.readAttributes(image, BasicFileAttributes.class)));
  }

  @Override
  List<String> commands() {
    return List.of("dfs -ls -R " + FOLDER, "ecupdate -status", "ecupdate -help nbd");
  }
}

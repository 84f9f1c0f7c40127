/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.datanode;

import io.hdfsparity.core.check.Clock;
import io.hdfsparity.core.check.ManualClock;
import io.hdfsparity.raidp.config.Granularity;
import io.hdfsparity.raidp.config.Mode;
import io.hdfsparity.raidp.config.NodeOptions;
import io.hdfsparity.raidp.config.RaidpKey;
import io.hdfsparity.raidp.image.FrameDirectory;
import io.hdfsparity.raidp.wire.message.Pairing;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.apache.commons.io.FileUtils;
import org.apache.hadoop.conf.Configuration;

/** A node with one disk of some volumes with one frame or more each, without Hadoop around it. */
final class SimNode {
  private static final int MAX_RUNS = 20;
  static final int UNIT = 65536;
  static final int UNITS = 24;
  static final int MAX_BLOCK = 4 * UNIT;

  final String name;
  private final Path base;
  private Path root;
  private Path lstorDir;
  private final List<String> storages;
  private final int framesPerVolume;
  private NodeOptions options;
  private final Clock clock;
  private final SimNet net;

  /** What HDFS was asked to look at. */
  final List<Long> damaged = new java.util.concurrent.CopyOnWriteArrayList<>();

  NodeFrames frames;
  DiskEngine disk;
  ReplicaHealer healer;
  PeerService service;
  List<SimFrame> sims = new ArrayList<>();
  private final Map<Long, Integer> choices = new ConcurrentHashMap<>();

  /** Answers in place of what {@link SimFrame#reserve} says; null: none does. */
  FrameQuestions.Query manager;

  FrameQuestions questions;
  private int crashes;

  /** One that has started, in idle mode, with one volume {@code DS-NAME0} of one frame. */
  static SimNode started(Path base, String name, Granularity granularity, Clock clock, SimNet net)
      throws IOException {
    SimNode node =
        new SimNode(base, name, List.of("DS-" + name + "0"), Mode.IDLE, granularity, clock, net);
    node.start();
    return node;
  }

  SimNode(
      Path base,
      String name,
      List<String> storages,
      Mode mode,
      Granularity granularity,
      Clock clock,
      SimNet net) {
    this(base, name, storages, 1, mode, granularity, clock, net);
  }

  SimNode(
      Path base,
      String name,
      List<String> storages,
      int framesPerVolume,
      Mode mode,
      Granularity granularity,
      Clock clock,
      SimNet net) {
    this.name = name;
    this.base = base;
    this.framesPerVolume = framesPerVolume;
    this.root = base.resolve(name).resolve("disk");
    this.lstorDir = base.resolve(name).resolve("lstor");
    this.storages = storages;
    this.clock = clock;
    this.net = net;
    this.options =
        new NodeOptions(
            List.of(new NodeOptions.Disk(root, lstorDir)),
            new NodeOptions.Frames((long) UNITS * UNIT, UNIT, MAX_BLOCK, 1),
            new NodeOptions.LstorLimits(1L << 40, 1000, 2 << 20),
            new NodeOptions.Settling(mode, granularity, 10),
            100,
            600_000,
            1000);
  }

  /** From the next start on; what does not fit is refused at once. */
  void limitJournal(long journalBytes) {
    options =
        new NodeOptions(
            options.disks(),
            options.frames(),
            new NodeOptions.LstorLimits(journalBytes, 0, options.lstor().ringBytes()),
            options.settling(),
            options.reportIntervalMs(),
            options.leftoverReportIntervalMs(),
            options.peerTimeoutMs());
  }

  Path frameDirectory(int index) {
    return root.resolve("frame" + index);
  }

  /** Its disk as a DataNode opens it; the node itself is down. */
  NodeDisks openDisks(NodeResources resources) throws IOException {
    DiskContext context =
        new DiskContext(
            options,
            clock,
            net.partners(),
            new BlockPool(),
            2,
            0,
            (storageId, block) -> damaged.add(block.getBlockId()));
    context.pool().use(SimFrame.POOL);
    Configuration conf = new Configuration(false);
    conf.set("dfs.datanode.data.dir", frameDirectory(0).toUri().toString());
    conf.set(RaidpKey.DISK_ROOTS.key(), root.toString());
    conf.set(RaidpKey.LSTOR_DIRS.key(), lstorDir.toString());
    DiskPlaces places = DiskPlaces.of(conf, options.disks());
    NodeDisks.Making making =
        new NodeDisks.Making(
            new DiskOpener(context, "CID", name, framesPerVolume, places::roots),
            () -> {},
            storageId -> FrameChoice.none(),
            () -> conf);
    NodeDisks disks = NodeDisks.open(places, making, new NodeFrames(), resources);
    disks.volume(storages.get(0), frameDirectory(0));
    return disks;
  }

  Path root() {
    return root;
  }

  Path lstorDir() {
    return lstorDir;
  }

  void start() throws IOException {
    List<Path> directories = new ArrayList<>();
    for (int i = 0; i < storages.size(); i++) {
      directories.add(Files.createDirectories(frameDirectory(i)));
    }
    DiskContext context =
        new DiskContext(
            options,
            clock,
            net.partners(),
            new BlockPool(),
            2,
            0,
            (storageId, block) -> damaged.add(block.getBlockId()));
    context.pool().use(SimFrame.POOL);
    DiskOpener opener = new DiskOpener(context, "CID", name, framesPerVolume, () -> List.of(root));
    frames = new NodeFrames();
    questions = new FrameQuestions((named, block) -> manager.ask(named, block), frames, clock, 0);
    sims = new ArrayList<>();
    disk = opener.open(root, lstorDir, directories);
    frames.add(disk);
    for (int i = 0; i < storages.size(); i++) {
      VolumeFrames volume =
          opener.addVolume(
              disk,
              directories.get(i),
              storages.get(i),
              List.of(SimFrame.POOL),
              () -> {},
              choiceOf(storages.get(i)));
      frames.add(volume);
      for (FrameEngine engine : volume.engines()) {
        sims.add(new SimFrame(volume, engine, choices));
      }
    }
    emptyTemporary();
    for (VolumeFrames volume : frames.volumesOf(disk)) {
      new Reconciler(volume).run();
    }
    healer = new ReplicaHealer(frames, new SimDataset(sims));
    service =
        new PeerService(
            frames,
            request -> new Scrubber(frames, bad -> {}, healer::heal).run(request),
            request -> {
              throw new IOException("not in this test");
            },
            healer::heal,
            new ReleaseTickets(clock, new SecureRandom()),
            new RefusedReplicas(storageId -> Optional.empty(), SimFrame.POOL));
    net.up(name, service);
  }

  /** As HDFS does at each start, with hooks or without. */
  private void emptyTemporary() throws IOException {
    for (int i = 0; i < storages.size(); i++) {
      FileUtils.deleteDirectory(
          new FrameDirectory(frameDirectory(i)).temporaryDirectory(SimFrame.POOL).toFile());
    }
  }

  /** A DataNode without the hooks starts on the files and ends; what it changes is up to a test. */
  void runWithoutHooks() throws IOException {
    emptyTemporary();
  }

  private FrameChoice choiceOf(String storageId) {
    FrameChoice asked = questions.choiceOf(storageId);
    return new FrameChoice() {
      @Override
      public Optional<Chosen> frameFor(long blockId) throws IOException {
        return manager == null ? choose(blockId) : asked.frameFor(blockId);
      }

      @Override
      public void done(long blockId) {
        asked.done(blockId);
      }
    };
  }

  private Optional<FrameChoice.Chosen> choose(long blockId) {
    return Optional.ofNullable(choices.get(blockId))
        .map(
            index -> {
              Pairing pairing = disk.frame(index).pairing().orElseThrow();
              return new FrameChoice.Chosen(index, pairing.superchunkId(), pairing.epoch());
            });
  }

  /**
   * Ends as by a power cut, and starts again from what its files were at that moment: nothing is
   * checkpointed.
   */
  void crash() throws IOException {
    net.down(name);
    Path after = base.resolve(name + "-after-crash-" + ++crashes);
    copy(root, after.resolve("disk"));
    copy(lstorDir, after.resolve("lstor"));
    disk.close();
    root = after.resolve("disk");
    lstorDir = after.resolve("lstor");
    start();
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        Path copied = to.resolve(from.relativize(file));
        if (Files.isDirectory(file)) {
          Files.createDirectories(copied);
        } else if (!file.toString().endsWith(".lock")) {
          Files.copy(file, copied);
        }
      }
    }
  }

  void stop() throws IOException {
    net.down(name);
    disk.close();
  }

  void pair(int frame, Pairing pairing) throws IOException {
    sims.get(frame).hooks().frame().pair(pairing);
  }

  /** Makes superchunk 5 of the first frames of nodes a, which leads it, and b. */
  static void pairFirst(SimNode a, SimNode b) throws IOException {
    a.pair(0, new Pairing(5, 1, "DS-b0", "b", 2));
    b.pair(0, new Pairing(5, 1, "DS-a0", "a", 1));
  }

  /** Nodes settle in turns, each time when all that was put off is due. */
  static void settleAll(ManualClock clock, SimNode... nodes) {
    for (int i = 0; i < 20; i++) {
      clock.advance(31_000);
      for (SimNode node : nodes) {
        node.settle();
      }
    }
  }

  /** As the workers do: a run takes in one replica, and another follows at once. */
  void settle() {
    for (SimFrame sim : sims) {
      Settler settler = sim.hooks().settler();
      settler.runDue();
      for (int runs = 1; runs < MAX_RUNS && isDue(settler); runs++) {
        settler.runDue();
      }
    }
  }

  /** One run of each frame. */
  void settleOnce() {
    sims.forEach(sim -> sim.hooks().settler().runDue());
  }

  private boolean isDue(Settler settler) {
    OptionalLong next = settler.nextNanos();
    return next.isPresent() && next.getAsLong() - clock.nanoTime() <= 0;
  }
}

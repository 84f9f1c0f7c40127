/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.datanode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.hdfsparity.core.check.ManualClock;
import io.hdfsparity.core.gf.Gf256;
import io.hdfsparity.raidp.config.Granularity;
import io.hdfsparity.raidp.config.Mode;
import io.hdfsparity.raidp.lstor.Extents;
import io.hdfsparity.raidp.lstor.Lstor;
import io.hdfsparity.raidp.lstor.LstorGeometry;
import io.hdfsparity.raidp.lstor.ParityKind;
import io.hdfsparity.raidp.lstor.Run;
import io.hdfsparity.raidp.lstor.SlotEntry;
import io.hdfsparity.raidp.lstor.SlotLifeTable;
import io.hdfsparity.raidp.lstor.SlotState;
import io.hdfsparity.raidp.wire.message.ImageKind;
import io.hdfsparity.raidp.wire.message.ImageRequest;
import io.hdfsparity.raidp.wire.message.Pairing;
import io.hdfsparity.raidp.wire.message.ScrubReport;
import io.hdfsparity.raidp.wire.message.ScrubRequest;
import io.hdfsparity.raidp.wire.message.SuperchunkRef;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/**
 * The dumb twin: remembers every content that a block ever had under every stamp, and recomputes
 * everything from that.
 */
final class RingModel {
  private final Random random;
  private final ManualClock clock = new ManualClock();
  private final SimNet net;
  private final Path base;
  private final Mode mode;
  private final Granularity granularity;
  private final double faultShare;
  private final Layout layout;
  private final List<SimNode> nodes = new ArrayList<>();
  private final List<Pair> pairs = new ArrayList<>();
  private final List<Block> blocks = new ArrayList<>();
  private final List<Plain> plain = new ArrayList<>();

  /** Superchunk of every block, also of those that were refused. */
  private final Map<Long, Pair> homes = new HashMap<>();

  private final List<String> log = new ArrayList<>();
  private long nextBlock = 1_073_741_825L;
  private long nextStamp = 1001;
  private int spareNodes;
  private final Set<Block> busy = new HashSet<>();
  private boolean acting;

  /** Frame {@code frame} of a node. */
  private record Seat(SimNode node, int frame) {
    SimFrame sim() {
      return node.sims.get(frame);
    }

    boolean up() {
      return node.service != null;
    }
  }

  private static final class Pair {
    Seat[] seats;
    long id;
    long epoch = 1;

    /** Calls that were lost when containment was last looked at. */
    int lostCalls;

    /** Blocks that grew while the other side could not be reached. */
    final Set<Long> grownAlone = new HashSet<>();
  }

  /** State of a block as HDFS sees it, and its history. */
  private static final class Block {
    long id;
    Pair pair;
    byte[] content;
    long stamp;
    boolean open;

    /** It was plain at first: a side may have released it before the other one took it in. */
    boolean wasPlain;

    final boolean[] has = new boolean[2];
    final boolean[] finalized = new boolean[2];
    final long[] stamps = new long[2];

    /** For each stamp the longest content under it. */
    final Map<Long, byte[]> history = new HashMap<>();

    /** For each side, what was ever on its disk, by stamp. */
    final List<Map<Long, byte[]>> held = List.of(new HashMap<>(), new HashMap<>());
  }

  /** How many frames there are where. */
  enum Layout {
    /** Three nodes with two volumes of one frame each, in a ring. */
    RING(3, 2, 1),
    /**
     * Five nodes with a volume of four frames each, every two with a superchunk. Plain blocks have
     * replicas on both sides too, and are taken in.
     */
    COMPLETE(5, 1, 4);

    private final int nodes;
    private final int volumes;
    private final int framesPerVolume;

    Layout(int nodes, int volumes, int framesPerVolume) {
      this.nodes = nodes;
      this.volumes = volumes;
      this.framesPerVolume = framesPerVolume;
    }
  }

  RingModel(Path base, Random random, Mode mode, Granularity granularity, double faultShare)
      throws IOException {
    this(base, random, mode, granularity, faultShare, Layout.RING);
  }

  RingModel(
      Path base,
      Random random,
      Mode mode,
      Granularity granularity,
      double faultShare,
      Layout layout)
      throws IOException {
    this.base = base;
    this.random = random;
    this.mode = mode;
    this.granularity = granularity;
    this.faultShare = faultShare;
    this.layout = layout;
    this.net = new SimNet(random, faultShare);
    net.onCall(this::meanwhile);
    for (int i = 0; i < layout.nodes; i++) {
      SimNode node = newNode("n" + i, "" + i);
      nodes.add(node);
      node.start();
    }
    if (layout == Layout.RING) {
      for (int i = 0; i < 3; i++) {
        add(new Seat(nodes.get(i), 0), new Seat(nodes.get((i + 1) % 3), 1));
      }
    } else {
      for (int i = 0; i < layout.nodes; i++) {
        for (int j = 0; j < i; j++) {
          add(new Seat(nodes.get(i), j), new Seat(nodes.get(j), i - 1));
        }
      }
    }
  }

  private SimNode newNode(String name, String suffix) {
    List<String> storages = new ArrayList<>();
    for (int i = 0; i < layout.volumes; i++) {
      storages.add("DS-" + (char) ('a' + random.nextInt(20)) + suffix + i);
    }
    return new SimNode(base, name, storages, layout.framesPerVolume, mode, granularity, clock, net);
  }

  private void add(Seat one, Seat other) throws IOException {
    Pair pair = new Pair();
    pair.id = 100 + pairs.size();
    pair.seats = new Seat[] {one, other};
    pairs.add(pair);
    assign(pair);
  }

  private void assign(Pair pair) throws IOException {
    for (int side = 0; side < 2; side++) {
      Seat me = pair.seats[side];
      Seat other = pair.seats[1 - side];
      if (me.up()) {
        me.node()
            .pair(
                me.frame(),
                new Pairing(pair.id, pair.epoch, storage(other), other.node().name, 2 - side));
      }
    }
  }

  private static String storage(Seat seat) {
    return seat.sim().hooks().frame().storageId();
  }

  void run(int steps) throws Exception {
    runWithoutFinish(steps);
    finish();
  }

  void runWithoutFinish(int steps) throws Exception {
    for (int step = 0; step < steps; step++) {
      try {
        acting = true;
        act();
        acting = false;
        if (step % 16 == 0) {
          verify();
        } else {
          verifySome();
        }
      } catch (AssertionError | Exception e) {
        acting = false;
        int from = Math.max(0, log.size() - 40);
        throw new AssertionError(
            "at step " + step + ": " + e + "\n" + String.join("\n", log.subList(from, log.size())),
            e);
      }
    }
  }

  // ---------------------------------------------------------------- actions

  private void act() throws Exception {
    int dice = random.nextInt(100);
    if (dice < 22) {
      create();
    } else if (dice < 40) {
      withBlock(this::finishWrite, b -> b.open);
    } else if (dice < 50) {
      withBlock(
          this::append,
          b -> !b.open && b.has[0] && b.has[1] && b.stamps[0] == b.stamp && b.stamps[1] == b.stamp);
    } else if (dice < 56) {
      withBlock(
          this::truncate,
          b ->
              !b.open
                  && b.has[0]
                  && b.has[1]
                  && b.content.length > 1
                  && b.stamps[0] == b.stamp
                  && b.stamps[1] == b.stamp);
    } else if (dice < 70) {
      withBlock(this::deleteOne, b -> !b.open && (b.has[0] || b.has[1]));
    } else if (dice < 78) {
      withBlock(this::copy, b -> !b.open && b.has[0] != b.has[1]);
    } else if (dice < 92) {
      clock.advance(random.nextInt(200));
      nodes.get(random.nextInt(nodes.size())).settle();
    } else if (dice < 96) {
      net.deliverDelayed();
    } else {
      restart(nodes.get(random.nextInt(nodes.size())));
    }
    if (layout != Layout.RING) {
      actOnSeveralFrames();
      switch (random.nextInt(4)) {
        case 0 -> createUncovered();
        case 1, 2 -> withBlock(this::takeIn, b -> b.has[0] || b.has[1]);
        default -> {
          // Nothing on top.
        }
      }
    }
  }

  private void actOnSeveralFrames() throws Exception {
    switch (random.nextInt(12)) {
      case 0 -> crash(nodes.get(random.nextInt(nodes.size())));
      case 1 -> withBlock(this::finishCutShort, b -> b.open);
      case 2 -> withBlock(this::deleteCutShort, b -> !b.open && (b.has[0] || b.has[1]));
      case 3, 4 -> createPlain();
      case 5, 6, 7 -> changePlain();
      default -> {
        // Nothing on top.
      }
    }
  }

  private void crash(SimNode node) throws IOException {
    log.add("crash " + node.name);
    node.crash();
  }

  private void finishCutShort(Block block) throws IOException {
    int side = random.nextInt(2);
    if (!block.has[side] || block.finalized[side]) {
      return;
    }
    Seat seat = block.pair.seats[side];
    try {
      seat.sim().finishCutShort(block.id, block.stamp, block.content.length);
    } catch (IOException e) {
      log.add("finish " + block.id + " refused: " + e.getMessage());
      return;
    }
    crash(seat.node());
  }

  private void deleteCutShort(Block block) throws IOException {
    int side = block.has[0] ? 0 : 1;
    Seat seat = block.pair.seats[side];
    if (!block.finalized[side] || !isLive(block, side)) {
      return;
    }
    log.add("delete cut short " + block.id + " side " + side);
    seat.sim().deleteCutShort(block.id, block.stamps[side], 1_000_000L + nextStamp++);
    block.has[side] = false;
    block.finalized[side] = false;
    crash(seat.node());
    assertThat(seat.sim().exists(block.id)).as("the move is finished at start").isFalse();
  }

  // ---------------------------------------------------------------- blocks that are taken in

  /** A plain block whose replicas happen to lie on both sides of a superchunk. */
  private void createUncovered() throws IOException {
    Pair pair = pairs.get(random.nextInt(pairs.size()));
    if (!pair.seats[0].up() || !pair.seats[1].up()) {
      return;
    }
    Block block = new Block();
    block.id = nextBlock++;
    block.pair = pair;
    block.wasPlain = true;
    block.stamp = nextStamp++;
    block.content = bytes(SimNode.MAX_BLOCK);
    homes.put(block.id, pair);
    for (int side = 0; side < 2; side++) {
      pair.seats[side].sim().reservePlain(block.id, SimNode.MAX_BLOCK);
      writeAll(block, side);
      pair.seats[side].sim().finish(block.id, block.stamp, block.content.length);
      block.has[side] = true;
      block.finalized[side] = true;
    }
    log.add("uncovered " + block.id + " pair " + pair.id);
    blocks.add(block);
  }

  /** The manager asks one side or both, in any state of the block. */
  private void takeIn(Block block) {
    int first = random.nextInt(2);
    for (int i = 0; i < 1 + random.nextInt(2); i++) {
      int side = (first + i) % 2;
      Seat seat = block.pair.seats[side];
      try {
        List<Long> taken =
            seat.node()
                .service
                .cover(
                    storage(seat),
                    new SuperchunkRef(block.pair.id, block.pair.epoch),
                    List.of(block.id));
        log.add("take in " + block.id + " side " + side + ": " + taken);
        assertThat(taken.isEmpty() || block.finalized[side]).as("taken " + block.id).isTrue();
      } catch (IOException e) {
        log.add("take in " + block.id + " side " + side + " refused: " + e.getMessage());
      }
    }
  }

  private Optional<SlotEntry> findRow(Block block, int side) {
    Seat seat = block.pair.seats[side];
    return seat.node().disk.lstor().entry(seat.sim().hooks().frame().index(), block.id);
  }

  private boolean isLive(Block block, int side) {
    return findRow(block, side).filter(row -> row.state() == SlotState.LIVE).isPresent();
  }

  /** Of a replica without a row nothing is kept in limbo: it serves the very stamp only. */
  private void forgetUncovered(Block block, int side) {
    if (findRow(block, side).isEmpty()) {
      block.held.get(side).clear();
    }
  }

  // ---------------------------------------------------------------- blocks of no superchunk

  private record Plain(long id, SimNode node, byte[] content, long stamp) {}

  private SimFrame any(SimNode node) {
    return node.sims.get(random.nextInt(node.sims.size()));
  }

  private void createPlain() throws IOException {
    SimNode node = nodes.get(random.nextInt(nodes.size()));
    Plain made = new Plain(nextBlock++, node, bytes(SimNode.MAX_BLOCK), nextStamp++);
    any(node).reservePlain(made.id(), 2 * SimNode.MAX_BLOCK);
    any(node).write(made.id(), made.stamp(), made.content());
    any(node).finish(made.id(), made.stamp(), made.content().length);
    log.add("plain " + made.id() + " on " + node.name);
    plain.add(made);
  }

  private void changePlain() throws IOException {
    if (plain.isEmpty()) {
      return;
    }
    Plain old = plain.remove(random.nextInt(plain.size()));
    if (!nodes.contains(old.node())) {
      return;
    }
    long stamp = nextStamp++;
    byte[] content = bytes(SimNode.MAX_BLOCK);
    switch (random.nextInt(3)) {
      case 0 -> {
        any(old.node()).delete(old.id());
        assertThat(any(old.node()).exists(old.id())).as("plain " + old.id()).isFalse();
        return;
      }
      case 1 -> {
        any(old.node()).reopen(old.id(), old.stamp(), stamp, SimNode.MAX_BLOCK);
        any(old.node()).write(old.id(), stamp, content);
        any(old.node()).finish(old.id(), stamp, content.length);
      }
      default -> {
        if (old.content().length < 2) {
          return;
        }
        int length = 1 + random.nextInt(old.content().length - 1);
        content = Arrays.copyOf(old.content(), length);
        any(old.node()).truncate(old.id(), old.stamp(), stamp, length);
      }
    }
    log.add("plain " + old.id() + " changed to " + content.length);
    plain.add(new Plain(old.id(), old.node(), content, stamp));
  }

  /** They are as HDFS has left them, and in no row, no limbo and no parity. */
  private void verifyPlain() throws IOException {
    for (Plain each : plain) {
      if (nodes.contains(each.node())) {
        assertThat(each.node().disk.lstor().frameOf(each.id(), frame -> true)).isEmpty();
        assertThat(each.node().disk.frame(0).limbo().holds(each.id())).isFalse();
        assertThat(any(each.node()).content(each.id())).isEqualTo(each.content());
      }
    }
  }

  /**
   * Something else goes on while a call is under way; the block that the call is about is left
   * alone by HDFS.
   */
  private void meanwhile() {
    try {
      switch (random.nextInt(5)) {
        case 0 -> net.deliverDelayed();
        case 3 -> {
          // A slow call: what was put off for later happens first.
          clock.advance(random.nextInt(40_000));
          nodes.forEach(SimNode::settle);
        }
        case 1 -> nodes.get(random.nextInt(nodes.size())).settle();
        case 2 -> {
          if (acting) {
            create();
          }
        }
        default -> {
          if (acting) {
            withBlock(this::deleteOne, b -> !b.open && (b.has[0] || b.has[1]));
            withBlock(this::copy, b -> !b.open && b.has[0] != b.has[1]);
          }
        }
      }
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private interface BlockAction {
    void run(Block block) throws Exception;
  }

  private void withBlock(BlockAction action, java.util.function.Predicate<Block> filter)
      throws Exception {
    List<Block> fit =
        blocks.stream()
            .filter(filter)
            .filter(b -> b.pair.seats[0].up() && b.pair.seats[1].up() && !busy.contains(b))
            .toList();
    if (!fit.isEmpty()) {
      Block block = fit.get(random.nextInt(fit.size()));
      busy.add(block);
      try {
        action.run(block);
      } finally {
        busy.remove(block);
      }
    }
  }

  private byte[] bytes(int most) {
    byte[] bytes =
        new byte
            [switch (random.nextInt(6)) {
              case 0 -> 0;
              case 1 -> 1 + random.nextInt(700);
              case 2 -> Math.min(most, SimNode.UNIT);
              default -> random.nextInt(most + 1);
            }];
    random.nextBytes(bytes);
    return bytes;
  }

  private void create() throws IOException {
    Pair pair = pairs.get(random.nextInt(pairs.size()));
    if (!pair.seats[0].up() || !pair.seats[1].up()) {
      return;
    }
    Block block = new Block();
    block.id = nextBlock++;
    block.pair = pair;
    homes.put(block.id, pair);
    block.stamp = nextStamp++;
    block.content = bytes(SimNode.MAX_BLOCK);
    block.open = true;
    int first = random.nextInt(2);
    for (int i = 0; i < 2; i++) {
      int side = (first + i) % 2;
      try {
        pair.seats[side].sim().reserve(block.id, SimNode.MAX_BLOCK);
        block.has[side] = true;
        verifyContainment(pair);
      } catch (IOException e) {
        log.add("reserve " + block.id + " side " + side + " refused: " + e.getMessage());
      }
    }
    for (int side = 0; side < 2; side++) {
      if (block.has[side]) {
        writeAll(block, side);
      }
    }
    log.add(
        "create "
            + block.id
            + " pair "
            + pair.id
            + " "
            + block.content.length
            + " "
            + Arrays.toString(block.has));
    if (block.has[0] || block.has[1]) {
      blocks.add(block);
    }
  }

  private void writeAll(Block block, int side) throws IOException {
    block.pair.seats[side].sim().write(block.id, block.stamp, block.content);
    block.stamps[side] = block.stamp;
    block.finalized[side] = false;
    remember(block, side);
  }

  private static void remember(Block block, int side) {
    block.history.put(block.stamp, block.content);
    block.held.get(side).put(block.stamp, block.content);
  }

  private void finishWrite(Block block) throws IOException {
    int side = random.nextInt(2);
    for (int i = 0; i < 2; i++, side = 1 - side) {
      if (!block.has[side] || block.finalized[side]) {
        continue;
      }
      SimFrame sim = block.pair.seats[side].sim();
      try {
        if (granularity == Granularity.PACKET && block.content.length > 0) {
          sim.packet(block.id, block.stamp, 1 + random.nextInt(block.content.length));
          verifySome();
        }
        sim.finish(block.id, block.stamp, block.content.length);
        block.finalized[side] = true;
        log.add("finish " + block.id + " side " + side + " gs " + block.stamp);
      } catch (IOException e) {
        // The client drops this replica from the pipeline; HDFS deletes it.
        log.add("finish " + block.id + " side " + side + " refused: " + e.getMessage());
        forgetUncovered(block, side);
        sim.delete(block.id);
        block.has[side] = false;
      }
      if (random.nextBoolean()) {
        break;
      }
    }
    block.open = (block.has[0] && !block.finalized[0]) || (block.has[1] && !block.finalized[1]);
  }

  private void append(Block block) throws IOException {
    long stamp = nextStamp++;
    int room = SimNode.MAX_BLOCK - block.content.length;
    for (int side = 0; side < 2; side++) {
      forgetUncovered(block, side);
      try {
        block.pair.seats[side].sim().reopen(block.id, block.stamps[side], stamp, SimNode.MAX_BLOCK);
        block.finalized[side] = false;
        verifyContainment(block.pair);
      } catch (IOException e) {
        log.add("append " + block.id + " side " + side + " refused: " + e.getMessage());
      }
    }
    byte[] more = bytes(room);
    byte[] all = Arrays.copyOf(block.content, block.content.length + Math.min(room, more.length));
    System.arraycopy(more, 0, all, block.content.length, all.length - block.content.length);
    log.add("append " + block.id + " to " + all.length + " gs " + stamp);
    boolean any = !block.finalized[0] || !block.finalized[1];
    if (!any) {
      return;
    }
    block.content = all;
    block.stamp = stamp;
    block.open = true;
    for (int side = 0; side < 2; side++) {
      if (!block.finalized[side]) {
        writeAll(block, side);
      }
    }
  }

  private void truncate(Block block) throws IOException {
    int length = 1 + random.nextInt(block.content.length - 1);
    long stamp = nextStamp++;
    byte[] cut = Arrays.copyOf(block.content, length);
    int first = random.nextInt(2);
    int sides = random.nextInt(4) == 0 ? 1 : 2;
    log.add(
        "truncate "
            + block.id
            + " to "
            + length
            + " gs "
            + stamp
            + " sides "
            + sides
            + " first "
            + first);
    long old = block.stamp;
    byte[] whole = block.content;
    boolean isCut = false;
    block.content = cut;
    block.stamp = stamp;
    for (int i = 0; i < sides; i++) {
      int side = (first + i) % 2;
      forgetUncovered(block, side);
      try {
        block.pair.seats[side].sim().truncate(block.id, old, stamp, length);
      } catch (IOException e) {
        // HDFS tries again; here the replica stays as it was.
        log.add("truncate " + block.id + " side " + side + " refused: " + e.getMessage());
        assertThat(e).hasMessageContaining("bytesOfEarlierCuts");
        continue;
      }
      isCut = true;
      block.stamps[side] = stamp;
      remember(block, side);
      verifySome();
    }
    if (!isCut) {
      block.content = whole;
      block.stamp = old;
    }
  }

  private void deleteOne(Block block) throws IOException {
    int side = block.has[0] && block.has[1] ? random.nextInt(2) : block.has[0] ? 0 : 1;
    log.add("delete " + block.id + " side " + side);
    forgetUncovered(block, side);
    block.pair.seats[side].sim().delete(block.id);
    block.has[side] = false;
    block.finalized[side] = false;
  }

  /** Re-replication from the side that has it. */
  private void copy(Block block) throws IOException {
    int to = block.has[0] ? 1 : 0;
    if (block.stamps[1 - to] != block.stamp) {
      return;
    }
    SimFrame sim = block.pair.seats[to].sim();
    try {
      sim.reserve(block.id, block.content.length);
    } catch (IOException e) {
      log.add("copy " + block.id + " refused: " + e.getMessage());
      return;
    }
    verifySome();
    block.has[to] = true;
    writeAll(block, to);
    block.open = true;
    log.add("copy " + block.id + " to side " + to);
  }

  private void restart(SimNode node) throws IOException {
    if (node.service == null) {
      return;
    }
    log.add("restart " + node.name);
    node.stop();
    node.start();
  }

  // ---------------------------------------------------------------- loss of a node

  /**
   * A node is lost for good; its superchunks get frames of a new node under a higher epoch, and the
   * blocks are copied.
   */
  void killAndReplace() throws Exception {
    SimNode lost = nodes.remove(0);
    log.add("kill " + lost.name);
    lost.stop();
    lost.service = null;
    net.declareDead(lost.name);
    runWithoutFinish(30);
    SimNode fresh = newNode("spare" + spareNodes++, "s");
    nodes.add(fresh);
    fresh.start();
    for (Pair pair : pairs) {
      for (int side = 0; side < 2; side++) {
        if (pair.seats[side].node() == lost) {
          pair.seats[side] = new Seat(fresh, pair.seats[side].frame());
          pair.epoch++;
          for (Block block : blocks) {
            if (block.pair == pair) {
              block.has[side] = false;
              block.finalized[side] = false;
              block.held.get(side).clear();
              block.open = block.has[1 - side] && !block.finalized[1 - side];
            }
          }
          assign(pair);
        }
      }
    }
  }

  // ---------------------------------------------------------------- loss of an Lstor

  /** A node gets a new Lstor while one of its partners is away, and learns its rows from all. */
  void loseAnLstor() throws Exception {
    for (Block block : blocks) {
      while (block.open) {
        finishWrite(block);
      }
    }
    quiesce();
    SimNode node = nodes.get(random.nextInt(nodes.size()));
    SimNode away = nodes.get((nodes.indexOf(node) + 1) % nodes.size());
    log.add("lose Lstor " + node.name + " while away " + away.name);
    away.stop();
    String disk = node.disk.diskId();
    node.stop();
    Files.createFile(DiskOpener.rebuildMarker(node.lstorDir(), disk));
    node.start();
    forgetOlderStamps(node);
    quiesceWithout(away);
    away.start();
    quiesce();
    verify();
    verifyAgreement();
    verifyScrub();
  }

  /** Its replicas may have been plain for a while, so they serve the very stamp only. */
  private void forgetOlderStamps(SimNode node) {
    for (Block block : blocks) {
      for (int side = 0; side < 2; side++) {
        if (block.pair.seats[side].node() == node) {
          long stamp = block.stamps[side];
          block.held.get(side).keySet().removeIf(each -> each != stamp);
        }
      }
    }
  }

  private void quiesceWithout(SimNode away) {
    net.setFaultShare(0);
    for (int round = 0; round < 5; round++) {
      clock.advance(31_000);
      nodes.stream().filter(node -> node != away).forEach(SimNode::settle);
    }
    net.setFaultShare(faultShare);
  }

  // ---------------------------------------------------------------- checks

  /**
   * One disk and one direction of a pair: a look at all of them takes too long to be had after
   * every step.
   */
  private void verifySome() throws IOException {
    verifyParity(nodes.get(random.nextInt(nodes.size())));
    Pair pair = pairs.get(random.nextInt(pairs.size()));
    if (pair.seats[0].up() && pair.seats[1].up()) {
      verifyMirror(pair, random.nextInt(2));
      verifyContainment(pair);
    }
  }

  private void verify() throws IOException {
    verifyPlain();
    for (SimNode node : nodes) {
      verifyParity(node);
      verifyJournal(node);
    }
    for (Pair pair : pairs) {
      for (int side = 0; side < 2; side++) {
        if (pair.seats[side].up() && pair.seats[1 - side].up()) {
          verifyMirror(pair, side);
        }
      }
      verifyContainment(pair);
    }
  }

  private void verifyParity(SimNode node) throws IOException {
    Lstor lstor = node.disk.lstor();
    LstorGeometry g = lstor.geometry();
    byte[] data = new byte[(int) g.frameBytes()];
    byte[] meta = new byte[(int) g.metaRegionBytes()];
    for (SlotEntry row : lstor.entries()) {
      assertThat(SlotLifeTable.isReachable(row)).as("life of " + row).isTrue();
      verifyFrame(node, row);
      if (!row.coversAnything()) {
        continue;
      }
      byte[] content = contentOf(row);
      add(data, row, g.unitBytes(), Arrays.copyOf(content, (int) row.coveredBytes()));
      add(meta, row, g.metaBytesPerUnit(), SimFrame.metaOf(content, (int) row.coveredBytes()));
    }
    assertThat(parity(lstor, ParityKind.DATA, data.length))
        .as("data parity of " + node.name)
        .isEqualTo(data);
    assertThat(parity(lstor, ParityKind.META, meta.length))
        .as("meta parity of " + node.name)
        .isEqualTo(meta);
  }

  /** No byte is booked that the parity does not hold, and none twice. */
  private static void verifyJournal(SimNode node) {
    long booked = 0;
    for (SlotEntry row : node.disk.lstor().entries()) {
      long ofRow = node.disk.gate().bookedBytes(row.frameIndex(), row.blockId());
      assertThat(ofRow).as("booked of " + row).isLessThanOrEqualTo(row.coveredBytes());
      booked += ofRow;
    }
    assertThat(node.disk.gate().bookedBytes()).as("journal of " + node.name).isEqualTo(booked);
  }

  private void verifyJournalsAreEmpty() {
    for (SimNode node : nodes) {
      assertThat(node.disk.gate().bookedBytes()).as("journal of " + node.name).isZero();
    }
  }

  /** Blocks of different frames never mix. */
  private void verifyFrame(SimNode node, SlotEntry row) {
    assertThat(homes.get(row.blockId()).seats)
        .as("frame of " + row + " on " + node.name)
        .anyMatch(
            seat -> seat.node() == node && seat.sim().hooks().frame().index() == row.frameIndex());
  }

  private byte[] contentOf(SlotEntry row) {
    Block block = blocks.stream().filter(b -> b.id == row.blockId()).findFirst().orElseThrow();
    byte[] content = block.history.get(row.generationStamp());
    if (content == null || content.length < row.coveredBytes()) {
      fail("row covers what never was: " + row + " history " + block.history.keySet());
    }
    return content;
  }

  private static byte[] parity(Lstor lstor, ParityKind kind, int length) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(length);
    lstor.readParity(kind, 0, bytes);
    return bytes.array();
  }

  private static void add(byte[] region, SlotEntry row, int bytesPerUnit, byte[] image) {
    int at = 0;
    for (Run run : row.runs()) {
      for (int i = 0; i < run.count() * bytesPerUnit && at < image.length; i++, at++) {
        region[run.start() * bytesPerUnit + i] ^=
            (byte) Gf256.multiply(row.coefficient(), image[at] & 0xff);
      }
    }
    assertThat(at).isEqualTo(image.length);
  }

  /**
   * Whether the other side has never covered a block that was taken in: its replica was deleted
   * before it was taken in too, and nobody else has the image. A row in LIMBO no longer says that
   * it waits.
   */
  private static boolean isUnanswered(SlotEntry row, Seat other) {
    return row.ackPending()
        || row.state() == SlotState.LIMBO
            && other
                .node()
                .disk
                .lstor()
                .entry(other.sim().hooks().frame().index(), row.blockId())
                .filter(theirs -> theirs.generationStamp() != 0)
                .isEmpty();
  }

  /**
   * Invariant 4: whatever this side's parity covers, the other side serves, if it ever held it.
   * Else it refuses, or has the same bytes all the same.
   */
  private void verifyMirror(Pair pair, int side) throws IOException {
    Seat me = pair.seats[side];
    Seat other = pair.seats[1 - side];
    for (SlotEntry row : me.node().disk.lstor().entries(me.sim().hooks().frame().index())) {
      if (!row.coversAnything()) {
        continue;
      }
      Block block = blocks.stream().filter(b -> b.id == row.blockId()).findFirst().orElseThrow();
      byte[] content = contentOf(row);
      byte[] onceHeld = block.held.get(1 - side).get(row.generationStamp());
      boolean mayRefuse =
          onceHeld == null
              || onceHeld.length < row.coveredBytes()
              || (block.wasPlain && !block.has[1 - side] && isUnanswered(row, other));
      int prefix = (int) row.coveredBytes();
      byte[] expectedMeta = SimFrame.metaOf(content, prefix);
      Optional<SuperchunkRef> asking = me.sim().hooks().frame().pairing().map(Frame::ref);
      try {
        assertThat(
                other
                    .node()
                    .service
                    .readImage(
                        new ImageRequest(
                            storage(other),
                            row.blockId(),
                            row.generationStamp(),
                            prefix,
                            ImageKind.DATA,
                            0,
                            prefix,
                            asking)))
            .as("image of " + row)
            .isEqualTo(Arrays.copyOf(content, prefix));
        assertThat(
                other
                    .node()
                    .service
                    .readImage(
                        new ImageRequest(
                            storage(other),
                            row.blockId(),
                            row.generationStamp(),
                            prefix,
                            ImageKind.META,
                            0,
                            expectedMeta.length,
                            asking)))
            .as("meta image of " + row)
            .isEqualTo(expectedMeta);
      } catch (IOException e) {
        if (mayRefuse) {
          continue;
        }
        throw new AssertionError(
            "Mirror "
                + storage(other)
                + " cannot serve "
                + row
                + " other side's row "
                + other
                    .node()
                    .disk
                    .lstor()
                    .entry(other.sim().hooks().frame().index(), row.blockId()),
            e);
      }
    }
  }

  private void verifyContainment(Pair pair) {
    Seat a = pair.seats[0];
    Seat b = pair.seats[1];
    if (!a.up() || !b.up() || pair.epoch > 1) {
      return;
    }
    Seat leader = storage(a).compareTo(storage(b)) < 0 ? a : b;
    Seat follower = leader == a ? b : a;
    for (SlotEntry row :
        follower.node().disk.lstor().entries(follower.sim().hooks().frame().index())) {
      Optional<SlotEntry> theirs =
          leader.node().disk.lstor().entry(leader.sim().hooks().frame().index(), row.blockId());
      assertThat(theirs).as("leader's row for " + row).isPresent();
      if (Extents.isPrefix(row.runs(), theirs.get().runs())) {
        pair.grownAlone.remove(row.blockId());
      } else if (net.lostCalls() > pair.lostCalls) {
        pair.grownAlone.add(row.blockId());
      }
      assertThat(
              pair.grownAlone.contains(row.blockId())
                  || Extents.isPrefix(row.runs(), theirs.get().runs()))
          .as(row + " in " + theirs)
          .isTrue();
    }
    pair.lostCalls = net.lostCalls();
  }

  // ---------------------------------------------------------------- the end

  private void quiesce() throws IOException {
    net.setFaultShare(0);
    net.deliverDelayed();
    for (int round = 0; round < 60; round++) {
      clock.advance(31_000);
      nodes.forEach(SimNode::settle);
    }
    net.setFaultShare(faultShare);
  }

  private void finish() throws Exception {
    try {
      for (Block block : blocks) {
        while (block.open) {
          finishWrite(block);
        }
      }
      quiesce();
      verify();
      verifyJournalsAreEmpty();
      verifyAgreement();
      verifyScrub();
      deleteEverything();
      quiesce();
      verify();
      verifyJournalsAreEmpty();
      for (SimNode node : nodes) {
        assertThat(node.disk.lstor().entries()).as("rows left on " + node.name).isEmpty();
        for (SimFrame sim : node.sims) {
          assertThat(sim.hooks().frame().limbo().blockIds())
              .as("limbo left on " + node.name)
              .isEmpty();
          assertThat(node.disk.lstor().freeUnits(sim.hooks().frame().index()))
              .isEqualTo(SimNode.UNITS);
        }
        node.stop();
      }
    } catch (AssertionError | Exception e) {
      int from = Math.max(0, log.size() - 60);
      throw new AssertionError(
          "at the end: " + e + "\n" + String.join("\n", log.subList(from, log.size())), e);
    }
  }

  /** Blocks that both sides have: same extents, acknowledged, trimmed. */
  private void verifyAgreement() throws IOException {
    for (Block block : blocks) {
      if (!block.has[0] || !block.has[1] || block.stamps[0] != block.stamps[1]) {
        continue;
      }
      if (findRow(block, 0).isEmpty() && findRow(block, 1).isEmpty()) {
        continue;
      }
      SlotEntry a = row(block, 0);
      SlotEntry b = row(block, 1);
      assertThat(a.runs()).as("extents of " + block.id).isEqualTo(b.runs());
      assertThat(a.state()).isEqualTo(SlotState.LIVE);
      assertThat(a.ackPending() || b.ackPending()).as("acknowledged " + a + " " + b).isFalse();
      assertThat(a.coveredBytes()).isEqualTo(block.content.length);
      assertThat(a.units())
          .isEqualTo(Math.max(1, (block.content.length + SimNode.UNIT - 1) / SimNode.UNIT));
    }
  }

  private SlotEntry row(Block block, int side) {
    return findRow(block, side).orElseThrow();
  }

  private void verifyScrub() throws IOException {
    for (SimNode node : nodes) {
      ScrubReport report = node.service.scrub(new ScrubRequest(Optional.empty(), false, true));
      assertThat(report.findings()).as("scrub of " + node.name).isEmpty();
    }
  }

  private void deleteEverything() throws IOException {
    for (Block block : blocks) {
      for (int side = 0; side < 2; side++) {
        if (block.has[side]) {
          block.pair.seats[side].sim().delete(block.id);
          block.has[side] = false;
        }
      }
    }
  }
}

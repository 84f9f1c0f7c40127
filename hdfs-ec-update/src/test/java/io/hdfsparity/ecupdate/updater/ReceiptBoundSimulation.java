/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.updater;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.core.gf.GfMatrix;
import io.hdfsparity.core.gf.ScalarKernel;
import io.hdfsparity.ecupdate.ajx.AddMode;
import io.hdfsparity.ecupdate.ajx.AjxClient;
import io.hdfsparity.ecupdate.ajx.AjxOptions;
import io.hdfsparity.ecupdate.ajx.Bounds.Failures;
import io.hdfsparity.ecupdate.ajx.Bytes;
import io.hdfsparity.ecupdate.ajx.LockMode;
import io.hdfsparity.ecupdate.ajx.OpMode;
import io.hdfsparity.ecupdate.ajx.Output;
import io.hdfsparity.ecupdate.ajx.Patch;
import io.hdfsparity.ecupdate.ajx.ReplicaKey;
import io.hdfsparity.ecupdate.ajx.Reply;
import io.hdfsparity.ecupdate.ajx.Request;
import io.hdfsparity.ecupdate.ajx.SlotKey;
import io.hdfsparity.ecupdate.ajx.StripeCode;
import io.hdfsparity.ecupdate.storage.BudgetedNode;
import io.hdfsparity.ecupdate.storage.FileCluster;
import io.hdfsparity.ecupdate.storage.ReceiptRoomException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Programs that update one file of a few stripes, 3-of-5, on nodes that keep next to nothing of
 * what writes replace. One of them never collects. All is decided by one seed: which call arrives
 * next, which is lost, and when a node is lost or started again or a program dies.
 *
 * <p>What must hold: whoever collects gets to the end of all its writes while the hostile program
 * lives; every byte is a regular register, so nothing that was acknowledged is lost; in the end
 * parity is the code of the data, and when all sessions are over nothing is kept for them.
 */
final class ReceiptBoundSimulation {
  private static final StripeCode CODE =
      new StripeCode(new ScalarKernel(), GfMatrix.cauchyParity(3, 2));
  private static final int DATA = 3;
  private static final int UNITS = 5;
  private static final int STRIPES = 4;
  private static final int CELL_BYTES = 4;
  private static final int FILE_BYTES = STRIPES * DATA * CELL_BYTES;
  private static final int HONEST = 2;
  private static final int OPERATIONS = 30;
  private static final int MAX_HOSTILE_WRITES = 60;
  private static final long HOSTILE = 99;
  private static final int AT_ONCE = 3;
  private static final int MAX_STEPS = 400_000;

  /** From so long on a timer is not one of a back-off. */
  private static final long LONG_MS = 1000;

  private static final AddMode[] MODES = {AddMode.PARALLEL, AddMode.SERIAL, AddMode.BROADCAST};

  /** What may happen, within what the programs demand to survive. */
  enum Trouble {
    NONE,
    NODE_LOST,
    NODE_RESTARTED,
    PROGRAM_DIES,
    PROGRAM_DIES_AND_NODE_LOST,
    /** A session that lives is taken for one that is over, as one that shares its number. */
    FORGOTTEN_ALIVE
  }

  private final Random random;
  private final Trouble trouble;
  private final UpdaterOptions options;
  private final AjxOptions ajx;
  private final List<BudgetedNode> nodes = new ArrayList<>();
  private final List<Event> events = new ArrayList<>();
  private final List<Event> rare = new ArrayList<>();
  private final FileHistories histories = new FileHistories(new byte[FILE_BYTES]);
  private final List<Program> honest = new ArrayList<>();
  private final Hostile hostile = new Hostile();
  private long steps;
  private boolean isTroubled;
  int refusedHonest;
  int refusedHostile;

  /** Something that happens some time. */
  private record Event(long session, Runnable action) {}

  ReceiptBoundSimulation(Random random) throws IOException {
    this.random = random;
    trouble = Trouble.values()[random.nextInt(Trouble.values().length)];
    Failures demanded =
        trouble.ordinal() >= Trouble.PROGRAM_DIES.ordinal()
            ? new Failures(1, 1)
            : new Failures(0, 2);
    AddMode mode = demanded.clients() == 1 ? AddMode.SERIAL : MODES[random.nextInt(MODES.length)];
    options =
        new UpdaterOptions(
            new UpdaterOptions.Adds(mode, 1, 0),
            0,
            AT_ONCE,
            /* maxStripes= */ 1 + random.nextInt(STRIPES),
            /* collectAfter= */ 1 + random.nextInt(20),
            1000,
            20,
            1);
    ajx = options.ajx(CODE.shape(), demanded);
    long maxBytes = (1 + random.nextInt(6)) * FileCluster.receiptBytesOf(CELL_BYTES);
    for (int unit = 0; unit < UNITS; unit++) {
      nodes.add(new BudgetedNode(CODE, unit, STRIPES, CELL_BYTES, maxBytes));
    }
    for (int i = 1; i <= HONEST; i++) {
      honest.add(new Program(i, OPERATIONS));
    }
  }

  Trouble trouble() {
    return trouble;
  }

  void run() throws IOException {
    honest.forEach(Program::begin);
    hostile.begin();
    runUntil("programs that collect end", () -> honest.stream().allMatch(Program::isDone));
    assertThat(isTroubled || trouble == Trouble.NONE).isTrue();
    for (Program program : honest) {
      if (program.isAlive) {
        CompletableFuture<Void> finished = program.drivers.finish();
        runUntil("their garbage is collected", finished::isDone);
        finished.join();
      }
    }
    endHostile();
    Program last = new Program(7, OPERATIONS);
    repair(last);
    last.begin();
    runUntil("who comes after it ends", last::isDone);
    CompletableFuture<Void> finished = last.drivers.finish();
    runUntil("its garbage is collected", finished::isDone);
    finished.join();
    checkStripes();
    histories.check();
  }

  private void runUntil(String what, BooleanSupplier isOver) {
    long endStep = steps + MAX_STEPS;
    while (!isOver.getAsBoolean()) {
      assertThat(steps++).as("steps until %s: %s", what, this).isLessThan(endStep);
      boolean isRare = events.isEmpty() || !rare.isEmpty() && random.nextInt(2000) == 0;
      List<Event> from = isRare ? rare : events;
      assertThat(from).as("nothing happens any more before %s: %s", what, this).isNotEmpty();
      int next = random.nextInt(from.size());
      Event event = from.get(next);
      from.set(next, from.get(from.size() - 1));
      from.remove(from.size() - 1);
      event.action.run();
      makeTrouble();
    }
  }

  @Override
  public String toString() {
    return trouble + " " + honest + " hostile=" + hostile.isWaiting + " refused=" + refusedHonest;
  }

  private void later(long session, Runnable action) {
    events.add(new Event(session, action));
  }

  // Failures.

  private void makeTrouble() {
    if (trouble == Trouble.FORGOTTEN_ALIVE || !isDue() || random.nextInt(50) > 0) {
      return;
    }
    isTroubled = true;
    int node = random.nextInt(UNITS);
    switch (trouble) {
      case NONE, FORGOTTEN_ALIVE -> {}
      case NODE_LOST -> nodes.get(node).lose(random);
      case NODE_RESTARTED -> nodes.get(node).restart();
      case PROGRAM_DIES -> kill(honest.get(0));
      case PROGRAM_DIES_AND_NODE_LOST -> {
        kill(honest.get(0));
        nodes.get(node).lose(random);
      }
    }
  }

  private void kill(Program program) {
    program.isAlive = false;
    over(program.number);
  }

  /** Nothing of it is executed any more; nodes learn one after the other that it is over. */
  private void over(long session) {
    events.removeIf(event -> event.session == session);
    rare.removeIf(event -> event.session == session);
    for (BudgetedNode node : nodes) {
      later(
          0,
          () -> {
            node.expireLocks(client -> BudgetedNode.sessionOf(client) == session);
            node.forget(session);
          });
    }
  }

  // The network.

  private void send(long session, int unit, int stripe, Request request, NodeCalls.Listener to) {
    later(session, () -> deliver(session, unit, stripe, request, to));
  }

  private void deliver(
      long session, int unit, int stripe, Request request, NodeCalls.Listener listener) {
    int dice = random.nextInt(100);
    if (dice == 0) {
      later(session, () -> listener.lost("before it was executed"));
      return;
    }
    Reply reply;
    try {
      reply = nodes.get(unit).handle(stripe, request);
    } catch (ReceiptRoomException e) {
      refused(session);
      later(session, () -> listener.lost(String.valueOf(e.getMessage())));
      return;
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    if (forgets(session, reply)) {
      nodes.get(unit).forget(session);
      later(session, () -> listener.lost("and what it was is forgotten"));
      return;
    }
    later(
        session, dice == 1 ? () -> listener.lost("the answer is") : () -> listener.answered(reply));
  }

  /** Once: a swap was made, and now neither the client nor the node knows what it replaced. */
  private boolean forgets(long session, Reply reply) {
    boolean isForgotten =
        trouble == Trouble.FORGOTTEN_ALIVE
            && isDue()
            && session == honest.get(0).number
            && reply instanceof Reply.SwapReply swapped
            && swapped.previous() != null;
    isTroubled |= isForgotten;
    return isForgotten;
  }

  private boolean isDue() {
    int done = honest.stream().mapToInt(program -> program.ended).sum();
    return !isTroubled && done >= HONEST * OPERATIONS / 3;
  }

  private void refused(long session) {
    if (session == HOSTILE) {
      refusedHostile++;
      hostile.isWaiting = true;
    } else {
      refusedHonest++;
    }
  }

  /** Everything at once, but for what is to happen later. */
  private final class Timers extends ScheduledThreadPoolExecutor {
    private final long session;

    Timers(long session) {
      super(
          1,
          task -> {
            Thread thread = new Thread(task);
            thread.setDaemon(true);
            return thread;
          });
      this.session = session;
    }

    @Override
    public void execute(Runnable task) {
      task.run();
    }

    @Override
    public ScheduledFuture<?> schedule(Runnable task, long delay, TimeUnit unit) {
      (unit.toMillis(delay) >= LONG_MS ? rare : events).add(new Event(session, task));
      return super.schedule(() -> {}, 1, TimeUnit.DAYS);
    }
  }

  /** A program that collects as updaters do. */
  private final class Program extends SteppedFile.NoUsers implements StripeSession, NodeCalls {
    final int number;
    final StripeDrivers drivers;
    private int left;
    private int outstanding;
    private int ended;
    private boolean isAlive = true;

    Program(int number, int operations) {
      this.number = number;
      left = operations;
      Timers timers = new Timers(number);
      GroupLocations locations =
          new GroupLocations(this, this, Runnable::run, timers, /* everyMs= */ 0, this);
      drivers = new StripeDrivers(this, options, ajx, locations, timers, Long.MAX_VALUE);
    }

    void begin() {
      for (int i = 0; i < AT_ONCE; i++) {
        later(number, this::next);
      }
    }

    boolean isDone() {
      return !isAlive || left == 0 && outstanding == 0;
    }

    private void next() {
      if (left == 0) {
        return;
      }
      left--;
      outstanding++;
      try {
        if (random.nextInt(10) < 3) {
          read();
        } else {
          write();
        }
      } catch (IOException e) {
        throw new AssertionError(e);
      }
    }

    private void ended(Throwable failure) {
      if (failure != null) {
        throw new AssertionError(failure);
      }
      outstanding--;
      ended++;
      later(number, this::next);
    }

    private void read() throws IOException {
      int stripe = random.nextInt(STRIPES);
      int block = random.nextInt(DATA);
      long began = histories.beginRead();
      drivers
          .with(new StripeKey(0, stripe), driver -> driver.read(block, 0, CELL_BYTES))
          .whenComplete(
              (bytes, failure) -> {
                if (failure == null) {
                  histories.endRead(position(stripe, block), bytes.toArray(), began);
                }
                ended(failure);
              });
    }

    private void write() throws IOException {
      int stripe = random.nextInt(STRIPES);
      Written written = new Written(stripe, random.nextInt(3) == 0 ? 2 : 1);
      StripeKey key = new StripeKey(0, stripe);
      drivers
          .with(
              key,
              driver ->
                  driver
                      .write(written.patches)
                      .whenComplete((done, failure) -> drivers.written(key, written.patches)))
          .whenComplete(
              (done, failure) -> {
                written.end();
                ended(failure);
              });
    }

    @Override
    public String toString() {
      return number + (isAlive ? "" : "(dead)") + " left=" + left + " under way=" + outstanding;
    }

    @Override
    public void call(Endpoint node, SlotKey slot, Request request, Listener listener) {
      send(number, (int) slot.replica().blockId(), slot.stripe(), request, listener);
    }

    @Override
    public void giveUp(Endpoint node, ReplicaKey replica) {}

    @Override
    public FileLayout layout() {
      return new FileLayout(CODE, CELL_BYTES, List.of(new FileLayout.Group(0, FILE_BYTES)));
    }

    @Override
    public SessionTerms terms() {
      return new SessionTerms(number, ajx.demanded(), 1_000, 120_000);
    }

    @Override
    public Located locate(int group) {
      Map<Integer, UnitLocation> units = new HashMap<>();
      for (int unit = 0; unit < UNITS; unit++) {
        units.put(
            unit,
            new UnitLocation(new ReplicaKey("bp", unit), new Endpoint("node" + unit, 1, "bp", "")));
      }
      return new Located(1, units);
    }

    @Override
    public void renew() {}

    @Override
    public void end(OptionalLong lastWriteMs) {}
  }

  private static int position(int stripe, int block) {
    return (stripe * DATA + block) * CELL_BYTES;
  }

  /** A write of some bytes of cells of a stripe. */
  private final class Written {
    final SortedMap<Integer, Patch> patches = new TreeMap<>();
    private final Map<Integer, byte[]> bytesAt = new HashMap<>();

    Written(int stripe, int cells) {
      int first = random.nextInt(DATA);
      for (int i = 0; i < cells; i++) {
        int block = (first + i) % DATA;
        int offset = random.nextInt(CELL_BYTES);
        int at = position(stripe, block) + offset;
        byte[] bytes = histories.beginWrite(at, 1 + random.nextInt(CELL_BYTES - offset));
        bytesAt.put(at, bytes);
        patches.put(block, new Patch(offset, Bytes.copyOf(bytes)));
      }
    }

    void end() {
      bytesAt.forEach(histories::endWrite);
    }
  }

  /** Each write by another client, which never collects. */
  private final class Hostile {
    private AjxClient client;
    private Written written;
    private int stripe;
    private int writes;
    private boolean isWaiting;
    private boolean isEnding;
    private boolean isIdle;

    void begin() {
      next();
    }

    private void next() {
      if (isEnding || writes == MAX_HOSTILE_WRITES) {
        isIdle = true;
        return;
      }
      client = new AjxClient(HOSTILE << 32 | writes++, CODE, ajx);
      stripe = random.nextInt(STRIPES);
      written = new Written(stripe, 1);
      carryOut(client, client.write(0, written.patches));
    }

    private void carryOut(AjxClient by, List<Output> outputs) {
      for (Output output : outputs) {
        if (output instanceof Output.Send send) {
          send(by, send);
        } else if (output instanceof Output.Broadcast broadcast) {
          broadcast.sends().forEach(send -> send(by, send));
        } else if (output instanceof Output.StartTimer timer) {
          later(HOSTILE, () -> carryOut(by, by.onTimer(timer.timer())));
        } else if (output instanceof Output.WriteDone) {
          written.end();
          later(HOSTILE, this::next);
        }
      }
    }

    private void send(AjxClient by, Output.Send send) {
      ReceiptBoundSimulation.this.send(
          HOSTILE,
          send.node(),
          stripe,
          send.request(),
          new NodeCalls.Listener() {
            @Override
            public void answered(Reply reply) {
              isWaiting = false;
              carryOut(by, by.onReply(send.call(), reply));
            }

            @Override
            public void lost(String why) {
              carryOut(by, by.onLost(send.call()));
            }

            @Override
            public void failed(String why) {
              throw new AssertionError(why);
            }

            @Override
            public void delayed(String why) {}
          });
    }
  }

  /** Its session is ended between two writes of it, so it is none of those that may die. */
  private void endHostile() {
    hostile.isEnding = true;
    runUntil("the hostile program waits", () -> hostile.isIdle || hostile.isWaiting);
    over(HOSTILE);
    runUntil(
        "nothing is kept for it",
        () -> nodes.stream().noneMatch(node -> node.hasReceiptsOf(HOSTILE)));
  }

  // Afterwards.

  private void repair(Program by) throws IOException {
    for (int stripe = 0; stripe < STRIPES; stripe++) {
      int healthy = 0;
      while (healthy < UpdaterOptions.OLD_AFTER + 2) {
        CompletableFuture<Boolean> probe =
            by.drivers.with(new StripeKey(0, stripe), StripeDriver::probe);
        runUntil("a probe ends", probe::isDone);
        healthy = probe.join() ? healthy + 1 : 0;
        assertThat(steps++).isLessThan(10L * MAX_STEPS);
      }
    }
  }

  private void checkStripes() {
    for (int stripe = 0; stripe < STRIPES; stripe++) {
      List<Bytes> data = new ArrayList<>();
      for (int unit = 0; unit < UNITS; unit++) {
        BudgetedNode node = nodes.get(unit);
        assertThat(node.receiptBytes()).as("kept by node %d", unit).isZero();
        assertThat(node.machine(stripe).opMode()).isEqualTo(OpMode.NORM);
        assertThat(node.machine(stripe).lockMode()).isEqualTo(LockMode.UNL);
        if (unit < DATA) {
          data.add(node.bytes(stripe));
          histories.endRead(
              position(stripe, unit), node.bytes(stripe).toArray(), histories.beginRead());
        } else {
          assertThat(node.bytes(stripe))
              .as("parity %d of stripe %d", unit, stripe)
              .isEqualTo(CODE.encode(data).get(unit));
        }
      }
    }
  }
}

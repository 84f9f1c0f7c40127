/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.updater;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hdfsparity.core.geometry.ByteOrder;
import io.hdfsparity.core.trace.Access;
import io.hdfsparity.ecupdate.ajx.AddMode;
import io.hdfsparity.ecupdate.ajx.Bounds;
import io.hdfsparity.ecupdate.ajx.Bytes;
import io.hdfsparity.ecupdate.ajx.Patch;
import io.hdfsparity.ecupdate.ajx.Tid;
import io.hdfsparity.ecupdate.channel.ChannelClient;
import io.hdfsparity.ecupdate.channel.ClientLimits;
import io.hdfsparity.ecupdate.storage.FileCluster;
import java.io.Closeable;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** One updater against engines behind sockets, and an array that has what it wrote. */
@Timeout(600)
class StripedFileUpdaterTest {
  private static final int OPERATIONS = Integer.getInteger("ecupdate.operations", 60);

  private final Random random = new Random(8);
  private final ChannelClient calls = client();
  private FileCluster cluster;

  static ChannelClient client() {
    return new ChannelClient(
        new ClientLimits(16384, 16, 1000, 5_000, 5_000, 60_000, 2, 20), node -> Bytes.zeros(1));
  }

  static UpdaterOptions options(long cacheBytes, long operationMs) {
    return options(AddMode.PARALLEL, cacheBytes, operationMs);
  }

  static UpdaterOptions options(AddMode mode, long cacheBytes, long operationMs) {
    return new UpdaterOptions(
        new UpdaterOptions.Adds(mode, 1, 0), cacheBytes, 8, 4, 5, operationMs, 20, 2);
  }

  @AfterEach
  void stop() throws IOException {
    calls.close();
    if (cluster != null) {
      cluster.close();
    }
  }

  private TestSession start(String scheme) throws Exception {
    cluster = new FileCluster(scheme, random);
    return new TestSession(cluster);
  }

  private static byte[] read(StripedFileUpdater updater, long position, int lengthBytes)
      throws IOException {
    ByteBuffer target = ByteBuffer.allocate(lengthBytes);
    assertThat(updater.read(position, target)).isEqualTo(lengthBytes);
    return target.array();
  }

  private byte[] some(int atMost) {
    byte[] bytes = new byte[1 + random.nextInt(atMost)];
    random.nextBytes(bytes);
    return bytes;
  }

  @ParameterizedTest
  @ValueSource(strings = {"FO", "FL", "PL", "PLR", "cached"})
  void readsWhatItWrote(String scheme) throws Exception {
    boolean isCached = scheme.equals("cached");
    TestSession session = start(isCached ? "PLR" : scheme);
    byte[] twin = cluster.initial();
    try (StripedFileUpdater updater =
        StripedFileUpdater.open(session, calls, options(isCached ? 400 : 0, 60_000))) {
      assertThat(updater.lengthBytes()).isEqualTo(twin.length);
      for (int i = 0; i < OPERATIONS; i++) {
        int from = random.nextInt(twin.length);
        byte[] bytes = some(Math.min(250, twin.length - from));
        List<CompletableFuture<Void>> writes = new ArrayList<>();
        writes.add(updater.writeAsync(from, ByteBuffer.wrap(bytes)));
        System.arraycopy(bytes, 0, twin, from, bytes.length);
        if (random.nextBoolean()) {
          // The later of two that overlap wins, without anybody waiting for the first.
          byte[] more = some(Math.min(40, twin.length - from));
          writes.add(updater.writeAsync(from, ByteBuffer.wrap(more)));
          System.arraycopy(more, 0, twin, from, more.length);
        }
        for (CompletableFuture<Void> write : writes) {
          write.get(120, TimeUnit.SECONDS);
        }
        int at = random.nextInt(twin.length);
        int length = 1 + random.nextInt(Math.min(300, twin.length - at));
        assertThat(read(updater, at, length)).isEqualTo(Arrays.copyOfRange(twin, at, at + length));
        if (random.nextInt(10) == 0) {
          updater.flush();
          assertThat(updater.cachedBytes()).isZero();
        }
      }
      assertThat(updater.cachedBytes()).isLessThanOrEqualTo(400);
      await().until(() -> updater.stripes() <= 4);
    }
    assertThat(session.end).isPresent();
    assertThat(cluster.content()).isEqualTo(twin);
    cluster.verify();
  }

  /** Notes what it hears. */
  private static final class Heard implements AccessLog {
    private final List<String> lines = Collections.synchronizedList(new ArrayList<>());

    @Override
    public void begun(Access access, long position, int lengthBytes) {
      lines.add(access + " " + position + " " + lengthBytes);
    }

    @Override
    public void close() {
      lines.add("closed");
    }
  }

  /** What a log hears is what was asked for, in the file's own order; not what is refused. */
  @ParameterizedTest
  @ValueSource(longs = {0, 400})
  void aLogHearsWhatIsReadAndWritten(long cacheBytes) throws Exception {
    TestSession session = start("PLR");
    int lengthBytes = cluster.initial().length;
    int half = lengthBytes / 2 / 64 * 64;
    // The two halves, as far as there are whole cells, have changed places.
    ByteOrder exchanged =
        new ByteOrder() {
          @Override
          public long stored(long position) {
            return position < half
                ? position + half
                : position < 2 * half ? position - half : position;
          }

          @Override
          public long run(long position) {
            return (position < half ? half : position < 2 * half ? 2L * half : lengthBytes)
                - position;
          }
        };
    Heard heard = new Heard();
    try (StripedFileUpdater updater =
        StripedFileUpdater.open(session, exchanged, heard, calls, options(cacheBytes, 60_000))) {
      updater.write(10, ByteBuffer.allocate(20));
      updater.write(half - 5, ByteBuffer.allocate(10));
      read(updater, 3, 7);
      assertThat(updater.read(lengthBytes, ByteBuffer.allocate(1))).isEqualTo(-1);
      assertThatThrownBy(() -> updater.write(lengthBytes, ByteBuffer.allocate(1)))
          .isInstanceOf(IOException.class);
      updater.flush();
    }
    assertThat(heard.lines)
        .containsExactly("WRITE 10 20", "WRITE " + (half - 5) + " 10", "READ 3 7", "closed");
  }

  /** Section 3.1 of AJX, over real connections. */
  @Test
  void failureFreeCostsAreThoseOfThePaper() throws Exception {
    start("PLR");
    try (StripedFileUpdater updater =
        StripedFileUpdater.open(
            new TestSession(cluster, new Bounds.Failures(0, 2), 1_000, 120_000),
            calls,
            new UpdaterOptions(
                new UpdaterOptions.Adds(AddMode.PARALLEL, 1, 0), 0, 8, 100, 100, 60_000, 20, 2))) {
      assertThat(messages(() -> read(updater, 10, 20))).isEqualTo(2);
      assertThat(messages(() -> updater.write(10, ByteBuffer.allocate(20)))).isEqualTo(2 * 3);
      // Two cells of one stripe: their sum to each parity once.
      assertThat(messages(() -> updater.write(60, ByteBuffer.allocate(20)))).isEqualTo(2 * 4);
      // A whole stripe.
      assertThat(messages(() -> updater.write(192, ByteBuffer.allocate(192)))).isEqualTo(2 * 5);
      assertThat(cluster.adds()).isEqualTo(3 * 2);
      // Two stripes, a cell each.
      assertThat(messages(() -> updater.write(370, ByteBuffer.allocate(30)))).isEqualTo(4 * 3);
    }
  }

  /** What CASO (hdfs-caso) stores files so for. */
  @Test
  void cellsThatAreFarApartShareTheParityOfTheStripeTheyAreStoredIn() throws Exception {
    start("PLR");
    byte[] twin = cluster.initial();
    int cell = 64;
    // Cells 0, 4 and 7 are stored in the first stripe, and 1 and 2 where those were.
    long[] stored = {0, 4, 7, 3, 1, 5, 6, 2};
    ByteOrder order =
        new ByteOrder() {
          @Override
          public long stored(long position) {
            long at = position / cell;
            return at < stored.length ? stored[(int) at] * cell + position % cell : position;
          }

          @Override
          public long run(long position) {
            return cell - position % cell;
          }
        };
    try (StripedFileUpdater updater =
        StripedFileUpdater.open(
            new TestSession(cluster, new Bounds.Failures(0, 2), 1_000, 10_000),
            order,
            calls,
            new UpdaterOptions(
                new UpdaterOptions.Adds(AddMode.PARALLEL, 1, 0),
                4000,
                8,
                100,
                100,
                60_000,
                20,
                2))) {
      long before = cluster.adds();
      for (int at : new int[] {0, 4, 7}) {
        updater.write((long) at * cell + 3, ByteBuffer.wrap(new byte[] {1, 2, 3}));
        System.arraycopy(new byte[] {1, 2, 3}, 0, twin, (int) stored[at] * cell + 3, 3);
      }
      updater.flush();
      assertThat(cluster.adds() - before).isEqualTo(2);
      byte[] most = read(updater, 0, stored.length * cell);
      for (int at = 0; at < stored.length; at++) {
        int from = (int) stored[at] * cell;
        assertThat(Arrays.copyOfRange(most, at * cell, (at + 1) * cell))
            .isEqualTo(Arrays.copyOfRange(twin, from, from + cell));
      }
    }
    assertThat(cluster.content()).isEqualTo(twin);
    cluster.verify();
  }

  /** Something that sends messages. */
  @FunctionalInterface
  private interface Action {
    void run() throws IOException;
  }

  private long messages(Action action) throws IOException {
    long before = calls.sentMessages() + calls.receivedMessages();
    action.run();
    return calls.sentMessages() + calls.receivedMessages() - before;
  }

  /** One crashed client is to be survived: cells of a stripe are written one after the other. */
  @Test
  void aBoundThatHasNoRoomForCellsTogetherIsKept() throws Exception {
    TestSession session = start("FO");
    try (StripedFileUpdater updater = StripedFileUpdater.open(session, calls, options(0, 60_000))) {
      updater.write(60, ByteBuffer.allocate(20));
      assertThat(cluster.adds()).isEqualTo(2 * 2);
    }
  }

  @Test
  void aModeBelowWhatIsDemandedIsRefused() throws Exception {
    start("FO");
    TestSession session = new TestSession(cluster, new Bounds.Failures(2, 2), 1_000, 10_000);
    assertThatThrownBy(() -> StripedFileUpdater.open(session, calls, options(0, 1_000)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("demanded=2c2s");
    assertThatThrownBy(
            () -> StripedFileUpdater.open(new TestSession(cluster), calls, options(191, 1_000)))
        .hasMessageContaining("cacheBytes=191");
  }

  @Test
  void theFileDoesNotGrow() throws Exception {
    TestSession session = start("FO");
    try (StripedFileUpdater updater = StripedFileUpdater.open(session, calls, options(0, 60_000))) {
      long end = updater.lengthBytes();
      assertThatThrownBy(() -> updater.write(end - 1, ByteBuffer.allocate(2)))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("length=" + end);
      assertThatThrownBy(() -> updater.write(-1, ByteBuffer.allocate(2)))
          .hasMessageContaining("position=-1");
      assertThat(updater.read(end, ByteBuffer.allocate(2))).isEqualTo(-1);
      assertThat(updater.read(end - 1, ByteBuffer.allocate(2))).isEqualTo(1);
      updater.write(end, ByteBuffer.allocate(0));
    }
    assertThat(session.end).isEmpty();
    assertThat(cluster.content()).isEqualTo(cluster.initial());
  }

  @Test
  void aFlushThatFailsIsReportedAndKeepsTheBytes() throws Exception {
    TestSession session = start("PLR");
    byte[] twin = cluster.initial();
    try (StripedFileUpdater updater =
        StripedFileUpdater.open(session, calls, options(1_000, 5_000))) {
      cluster.kill(1);
      byte[] bytes = new byte[200];
      random.nextBytes(bytes);
      updater.write(50, ByteBuffer.wrap(bytes));
      System.arraycopy(bytes, 0, twin, 50, bytes.length);
      assertThatThrownBy(updater::flush)
          .isInstanceOf(IOException.class)
          .hasMessageContaining("stripes=1")
          .hasMessageContaining("kept")
          .rootCause()
          .hasMessageContaining("last trouble=");
      // The second stripe does not need the node that is down; the first one keeps its bytes.
      assertThat(updater.cachedBytes()).isEqualTo(192 - 50);
      cluster.restart(1);
      await()
          .ignoreExceptions()
          .until(
              () -> {
                updater.flush();
                return true;
              });
      assertThat(updater.cachedBytes()).isZero();
    }
    assertThat(cluster.content()).isEqualTo(twin);
    cluster.verify();
  }

  @Test
  void aWriteThatFailedIsReportedByTheNextFlush() throws Exception {
    TestSession session = start("FO");
    try (StripedFileUpdater updater = StripedFileUpdater.open(session, calls, options(0, 300))) {
      cluster.kill(0);
      CompletableFuture<Void> write = updater.writeAsync(0, ByteBuffer.allocate(10));
      assertThatThrownBy(updater::flush).hasMessageContaining("writes that failed=1");
      assertThat(write).isCompletedExceptionally();
      updater.flush();
      cluster.restart(0);
    }
  }

  @Test
  void aSessionThatIsLostIsNotUsed() throws Exception {
    cluster = new FileCluster("FO", random);
    TestSession session = new TestSession(cluster, new Bounds.Failures(1, 1), 20, 8_000);
    try (StripedFileUpdater updater = StripedFileUpdater.open(session, calls, options(0, 60_000))) {
      updater.write(0, ByteBuffer.allocate(1));
      await().until(() -> session.renewals.get() > 15);
      updater.write(0, ByteBuffer.allocate(1));
      session.isLost = true;
      await()
          .untilAsserted(
              () ->
                  assertThatThrownBy(() -> updater.write(0, ByteBuffer.allocate(1)))
                      .hasMessageContaining("open a new session"));
      session.isLost = false;
      await().ignoreExceptions().until(() -> updater.read(0, ByteBuffer.allocate(1)) == 1);
    }
  }

  @Test
  void aBlockThatIsLostIsRecoveredWhenAsked() throws Exception {
    TestSession session = start("PLR");
    byte[] twin = cluster.initial();
    try (StripedFileUpdater updater = StripedFileUpdater.open(session, calls, options(0, 60_000))) {
      for (int at = 0; at < twin.length; at += 100) {
        byte[] bytes = some(Math.min(100, twin.length - at));
        updater.write(at, ByteBuffer.wrap(bytes));
        System.arraycopy(bytes, 0, twin, at, bytes.length);
      }
      cluster.kill(2);
      cluster.restartEmpty(2, random);
      updater.recover(0, twin.length, 1);
      assertThat(read(updater, 0, twin.length)).isEqualTo(twin);
    }
    assertThat(cluster.content()).isEqualTo(twin);
    cluster.verify();
  }

  /** Located where nobody listens any more, then nowhere, then at another port. */
  @Test
  void aUnitThatIsServedElsewhereAfterNobodyServedItIsUsedThere() throws Exception {
    int moved = 1;
    int closedPort;
    try (ServerSocket socket = new ServerSocket(0)) {
      closedPort = socket.getLocalPort();
    }
    AtomicInteger looks = new AtomicInteger();
    AtomicBoolean isBack = new AtomicBoolean();
    cluster = new FileCluster("FO", random);
    TestSession session =
        new TestSession(cluster) {
          @Override
          public Located locate(int group) {
            Located now = super.locate(group);
            Map<Integer, UnitLocation> units = new HashMap<>(now.units());
            if (looks.getAndIncrement() == 0) {
              Endpoint there = units.get(moved).node();
              Endpoint before =
                  new Endpoint(there.host(), closedPort, there.blockPool(), there.grant());
              units.put(moved, new UnitLocation(units.get(moved).replica(), before));
            } else if (!isBack.get()) {
              units.remove(moved);
            }
            return new Located(now.id(), units);
          }
        };
    byte[] twin = cluster.initial();
    try (StripedFileUpdater updater = StripedFileUpdater.open(session, calls, options(0, 60_000))) {
      CompletableFuture<Void> written =
          updater.writeAsync(moved * cluster.layout().cellBytes(), ByteBuffer.wrap(new byte[] {7}));
      twin[moved * cluster.layout().cellBytes()] = 7;
      await().until(() -> looks.get() > 3);
      assertThat(written).isNotDone();
      isBack.set(true);
      written.get(20, TimeUnit.SECONDS);
      assertThat(read(updater, 0, twin.length)).isEqualTo(twin);
    }
    cluster.verify();
  }

  /** A node is lost for a while, and a healing goes on for as long as it is let. */
  private static class LongHealed extends TestSession {
    final AtomicBoolean isLacking = new AtomicBoolean();
    final CountDownLatch begun = new CountDownLatch(1);
    final List<String> events = new CopyOnWriteArrayList<>();
    private final long healMs;
    private final Callable<Void> then;

    LongHealed(FileCluster cluster, long healMs, Callable<Void> then) {
      super(cluster);
      this.healMs = healMs;
      this.then = then;
    }

    @Override
    public Located locate(int group) {
      Located now = super.locate(group);
      Map<Integer, UnitLocation> units = new HashMap<>(now.units());
      if (isLacking.get()) {
        units.remove(1);
      }
      if (!events.isEmpty() && !events.contains("located")) {
        events.add("located"); // what became of it is known before the session ends
      }
      return new Located(now.id(), units);
    }

    @Override
    public boolean heal(int group, Healer healer) throws IOException {
      begun.countDown();
      long beganNanos = System.nanoTime();
      try (Closeable giving = healer.yielding()) {
        while (TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beganNanos) < healMs) {
          healer.requireWanted();
          Thread.sleep(10); // reads a piece
        }
        then.call();
      } catch (IOException e) {
        events.add("given up");
        throw e;
      } catch (Exception e) {
        throw new IOException(e);
      }
      events.add("healed");
      return false;
    }

    @Override
    public void end(OptionalLong lastWriteMs) {
      events.add("end");
    }
  }

  @Test
  void aHealingThatNobodyWaitsForAnyMoreEndsBeforeTheSession() throws Exception {
    cluster = new FileCluster("FO", random);
    LongHealed session = new LongHealed(cluster, /* healMs= */ 600_000, () -> null);
    try (StripedFileUpdater updater = StripedFileUpdater.open(session, calls, options(0, 60_000))) {
      updater.write(0, ByteBuffer.allocate(1));
      session.isLacking.set(true);
      cluster.kill(1);
      CompletableFuture<Void> written =
          updater.writeAsync(cluster.layout().cellBytes(), ByteBuffer.allocate(1));
      session.begun.await();
      session.isLacking.set(false);
      cluster.restart(1);
      written.get();
    }
    assertThat(session.events).containsExactly("given up", "located", "end");
    cluster.verify();
  }

  @Test
  void aHealingIsWaitedForByWhatWaitsForIt() throws Exception {
    int operationMs = 1_000;
    cluster = new FileCluster("FO", random);
    List<LongHealed> healed = new ArrayList<>();
    LongHealed session =
        new LongHealed(
            cluster,
            4 * operationMs,
            () -> {
              healed.get(0).isLacking.set(false);
              cluster.restart(1);
              return null;
            });
    healed.add(session);
    byte[] twin = cluster.initial();
    StripedFileUpdater updater = StripedFileUpdater.open(session, calls, options(0, operationMs));
    updater.write(0, ByteBuffer.wrap(twin, 0, 1));
    session.isLacking.set(true);
    cluster.kill(1);
    int at = cluster.layout().cellBytes();
    twin[at] ^= 3;
    CompletableFuture<Void> given = updater.writeAsync(at, ByteBuffer.wrap(twin, at, 1));
    session.begun.await();
    assertThatThrownBy(given::get).hasMessageContaining("it is not known what was done");
    assertThatThrownBy(updater::close).hasMessageContaining("writes that failed=1");
    assertThat(session.events).containsExactly("healed", "located", "end");
    assertThat(cluster.content()).isEqualTo(twin);
    cluster.verify();
  }

  /** Whoever multiplies and places: the client, or in a broadcast the nodes. */
  @ParameterizedTest
  @EnumSource(AddMode.class)
  void whereRowsMoveAllWaysToAddAreRight(AddMode mode) throws Exception {
    cluster = FileCluster.ofMovedRows("PLR", random);
    TestSession session = new TestSession(cluster, new Bounds.Failures(0, 1), 1_000, 10_000);
    byte[] twin = cluster.initial();
    try (StripedFileUpdater updater =
        StripedFileUpdater.open(
            session,
            calls,
            new UpdaterOptions(new UpdaterOptions.Adds(mode, 2, 0), 0, 8, 4, 5, 60_000, 20, 2))) {
      for (int i = 0; i < OPERATIONS / 3; i++) {
        int from = random.nextInt(twin.length);
        byte[] bytes = some(Math.min(250, twin.length - from));
        updater.write(from, ByteBuffer.wrap(bytes));
        System.arraycopy(bytes, 0, twin, from, bytes.length);
      }
      assertThat(read(updater, 0, twin.length)).isEqualTo(twin);
      assertThat(verify(updater, 5_000)).isEmpty();
      cluster.damage(0, 2, 70);
      assertThat(verify(updater, 5_000))
          .extracting(StripeFinding::detail)
          .singleElement()
          .asString()
          .contains("without unit 2");
      cluster.damage(0, 2, 70);
      cluster.kill(1);
      cluster.restartEmpty(1, random);
      updater.recover(0, twin.length, 1);
    }
    assertThat(cluster.content()).isEqualTo(twin);
    cluster.verify();
  }

  private static List<StripeFinding> verify(StripedFileUpdater updater, long waitMs)
      throws IOException {
    List<StripeFinding> findings = new ArrayList<>();
    List<Long> progress = new ArrayList<>();
    assertThat(updater.verify(waitMs, findings::add, progress::add)).isEqualTo(3 + 3 + 1);
    assertThat(progress).containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L);
    return findings;
  }

  @Test
  void whatIsRightIsFoundRightWhileItIsWritten() throws Exception {
    TestSession session = start("PLR");
    byte[] twin = cluster.initial();
    try (StripedFileUpdater updater = StripedFileUpdater.open(session, calls, options(0, 60_000));
        StripedFileUpdater other =
            StripedFileUpdater.open(new TestSession(cluster), calls, options(0, 60_000))) {
      assertThat(verify(other, 5_000)).isEmpty();
      List<CompletableFuture<Void>> writes = new ArrayList<>();
      for (int i = 0; i < OPERATIONS; i++) {
        int from = random.nextInt(twin.length - 100);
        writes.add(updater.writeAsync(from, ByteBuffer.wrap(some(100))));
        if (i % 10 == 0) {
          assertThat(verify(other, 20_000)).isEmpty();
        }
      }
      updater.flush();
      assertThat(verify(other, 5_000)).isEmpty();
    }
  }

  /** A unit whose bytes are not those that the protocol has brought it. */
  @Test
  void aUnitThatDoesNotFitIsFoundAndNamed() throws Exception {
    TestSession session = start("FO");
    try (StripedFileUpdater updater = StripedFileUpdater.open(session, calls, options(0, 60_000))) {
      updater.write(0, ByteBuffer.wrap(some(100)));
      cluster.damage(0, 2, 70);
      cluster.damage(1, 4, 0);
      List<StripeFinding> findings = verify(updater, 5_000);
      assertThat(findings)
          .extracting(StripeFinding::kind)
          .containsOnly(StripeFinding.Kind.MISMATCH);
      assertThat(findings).extracting(StripeFinding::offsetBytes).containsExactly(192L, 576L);
      assertThat(findings.get(0).units()).containsExactly(3, 4);
      assertThat(findings.get(0).detail()).contains("without unit 2");
      assertThat(findings.get(1).units()).containsExactly(4);
      assertThat(findings.get(1).detail()).contains("without unit 4");
    }
  }

  @Test
  void aNodeThatIsAwayMakesItsStripesUnreadable() throws Exception {
    TestSession session = start("PL");
    try (StripedFileUpdater updater = StripedFileUpdater.open(session, calls, options(0, 60_000))) {
      cluster.kill(0);
      List<StripeFinding> findings = verify(updater, 200);
      assertThat(findings)
          .isNotEmpty()
          .extracting(StripeFinding::kind)
          .containsOnly(StripeFinding.Kind.UNREADABLE);
      cluster.restart(0);
      assertThat(verify(updater, 20_000)).isEmpty();
    }
  }

  /** One that has reached the data, and not the parity. */
  @Test
  void aWriteThatAClientDidNotEndIsToldFromDamage() throws Exception {
    start("PLR");
    Bytes bytes = Bytes.wrap(some(10));
    cluster.swapOnly(0, 1, 0, new Patch(3, bytes), new Tid(77L << 32, 1, 1));
    try (StripedFileUpdater updater =
        StripedFileUpdater.open(new TestSession(cluster), calls, options(0, 60_000))) {
      assertThat(verify(updater, 5_000))
          .singleElement()
          .satisfies(
              finding -> {
                assertThat(finding.kind()).isEqualTo(StripeFinding.Kind.UNFINISHED);
                assertThat(finding.detail()).contains("1 writes", "-recover");
              });
      updater.recover(0, updater.lengthBytes(), 1);
      assertThat(verify(updater, 5_000)).isEmpty();
    }
    cluster.verify();
  }
}

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.datanode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.core.check.Clock;
import io.hdfsparity.core.check.ManualClock;
import io.hdfsparity.raidp.recovery.UndecodableException;
import io.hdfsparity.raidp.wire.NotLostException;
import io.hdfsparity.raidp.wire.message.ExpectedBlock;
import io.hdfsparity.raidp.wire.message.LostBlock;
import io.hdfsparity.raidp.wire.message.LstorSource;
import io.hdfsparity.raidp.wire.message.RangeRequest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.security.token.SecretManager.InvalidToken;
import org.apache.hadoop.security.token.Token;
import org.junit.jupiter.api.Test;

/** Who is refused before anything is read, and how many are served at a time. */
class RangeServiceTest {
  private static final LstorSource LSTOR =
      new LstorSource("d1", "host1", 9, OptionalInt.empty(), List.of());

  private final RangeCounters counters = new RangeCounters();
  private final List<Long> decoded = new ArrayList<>();
  private RangeService.Access access = request -> Optional.empty();
  private LostBlock lost =
      new LostBlock(
          Optional.of(new ExpectedBlock(7, 11, true, OptionalLong.of(100))),
          List.of(LSTOR),
          List.of());
  private RangeService.Ranges ranges =
      (block, sources, offset, length) -> {
        decoded.add(offset);
        return Optional.of(new byte[length]);
      };

  private final ManualClock clock = new ManualClock();
  private int asked;
  private final RangeService service =
      new RangeService(
          "pool",
          request -> access.check(request),
          blockId -> {
            asked++;
            return lost;
          },
          (block, sources, at, length) -> ranges.read(block, sources, at, length),
          counters,
          clock);

  private byte[] read(String pool, long stamp, long offset, int count) throws IOException {
    return service.readRange(request(pool, stamp, offset, count));
  }

  private static RangeRequest request(String pool, long stamp, long offset, int count) {
    return new RangeRequest(new ExtendedBlock(pool, 7, 0, stamp), new Token<>(), offset, count);
  }

  @Test
  void aRangeIsCounted() throws Exception {
    assertThat(read("pool", 11, 5, 20)).hasSize(20);
    assertThat(counters.decoded().sum()).isEqualTo(1);
    assertThat(counters.bytes().sum()).isEqualTo(20);
  }

  @Test
  void hostileRequestsReadNothing() {
    for (int count : new int[] {0, -1, Integer.MIN_VALUE, RangeRequest.MAX_BYTES + 1}) {
      assertThatThrownBy(() -> read("pool", 11, 0, count)).hasMessageContaining("count=" + count);
    }
    assertThatThrownBy(() -> read("pool", 11, -1, 1)).hasMessageContaining("offset=-1");
    assertThatThrownBy(() -> read("other", 11, 0, 1)).hasMessageContaining("expected pool");
    assertThat(counters.refused().sum()).isEqualTo(6);
    access =
        request -> {
          throw new InvalidToken("no");
        };
    assertThatThrownBy(() -> read("pool", 11, 0, 1)).isInstanceOf(InvalidToken.class);
    assertThat(counters.refused().sum()).isEqualTo(7);
    assertThat(decoded).isEmpty();
  }

  @Test
  void onlyTheCompleteBlockThatTheNameNodeHas() {
    assertThatThrownBy(() -> read("pool", 10, 0, 1)).hasMessageContaining("locate the block again");
    lost =
        new LostBlock(
            Optional.of(new ExpectedBlock(7, 11, false, OptionalLong.empty())),
            List.of(LSTOR),
            List.of());
    assertThatThrownBy(() -> read("pool", 11, 0, 1)).hasMessageContaining("being written");
    lost = new LostBlock(Optional.empty(), List.of(), List.of());
    assertThatThrownBy(() -> read("pool", 11, 0, 1)).isInstanceOf(NotLostException.class);
    assertThat(decoded).isEmpty();
    assertThat(counters.failed().sum()).isEqualTo(3);
  }

  @Test
  void whatNoLstorHasIsNotLost() {
    ranges = (block, sources, offset, length) -> Optional.empty();
    assertThatThrownBy(() -> read("pool", 11, 0, 1)).isInstanceOf(NotLostException.class);
  }

  /** Whoever may read a healthy block could keep the NameNode and all permits busy by it. */
  @Test
  void aBlockThatIsNotLostIsAskedForOnceInAWhile() throws Exception {
    LostBlock whole = new LostBlock(lost.expected(), List.of(), List.of());
    LostBlock gone = lost;
    lost = whole;
    for (int i = 0; i < 100; i++) {
      assertThatThrownBy(() -> read("pool", 11, 0, 1)).isInstanceOf(NotLostException.class);
      assertThatThrownBy(() -> read("pool", 9, 0, 1))
          .hasMessageContaining("locate the block again");
    }
    assertThat(asked).isEqualTo(1);
    assertThat(decoded).isEmpty();
    assertThat(counters.failed().sum()).isEqualTo(200);
    // Both disks of it have failed.
    lost = gone;
    clock.advance(RangeService.ANSWER_LIFE_MS);
    assertThat(read("pool", 11, 0, 1)).hasSize(1);
    assertThat(asked).isEqualTo(2);
  }

  @Test
  void aBlockThatTheNameNodeDoesNotHaveIsAskedForOnceInAWhile() throws Exception {
    LostBlock known = lost;
    lost = new LostBlock(Optional.empty(), List.of(), List.of());
    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(() -> read("pool", 11, 0, 1))
          .isInstanceOf(NotLostException.class)
          .hasMessageContaining("block=unknown");
    }
    assertThat(asked).isEqualTo(1);
    lost = known;
    clock.advance(RangeService.ANSWER_LIFE_MS);
    assertThat(read("pool", 11, 0, 1)).hasSize(1);
  }

  @Test
  void aBlockThatNoLstorHasIsAskedForAgain() {
    ranges = (block, sources, offset, length) -> Optional.empty();
    for (int i = 1; i <= 3; i++) {
      assertThatThrownBy(() -> read("pool", 11, 0, 1)).isInstanceOf(NotLostException.class);
      assertThat(asked).isEqualTo(i);
    }
  }

  @Test
  void theManagerIsAskedOnceForRangesThatFollowEachOther() throws Exception {
    for (int i = 0; i < 128; i++) {
      assertThat(read("pool", 11, i, 1)).hasSize(1);
    }
    assertThat(asked).isEqualTo(1);
    clock.advance(RangeService.ANSWER_LIFE_MS);
    read("pool", 11, 0, 1);
    assertThat(asked).isEqualTo(2);
  }

  @Test
  void anAnswerThatDoesNotHelpIsAskedForAgain() throws Exception {
    read("pool", 11, 0, 1);
    List<LostBlock> used = new ArrayList<>();
    RangeService.Ranges good = ranges;
    ranges =
        (block, sources, offset, length) -> {
          used.add(lost);
          if (used.size() == 1) {
            throw new UndecodableException("a mirror has moved");
          }
          return good.read(block, sources, offset, length);
        };
    assertThat(read("pool", 11, 1, 1)).hasSize(1);
    assertThat(used).hasSize(2);
    assertThat(asked).isEqualTo(2);
    // As the NameNode has it by now.
    lost =
        new LostBlock(
            Optional.of(new ExpectedBlock(7, 12, true, OptionalLong.of(200))),
            List.of(LSTOR),
            List.of());
    assertThat(read("pool", 12, 1, 1)).hasSize(1);
    assertThat(asked).isEqualTo(3);
  }

  @Test
  void whatFailsIsNotKept() {
    ranges =
        (block, sources, offset, length) -> {
          throw new UndecodableException("no mirror");
        };
    for (int i = 1; i <= 3; i++) {
      assertThatThrownBy(() -> read("pool", 11, 0, 1)).hasMessage("no mirror");
      assertThat(asked).isEqualTo(i);
    }
  }

  /** Its only row may be in an Lstor that nobody serves. */
  @Test
  void lstorsThatNobodyCanReadAreNamed() {
    lost =
        new LostBlock(
            Optional.of(new ExpectedBlock(7, 11, true, OptionalLong.of(100))),
            List.of(),
            List.of("Lstor of disk d1 of DataNode host1 (why)"));
    ranges = (block, sources, offset, length) -> Optional.empty();
    assertThatThrownBy(() -> read("pool", 11, 0, 1))
        .isInstanceOf(UndecodableException.class)
        .hasMessageContaining("nobody can read Lstor of disk d1 of DataNode host1 (why)")
        .hasMessageContaining("hdfs --daemon start lstor");
    ranges =
        (block, sources, offset, length) -> {
          throw new UndecodableException("do not tell apart");
        };
    assertThatThrownBy(() -> read("pool", 11, 0, 1))
        .hasMessageContaining("do not tell apart")
        .hasMessageContaining("Lstor of disk d1 of DataNode host1 (why)");
  }

  @Test
  void tooManyAtATimeAreTurnedAway() throws Exception {
    CountDownLatch started = new CountDownLatch(RangeService.MAX_DECODES);
    CountDownLatch end = new CountDownLatch(1);
    RangeService service =
        new RangeService(
            "pool",
            access,
            blockId -> lost,
            (block, sources, offset, length) -> {
              started.countDown();
              await(end);
              return Optional.of(new byte[length]);
            },
            counters,
            Clock.system());
    List<CompletableFuture<Integer>> running = new ArrayList<>();
    for (int i = 0; i < RangeService.MAX_DECODES; i++) {
      running.add(readInThread(service, 0));
    }
    started.await();
    assertThatThrownBy(() -> service.readRange(request("pool", 11, 0, 3)))
        .isInstanceOf(RetriableException.class)
        .hasMessageContaining("ask again, or another");
    end.countDown();
    for (CompletableFuture<Integer> each : running) {
      assertThat(each.get()).isEqualTo(3);
    }
    assertThat(service.readRange(request("pool", 11, 0, 3))).hasSize(3);
    assertThat(counters.busy().sum()).isEqualTo(1);
  }

  /** Else whoever reads blocks of his own denies all others theirs. */
  @Test
  void oneUserHoldsHalfOfThePermits() throws Exception {
    Map<Long, String> users = Map.of(0L, "mallory", 1L, "mallory", 2L, "mallory", 3L, "alice");
    access = request -> Optional.of(users.get(request.offset()));
    CountDownLatch started = new CountDownLatch(2);
    CountDownLatch end = new CountDownLatch(1);
    ranges =
        (block, sources, offset, length) -> {
          if (offset < 2) {
            started.countDown();
            await(end);
          }
          return Optional.of(new byte[length]);
        };
    List<CompletableFuture<Integer>> running =
        Stream.of(0L, 1L).map(offset -> readInThread(service, offset)).toList();
    started.await();
    assertThatThrownBy(() -> read("pool", 11, 2, 3))
        .isInstanceOf(RetriableException.class)
        .hasMessageContaining("at most 2 of one user");
    assertThat(read("pool", 11, 3, 3)).hasSize(3);
    end.countDown();
    for (CompletableFuture<Integer> each : running) {
      assertThat(each.get()).isEqualTo(3);
    }
    assertThat(read("pool", 11, 2, 3)).hasSize(3);
  }

  private static void await(CountDownLatch latch) throws IOException {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  private static CompletableFuture<Integer> readInThread(RangeService service, long offset) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return service.readRange(request("pool", 11, offset, 3)).length;
          } catch (IOException e) {
            throw new AssertionError(e);
          }
        },
        task -> new Thread(task).start());
  }
}

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.updater;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.ecupdate.ajx.LockId;
import io.hdfsparity.ecupdate.ajx.LockMode;
import io.hdfsparity.ecupdate.ajx.Request;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Which drivers are kept, and what counts as unfinished, while a group is written anew. */
class StripeDriversTest {
  private final SteppedFile file = new SteppedFile();
  private final GroupLocations nodes = file.locations(new SteppedFile.NoUsers());
  private final StripeDrivers drivers =
      new StripeDrivers(
          file, SteppedFile.OPTIONS, SteppedFile.AJX, nodes, file.timers, Long.MAX_VALUE);

  @AfterEach
  void stop() {
    file.timers.shutdownNow();
  }

  private void failAWrite() throws IOException {
    CompletableFuture<?> write =
        drivers.with(SteppedFile.STRIPE, driver -> driver.write(SteppedFile.patches(1)));
    file.take().get(0).listener().failed("no such thing");
    assertThat(write).isCompletedExceptionally();
  }

  private void replaceGroup() {
    file.replaceGroup();
    nodes.look(0);
    assertThat(nodes.version(0)).isEqualTo(1);
  }

  @Test
  void whatFailedInAnEarlierVersionIsNotUnfinished() throws Exception {
    failAWrite();
    replaceGroup();
    drivers.restart(0, 1);
    assertThat(drivers.size()).isZero();
    assertThat(drivers.seal()).isEmpty();
  }

  @Test
  void whatFailedInTheNewVersionIs() throws Exception {
    failAWrite();
    replaceGroup();
    failAWrite();
    drivers.restart(0, 1);
    assertThat(drivers.seal()).containsExactly(0);
  }

  /** Its place has been taken by another that has ended all that it was asked. */
  @Test
  void whatFailedInTheNewVersionIsWhoeverCameAfterIt() throws Exception {
    replaceAndFail();
    CompletableFuture<?> write =
        drivers.with(SteppedFile.STRIPE, driver -> driver.write(SteppedFile.patches(2)));
    drivers.restart(0, 1);
    file.deliverAll();
    assertThat(write).isCompleted();
    CompletableFuture<?> collection = drivers.finish();
    file.deliverAll();
    assertThat(collection).isCompleted();
    assertThat(drivers.seal()).containsExactly(0);
  }

  private void replaceAndFail() throws IOException {
    nodes.require(0);
    replaceGroup();
    failAWrite();
  }

  @Test
  void whoRecoversIsKeptAndToldToGiveWay() throws Exception {
    LockId gone = new LockId(7, 0);
    file.node(1, 3).handle(new Request.TryLock(LockMode.L1, gone));
    file.node(1, 3).expireLock(gone);
    CompletableFuture<Boolean> probe = drivers.with(SteppedFile.STRIPE, StripeDriver::probe);
    file.take().forEach(file::deliver);
    assertThat(probe).isCompletedWithValue(false);
    List<SteppedFile.Sent> locking = file.take();
    assertThat(locking).hasSize(1);

    CompletableFuture<Boolean> other = drivers.with(new StripeKey(0, 1), StripeDriver::probe);
    file.deliverAll();
    assertThat(other).isCompletedWithValue(true);
    assertThat(drivers.size()).isEqualTo(2);

    drivers.yieldNow(0);
    file.deliver(locking.get(0));
    file.deliverAll();
    assertThat(file.node(1, 0).lockMode()).isEqualTo(LockMode.UNL);
    assertThat(drivers.size()).isEqualTo(1);
    assertThat(drivers.seal()).isEmpty();
  }

  /** As those of {@link StripeOperations} are made; both nodes of data have answered. */
  private void write(StripeDrivers by, int stripe, int value) throws IOException {
    StripeKey key = new StripeKey(0, stripe);
    CompletableFuture<?> write = by.with(key, driver -> driver.write(SteppedFile.patches(value)));
    deliverSent();
    assertThat(write).isCompleted();
    by.written(key, SteppedFile.patches(value));
  }

  /** Time stands still. */
  private void deliverSent() {
    for (List<SteppedFile.Sent> calls = file.take(); !calls.isEmpty(); calls = file.take()) {
      calls.forEach(file::deliver);
    }
  }

  private void passTime() {
    file.timers.runLater();
    deliverSent();
  }

  private StripeDrivers keepingAtMost(long bytes) {
    UpdaterOptions options =
        new UpdaterOptions(SteppedFile.OPTIONS.adds(), 0, 8, /* maxStripes= */ 100, 100, 100, 1, 1);
    return new StripeDrivers(file, options, SteppedFile.AJX, nodes, file.timers, bytes);
  }

  private int receipts(int stripe) {
    return file.node(1, stripe, 0).durable().receipts().size();
  }

  /**
   * A node keeps what a write has replaced until it is collected. A device that is written from its
   * begin to its end would fill its memory with a cell for each stripe.
   */
  @Test
  void nodesKeepNoMoreReplacedBytesThanTheLimit() throws Exception {
    StripeDrivers bounded = keepingAtMost(1);
    write(bounded, 0, 1);
    deliverSent();
    assertThat(receipts(0)).isOne();
    write(bounded, 1, 1);
    deliverSent();
    assertThat(List.of(receipts(0), receipts(1))).containsExactly(0, 1);
    write(bounded, 0, 2);
    deliverSent();
    assertThat(List.of(receipts(0), receipts(1))).containsExactly(1, 0);
  }

  /** Of one block a node keeps what the last write has replaced, so that is all there is. */
  @Test
  void writesOfOneBlockCountOnce() throws Exception {
    StripeDrivers bounded = keepingAtMost(1);
    write(bounded, 0, 1);
    write(bounded, 0, 2);
    write(bounded, 0, 3);
    assertThat(file.take()).isEmpty();
    assertThat(receipts(0)).isOne();
  }

  /** What is being collected may have been so before the last write. */
  @Test
  void aWriteDuringACollectionIsCollectedAfterIt() throws Exception {
    StripeDrivers bounded = keepingAtMost(0);
    write(bounded, 0, 1);
    List<SteppedFile.Sent> collecting = file.take();
    assertThat(collecting).hasSize(SteppedFile.UNITS);
    write(bounded, 0, 2);
    assertThat(receipts(0)).isOne();
    collecting.forEach(file::deliver);
    deliverSent();
    assertThat(receipts(0)).isZero();
  }

  /**
   * A session of a device that nobody uses would take its nodes' memory for as long as it lives.
   */
  @Test
  void nothingIsKeptOfAStripeThatIsNotWrittenAnyMore() throws Exception {
    StripeDrivers bounded = keepingAtMost(100);
    write(bounded, 0, 1);
    write(bounded, 1, 1);
    passTime();
    write(bounded, 1, 2);
    assertThat(List.of(receipts(0), receipts(1))).containsExactly(1, 1);
    passTime();
    assertThat(List.of(receipts(0), receipts(1))).containsExactly(0, 1);
    passTime();
    assertThat(List.of(receipts(0), receipts(1))).containsExactly(0, 0);
  }

  /** One round leaves the writes in the old lists, and the next one would be the next write's. */
  @Test
  void nodesRecallNothingOfAStripeThatIsNotWrittenAnyMore() throws Exception {
    StripeDrivers bounded = keepingAtMost(100);
    write(bounded, 0, 1);
    passTime();
    passTime();
    for (int unit = 0; unit < SteppedFile.UNITS; unit++) {
      assertThat(file.node(1, 0, unit).durable().isQuiescent()).as("unit %d", unit).isTrue();
    }
  }

  /** As a node answers that has no room for what the write replaces. */
  @Test
  void whenASwapIsLostWhatNodesKeepIsCollected() throws Exception {
    StripeDrivers bounded = keepingAtMost(Long.MAX_VALUE);
    write(bounded, 0, 1);
    assertThat(receipts(0)).isOne();
    StripeKey other = new StripeKey(0, 1);
    CompletableFuture<?> write =
        bounded.with(other, driver -> driver.write(SteppedFile.patches(2)));
    file.take().forEach(swap -> swap.listener().lost("no room"));
    deliverSent();
    assertThat(receipts(0)).as("while time stands still").isZero();
    file.deliverAll();
    assertThat(write).as("it was sent again").isCompleted();
  }

  /** Cells of two writes that have not ended may wait for each other's room, on two nodes. */
  @Test
  void whenASwapIsLostCellsOfWritesThatHaveNotEndedAreCollectedToo() throws Exception {
    StripeDrivers bounded = keepingAtMost(Long.MAX_VALUE);
    StripeKey first = new StripeKey(0, 0);
    bounded.with(first, driver -> driver.write(SteppedFile.patches(1)));
    deliverSent();
    assertThat(receipts(0)).as("of a cell, and nobody said that its write has ended").isOne();
    StripeKey other = new StripeKey(0, 1);
    CompletableFuture<?> write =
        bounded.with(other, driver -> driver.write(SteppedFile.patches(2)));
    file.take().forEach(swap -> swap.listener().lost("no room"));
    deliverSent();
    assertThat(receipts(0)).isZero();
    file.deliverAll();
    assertThat(write).isCompleted();
  }
}

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.updater;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.ecupdate.ajx.Bytes;
import io.hdfsparity.ecupdate.ajx.LockId;
import io.hdfsparity.ecupdate.ajx.LockMode;
import io.hdfsparity.ecupdate.ajx.Request;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Orders of events in one stripe while its group is written anew. */
class StripeDriverTest {
  private final SteppedFile file = new SteppedFile();
  private final GroupLocations nodes = file.locations(new SteppedFile.NoUsers());

  @AfterEach
  void stop() {
    file.timers.shutdownNow();
  }

  private StripeDriver driver() throws Exception {
    nodes.require(0);
    return new StripeDriver(
        SteppedFile.STRIPE,
        0,
        SteppedFile.client(1),
        nodes,
        file.timers,
        /* maxBackOffMs= */ 1,
        () -> {});
  }

  /** Its thread is held up, by what it sends, between what was said and who is notified. */
  @Test
  void whatHasEndedIsNotBegunAnewBeforeItIsTold() throws Exception {
    LockId gone = new LockId(7, 0);
    file.node(1, 3).handle(new Request.TryLock(LockMode.L1, gone));
    file.node(1, 3).expireLock(gone);
    StripeDriver driver = driver();
    CompletableFuture<Boolean> probe = driver.probe();
    List<SteppedFile.Sent> probes = file.take();
    assertThat(probes).hasSize(SteppedFile.UNITS);
    probes.subList(0, 3).forEach(file::deliver);
    file.whenSent(
        first -> {
          assertThat(first.request()).isInstanceOf(Request.TryLock.class);
          file.replaceGroup();
          nodes.look(0);
          assertThat(nodes.version(0)).isEqualTo(1);
          driver.restart(SteppedFile.client(2), 1);
        });
    file.deliver(probes.get(3));
    assertThat(probe).isCompletedWithValue(false);
    assertThat(file.take()).noneMatch(sent -> sent.request() instanceof Request.Probe);
  }

  @Test
  void whatHasNotEndedIsBegunAnewInOrder() throws Exception {
    StripeDriver driver = driver();
    CompletableFuture<Bytes> ended = driver.write(SteppedFile.patches(1));
    file.deliverAll();
    assertThat(ended).isCompleted();
    CompletableFuture<Bytes> second = driver.write(SteppedFile.patches(2));
    CompletableFuture<Bytes> third = driver.write(SteppedFile.patches(3));
    file.replaceGroup();
    nodes.look(0);
    driver.restart(SteppedFile.client(2), 1);
    List<Bytes> swapped = new ArrayList<>();
    while (!third.isDone()) {
      for (SteppedFile.Sent sent : file.take()) {
        if (sent.groupId() == 2 && sent.request() instanceof Request.Swap swap) {
          swapped.add(swap.patch().bytes());
        }
        file.deliver(sent);
      }
    }
    assertThat(second).isCompleted();
    assertThat(swapped).containsExactly(SteppedFile.bytes(2), SteppedFile.bytes(3));
  }

  @Test
  void troubleOfAnEarlierVersionIsNotTold() throws Exception {
    StripeDriver driver = driver();
    CompletableFuture<Bytes> write = driver.write(SteppedFile.patches(1));
    SteppedFile.Sent swap = file.take().get(0);
    swap.listener().delayed("nobody is there");
    assertThat(driver.trouble()).isEqualTo("nobody is there");
    file.replaceGroup();
    nodes.look(0);
    driver.restart(SteppedFile.client(2), 1);
    swap.listener().delayed("nobody is there");
    swap.listener().lost("nobody was there");
    assertThat(driver.trouble()).isEmpty();
    file.deliverAll();
    assertThat(write).isCompleted();
  }
}

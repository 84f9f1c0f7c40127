/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.updater;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.ecupdate.ajx.AddMode;
import io.hdfsparity.ecupdate.ajx.Bounds;
import io.hdfsparity.ecupdate.ajx.ReplicaKey;
import io.hdfsparity.ecupdate.ajx.Reply;
import io.hdfsparity.ecupdate.ajx.Request;
import io.hdfsparity.ecupdate.ajx.SlotKey;
import io.hdfsparity.ecupdate.channel.ChannelClient;
import io.hdfsparity.ecupdate.storage.FileCluster;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What an operation costs while nothing fails, in round trips, with the updater, sockets and
 * engines: a read 1 round trip and 2 messages, a write 2 and 2(p + 1), and no lock is taken. The
 * messages of larger writes: {@link StripedFileUpdaterCostTest}.
 */
@Timeout(60)
class FailureFreeCostTest {
  /** Of FileCluster. */
  private static final int PARITIES = 2;

  /**
   * Real calls; what was asked and answered, in order. Answers to adds are held back until so many
   * adds have been sent: who would wait for one before it sends the next waits for ever.
   */
  private static final class Recorded implements NodeCalls {
    private final ChannelClient calls;
    private final List<String> events = new ArrayList<>();
    private final List<Runnable> held = new ArrayList<>();
    private int adds;

    Recorded(ChannelClient calls) {
      this.calls = calls;
    }

    @Override
    public void call(Endpoint node, SlotKey slot, Request request, Listener listener) {
      String name = request.getClass().getSimpleName();
      boolean isAdd = request instanceof Request.Add;
      synchronized (events) {
        events.add(name);
        adds += isAdd ? 1 : 0;
      }
      calls.call(
          node,
          slot,
          request,
          new Listener() {
            @Override
            public void answered(Reply reply) {
              answer(name, isAdd, () -> listener.answered(reply));
            }

            @Override
            public void lost(String why) {
              note("lost: " + why);
              listener.lost(why);
            }

            @Override
            public void failed(String why) {
              note("failed: " + why);
              listener.failed(why);
            }

            @Override
            public void delayed(String why) {
              listener.delayed(why);
            }
          });
    }

    private void note(String event) {
      synchronized (events) {
        events.add(event);
      }
    }

    private void answer(String name, boolean isAdd, Runnable deliver) {
      List<Runnable> now;
      synchronized (events) {
        held.add(
            () -> {
              note("-> " + name);
              deliver.run();
            });
        if (isAdd && (adds < PARITIES || held.size() < PARITIES)) {
          return;
        }
        now = List.copyOf(held);
        held.clear();
      }
      now.forEach(Runnable::run);
    }

    @Override
    public void giveUp(Endpoint node, ReplicaKey replica) {
      calls.giveUp(node, replica);
    }

    List<String> take() {
      synchronized (events) {
        List<String> taken = List.copyOf(events);
        events.clear();
        adds = 0;
        return taken;
      }
    }
  }

  @Test
  void aReadTakesOneRoundTripAndAWriteTwo() throws Exception {
    try (FileCluster cluster = new FileCluster("PLR", new Random(3));
        ChannelClient channels = UpdaterFixture.client()) {
      Recorded calls = new Recorded(channels);
      try (StripedFileUpdater updater =
          StripedFileUpdater.open(
              new TestSession(cluster, new Bounds.Failures(1, 1), 1_000, 10_000),
              calls,
              new UpdaterOptions(
                  new UpdaterOptions.Adds(AddMode.PARALLEL, 1, 0),
                  0,
                  8,
                  100,
                  100,
                  30_000,
                  20,
                  2))) {
        for (int round = 0; round < 3; round++) {
          updater.read(10, ByteBuffer.allocate(20));
          assertThat(calls.take()).containsExactly("Read", "-> Read");
          updater.write(10, ByteBuffer.allocate(20));
          assertThat(calls.take())
              .as("2 round trips, %d messages", 2 * (PARITIES + 1))
              .isEqualTo(Stream.of("Swap", "-> Swap", "Add", "Add", "-> Add", "-> Add").toList());
        }
      }
    }
  }
}

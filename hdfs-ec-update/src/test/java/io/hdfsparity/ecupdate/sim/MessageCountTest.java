/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.core.gf.GfMatrix;
import io.hdfsparity.core.gf.ScalarKernel;
import io.hdfsparity.ecupdate.ajx.AddMode;
import io.hdfsparity.ecupdate.ajx.AjxClient;
import io.hdfsparity.ecupdate.ajx.AjxOptions;
import io.hdfsparity.ecupdate.ajx.ArrayContent;
import io.hdfsparity.ecupdate.ajx.Bounds.Failures;
import io.hdfsparity.ecupdate.ajx.Bytes;
import io.hdfsparity.ecupdate.ajx.DurableSlot;
import io.hdfsparity.ecupdate.ajx.Output;
import io.hdfsparity.ecupdate.ajx.Patch;
import io.hdfsparity.ecupdate.ajx.SlotMachine;
import io.hdfsparity.ecupdate.ajx.StripeCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What an operation costs when nothing fails: Fig. 1 of the paper, exactly. */
class MessageCountTest {
  private final List<SlotMachine> nodes = new ArrayList<>();
  private final List<ArrayContent> contents = new ArrayList<>();
  private int messages;
  private int roundTrips;
  private int locks;

  @ParameterizedTest
  @CsvSource({
    "3, 2, PARALLEL, 1, 2, 6",
    "6, 3, PARALLEL, 1, 2, 8",
    "10, 4, PARALLEL, 1, 2, 10",
    "6, 3, SERIAL, 1, 4, 8",
    "6, 3, HYBRID, 2, 3, 8",
    "10, 4, HYBRID, 2, 3, 10",
    "6, 3, BROADCAST, 1, 2, 6",
    "10, 4, BROADCAST, 1, 2, 7",
  })
  void costsWhatThePaperSays(
      int k, int p, AddMode mode, int groups, int expectedRoundTrips, int expectedMessages) {
    StripeCode code = new StripeCode(new ScalarKernel(), GfMatrix.cauchyParity(k, p));
    Bytes zeros = Bytes.zeros(4);
    for (int block = 0; block < k + p; block++) {
      contents.add(new ArrayContent(zeros));
      nodes.add(new SlotMachine(code, block, DurableSlot.untouched(), contents.get(block)));
    }
    AjxOptions options = new AjxOptions(mode, groups, 2, new Failures(0, p), 3, 10, 10);
    AjxClient client = new AjxClient(1, code, options);
    Bytes written = Bytes.copyOf(new byte[] {1, 2, 3, 4});

    assertThat(run(client, client.write(7, 1, new Patch(0, written))))
        .isEqualTo(new Output.WriteDone(7));
    assertThat(roundTrips).isEqualTo(expectedRoundTrips);
    assertThat(messages).isEqualTo(expectedMessages);
    assertThat(expectedMessages).isEqualTo(mode == AddMode.BROADCAST ? p + 3 : 2 * (p + 1));

    messages = 0;
    Output two =
        run(
            client,
            client.write(
                9,
                new TreeMap<>(
                    Map.of(0, new Patch(2, written.slice(0, 2)), 2, new Patch(0, written)))));
    assertThat(two).isEqualTo(new Output.WriteDone(9));
    assertThat(messages)
        .as("two cells: each is swapped, their sum is added once")
        .isEqualTo(mode == AddMode.BROADCAST ? 2 * (p + 3) : 2 * (p + 2));
    assertThat(code.encode(contents().subList(0, k))).isEqualTo(contents());

    messages = 0;
    roundTrips = 0;
    assertThat(run(client, client.read(8, 1, 0, 4))).isEqualTo(new Output.ReadDone(8, written));
    assertThat(roundTrips).isEqualTo(1);
    assertThat(messages).isEqualTo(2);
    assertThat(locks).isZero();
    assertThat(client.isIdle()).isTrue();
  }

  private List<Bytes> contents() {
    return contents.stream().map(content -> content.read(0, content.length())).toList();
  }

  private Output run(AjxClient client, List<Output> outputs) {
    List<Output> wave = outputs;
    while (true) {
      List<Output.Send> sends = new ArrayList<>();
      for (Output output : wave) {
        if (output instanceof Output.Send send) {
          messages++;
          sends.add(send);
        } else if (output instanceof Output.Broadcast broadcast) {
          messages++;
          sends.addAll(broadcast.sends());
        } else {
          return output;
        }
      }
      roundTrips++;
      wave = new ArrayList<>();
      for (Output.Send send : sends) {
        messages++;
        var reply = nodes.get(send.node()).handle(send.request()).reply();
        locks += nodes.get(send.node()).holder() == null ? 0 : 1;
        wave.addAll(client.onReply(send.call(), reply));
      }
    }
  }
}

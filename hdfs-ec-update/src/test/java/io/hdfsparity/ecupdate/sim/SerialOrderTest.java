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
import io.hdfsparity.ecupdate.ajx.Request;
import io.hdfsparity.ecupdate.ajx.SlotMachine;
import io.hdfsparity.ecupdate.ajx.StripeCode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What has been added of a write is the beginning of one order of groups, whatever is answered. */
class SerialOrderTest {
  private static final int DATA = 4;
  private static final int PARITY = 4;
  private static final Patch PATCH = new Patch(0, Bytes.copyOf(new byte[] {1, 2}));

  @ParameterizedTest
  @CsvSource({"SERIAL, 1, 4", "HYBRID, 2, 4;5", "PARALLEL, 1, 4;5;6;7"})
  void groupThatIsNotDoneHoldsUpTheNext(AddMode mode, int groups, String asked) {
    StripeCode code = new StripeCode(new ScalarKernel(), GfMatrix.cauchyParity(DATA, PARITY));
    List<SlotMachine> nodes = new ArrayList<>();
    for (int block = 0; block < DATA + PARITY; block++) {
      nodes.add(
          new SlotMachine(code, block, DurableSlot.untouched(), new ArrayContent(Bytes.zeros(2))));
    }
    AjxOptions options = new AjxOptions(mode, groups, 1, new Failures(0, 1), 3, 10, 10);

    // One that swaps and is not heard of again.
    AjxClient gone = new AjxClient(1, code, options);
    for (Output output : gone.write(1, 0, PATCH)) {
      Output.Send send = (Output.Send) output;
      nodes.get(send.node()).handle(send.request());
    }

    List<String> adds = new ArrayList<>();
    AjxClient next = new AjxClient(2, code, options);
    List<Output> wave = next.write(1, 0, PATCH);
    while (!wave.isEmpty()) {
      List<Output> answers = new ArrayList<>();
      for (Output output : wave) {
        if (output instanceof Output.Send send) {
          if (send.request() instanceof Request.Add) {
            adds.add(Integer.toString(send.node()));
          }
          answers.addAll(
              next.onReply(send.call(), nodes.get(send.node()).handle(send.request()).reply()));
        } else {
          assertThat(output)
              .as("it backs off and asks again")
              .isInstanceOf(Output.StartTimer.class);
        }
      }
      wave = answers;
    }
    assertThat(String.join(";", adds)).isEqualTo(asked);
  }
}

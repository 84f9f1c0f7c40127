/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.ajx;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.core.gf.GfMatrix;
import io.hdfsparity.core.gf.ScalarKernel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** A write of two cells of a stripe at once, one of whose swaps is lost. */
class LostSwapTest {
  private static final AjxOptions TOGETHER =
      new AjxOptions(AddMode.PARALLEL, 1, 2, new Bounds.Failures(0, 2), 3, 10, 10);

  private final AjxClient client =
      new AjxClient(1, new StripeCode(new ScalarKernel(), GfMatrix.cauchyParity(2, 2)), TOGETHER);

  private static List<Output.Send> sends(List<Output> outputs) {
    List<Output.Send> sends = new ArrayList<>();
    for (Output output : outputs) {
      if (output instanceof Output.Send send) {
        sends.add(send);
      }
    }
    return sends;
  }

  private static Reply swapped() {
    return new Reply.SwapReply(Bytes.zeros(1), 0, null, LockMode.UNL);
  }

  private List<Output.Send> begin() {
    Patch patch = new Patch(0, Bytes.copyOf(new byte[] {1}));
    List<Output.Send> swaps = sends(client.write(1, new TreeMap<>(Map.of(0, patch, 1, patch))));
    assertThat(swaps).hasSize(2).allMatch(send -> send.request() instanceof Request.Swap);
    return swaps;
  }

  /**
   * A node without room for a receipt refuses a swap until others were collected, and that of the
   * other cell may be among them.
   */
  @Test
  void theOtherCellDoesNotWaitForIt() {
    List<Output.Send> swaps = begin();
    assertThat(sends(client.onReply(swaps.get(0).call(), swapped()))).as("adds").isEmpty();
    assertThat(sends(client.onLost(swaps.get(1).call())))
        .hasSize(2)
        .allMatch(send -> send.request() instanceof Request.Add);
  }

  @Test
  void theOtherCellThatIsSwappedLaterDoesNotEither() {
    List<Output.Send> swaps = begin();
    assertThat(sends(client.onLost(swaps.get(1).call()))).isEmpty();
    assertThat(sends(client.onReply(swaps.get(0).call(), swapped())))
        .hasSize(2)
        .allMatch(send -> send.request() instanceof Request.Add);
  }
}

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.bridge.refusal.Refusal;
import io.hdfsparity.izs.mapping.AccessRate;
import io.hdfsparity.izs.mapping.Advice;
import io.hdfsparity.izs.mapping.Advice.Verdict;
import io.hdfsparity.izs.mapping.FileFacts;
import io.hdfsparity.izs.mapping.StorageForm;
import io.hdfsparity.izs.mapping.StorageForm.Coded;
import io.hdfsparity.izs.mapping.StorageForm.Raidp;
import io.hdfsparity.izs.mapping.StorageForm.Replicated;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class StaleReadersTest {
  private static final Coded CODED = new Coded("RS-4-1-16k", "RS", 4, 1, 16384);

  private static Advice advice(
      Verdict verdict, long lengthBytes, StorageForm from, StorageForm to) {
    return new Advice(
        new FileFacts("/f", 1, lengthBytes, 1, 1, from, Optional.empty(), Optional.empty()),
        verdict,
        Optional.empty(),
        Optional.of(to),
        "the test wants it",
        new AccessRate(0, 0, 1),
        2,
        2);
  }

  private static Optional<String> refusal(StaleReaders readers, Advice advice) {
    return readers.refusal(advice).map(Refusal::kind);
  }

  @Test
  void whatMayBeReadWronglyIsToBeAccepted() {
    StaleReaders unasked = new StaleReaders(false);
    Advice toCode = advice(Verdict.REWRITE, 1, new Replicated(2), CODED);
    assertThat(refusal(unasked, toCode)).contains("stale-readers");
    assertThat(unasked.refusal(toCode).orElseThrow().reason())
        .startsWith("Cannot change the form: staleReaders=possible, expected")
        .contains("-acceptStaleReaders")
        .endsWith(", file=/f");
    assertThat(refusal(new StaleReaders(true), toCode)).isEmpty();
    Coded other = new Coded("RS-3-2-4k", "RS", 3, 2, 4096);
    assertThat(refusal(unasked, advice(Verdict.REWRITE, 1, other, CODED)))
        .contains("stale-readers");
  }

  @Test
  void whatEndsInAnErrorOrHasNoBytesIsNot() {
    StaleReaders unasked = new StaleReaders(false);
    assertThat(refusal(unasked, advice(Verdict.REWRITE, 1, CODED, new Replicated(2)))).isEmpty();
    assertThat(refusal(unasked, advice(Verdict.REWRITE, 1, CODED, new Raidp()))).isEmpty();
    assertThat(refusal(unasked, advice(Verdict.REWRITE, 0, new Replicated(2), CODED))).isEmpty();
    assertThat(refusal(unasked, advice(Verdict.SET_LEVEL, 1, CODED, CODED))).isEmpty();
    assertThat(refusal(unasked, advice(Verdict.KEEP, 1, CODED, CODED))).isEmpty();
  }
}

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.updater;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.ecupdate.ajx.Bytes;
import io.hdfsparity.ecupdate.ajx.Patch;
import io.hdfsparity.ecupdate.ajx.Tid;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Stripes of a file are compared with their parity while it is written, and damaged. */
@Timeout(600)
class StripedFileUpdaterVerifyTest extends UpdaterFixture {
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

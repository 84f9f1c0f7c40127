/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.fs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.bridge.swap.FileIdentity;
import io.hdfsparity.caso.layout.FileParts;
import io.hdfsparity.caso.layout.StoredOrder;
import java.io.IOException;
import java.net.URI;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PartPlanTest {
  private static final FileIdentity FILE =
      new FileIdentity("/a ${b}/f", 16_400, 1 << 20, 77, "RS-3-2-4k", "0123", 0);
  private static final PartPlan.Form FORM = new PartPlan.Form(32_768, "RS-3-2-4k", 4096, 7);

  @Test
  void isReadAsItWasWritten() throws IOException {
    PartPlan plan =
        new PartPlan(
            URI.create("hdfs://n:1"), "/a ${b}/x", FILE, new FileParts(1 << 20, 999), FORM, true);
    assertThat(PartPlan.decode(plan.encode())).isEqualTo(plan);
    assertThat(PartPlan.decodeIdentity(PartPlan.encode(FILE))).isEqualTo(FILE);
    assertThatThrownBy(() -> PartPlan.decode("")).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> PartPlan.decode("%")).hasMessageContaining("base64");
  }

  @Test
  void stepsAreWholeCells() {
    assertThat(plan(4096).stepBytes()).isEqualTo(8 << 20);
    assertThat(plan(12_000).stepBytes()).isEqualTo(12_000L * ((8 << 20) / 12_000));
    assertThat(plan(1 << 30).stepBytes()).isEqualTo(1 << 30);
  }

  private static PartPlan plan(int cellBytes) {
    return new PartPlan(
        URI.create("hdfs://n:1"),
        "/x",
        FILE,
        new FileParts(1, 1),
        new PartPlan.Form(1L << 30, "p", cellBytes, 0),
        false);
  }

  /** What another run may go on with is of the same bytes, order and cut; the path may change. */
  @Test
  void theDigestTellsWhatPartsAreOf() {
    FileParts parts = new FileParts(1 << 20, 98_304);
    Optional<StoredOrder> order =
        Optional.of(new StoredOrder(new long[] {1, 0}, new long[] {1, 1}, 2));
    Set<String> digests = new LinkedHashSet<>();
    digests.add(PartPlan.digest(FILE, parts, FORM, order));
    digests.add(PartPlan.digest(FILE, parts, FORM, Optional.empty()));
    digests.add(
        PartPlan.digest(
            FILE, parts, FORM, Optional.of(new StoredOrder(new long[] {0}, new long[] {2}, 2))));
    digests.add(PartPlan.digest(FILE, new FileParts(1 << 20, 196_608), FORM, order));
    digests.add(
        PartPlan.digest(FILE, parts, new PartPlan.Form(32_768, "RS-3-2-4k", 4096, 0), order));
    digests.add(PartPlan.digest(file(16_401, 77, "0123"), parts, FORM, order));
    digests.add(PartPlan.digest(file(16_400, 78, "0123"), parts, FORM, order));
    digests.add(PartPlan.digest(file(16_400, 77, "0124"), parts, FORM, order));
    digests.add(
        PartPlan.digest(
            new FileIdentity("/a", 16_400, 1 << 20, 77, "RS-3-2-4k", "0123", 5),
            parts,
            FORM,
            order));
    assertThat(digests).hasSize(9);
    FileIdentity moved = new FileIdentity("/b", 16_400, 1 << 20, 77, "RS-3-2-4k", "0123", 0);
    assertThat(PartPlan.digest(moved, parts, FORM, order)).isEqualTo(digests.iterator().next());
  }

  private static FileIdentity file(long inodeId, long modifiedMs, String blocks) {
    return new FileIdentity(
        "/a", inodeId, 1 << 20, modifiedMs, "RS-3-2-4k", blocks, /* updatedMs= */ 0);
  }
}

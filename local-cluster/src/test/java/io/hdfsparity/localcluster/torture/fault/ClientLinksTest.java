/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.torture.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.core.check.SeededRuns;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ClientLinksTest {
  @Test
  void someConnectionsAreSlowAndOneAtLeast() {
    SeededRuns.of(200)
        .check(
            random -> {
              List<Integer> ports = IntStream.range(0, 1 + random.nextInt(40)).boxed().toList();
              List<Integer> slow =
                  ClientLinks.chosen(ports, new SplittableRandom(random.nextLong()));
              assertThat(slow).isNotEmpty().isSubsetOf(ports).isSorted().doesNotHaveDuplicates();
              assertThat(ports.size() < 30 || slow.size() < ports.size()).isTrue();
            });
    assertThat(ClientLinks.chosen(List.of(), new SplittableRandom(1))).isEmpty();
  }

  @Test
  void theClientsPortIsThatOfItsOwnAddress() {
    assertThat(NodeNetworks.localPort("0      1      127.0.0.1:43472 127.0.0.2:7000 "))
        .isEqualTo(43472);
    assertThat(NodeNetworks.localPort("0      0   [::ffff:127.0.0.1]:52990  [::ffff:127.0.0.2]:9"))
        .isEqualTo(52990);
  }
}

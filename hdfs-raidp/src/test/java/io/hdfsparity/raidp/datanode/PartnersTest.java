/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.datanode;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.ConnectException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import org.junit.jupiter.api.Test;

class PartnersTest {
  @Test
  void aCallerThatWasInterruptedKnowsNothingOfThePartner() {
    assertThat(Partners.isUnreachable(new ConnectException("refused"))).isTrue();
    assertThat(Partners.isUnreachable(new ClosedChannelException())).isTrue();
    assertThat(Partners.isUnreachable(new ClosedByInterruptException())).isFalse();
    assertThat(Partners.isUnreachable(new PeerException.Busy("later"))).isFalse();
  }
}

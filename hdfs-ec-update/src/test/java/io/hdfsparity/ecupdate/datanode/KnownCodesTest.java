/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.datanode;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.ecupdate.ajx.CodeTable;
import io.hdfsparity.ecupdate.protocol.SessionId;
import io.hdfsparity.ecupdate.protocol.StripeCode;
import io.hdfsparity.ecupdate.protocol.UnitTerms;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

class KnownCodesTest {
  private static UnitTerms terms(int cellBytes) {
    return new UnitTerms(
        new SessionId(1), new StripeCode("rs", 3, 2, cellBytes), 4, 1, 1, 1000, "FO");
  }

  @Test
  void clientsThatNameManyCodesDoNotFillTheMemory() throws IOException {
    KnownCodes codes = new KnownCodes(new Configuration(false));
    CodeTable first = codes.of(terms(64));
    assertThat(codes.of(terms(64))).isSameAs(first);
    for (int cellBytes = 1; cellBytes <= KnownCodes.MAX_CODES + 100; cellBytes++) {
      codes.of(terms(cellBytes));
    }
    assertThat(codes.size()).isEqualTo(KnownCodes.MAX_CODES);
    assertThat(codes.of(terms(64))).isEqualTo(first);
  }
}

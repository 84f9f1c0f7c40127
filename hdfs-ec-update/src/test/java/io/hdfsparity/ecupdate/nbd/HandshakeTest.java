/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.nbd;

import static io.hdfsparity.ecupdate.nbd.RawClient.OPTION;
import static io.hdfsparity.ecupdate.nbd.RawClient.REPLY;
import static io.hdfsparity.ecupdate.nbd.RawClient.hex;
import static io.hdfsparity.ecupdate.nbd.RawClient.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The handshake, by bytes that were written by hand from the specification. */
@Timeout(60)
class HandshakeTest {
  private static final int UNSUP = 0x80000001;
  private static final int POLICY = 0x80000002;
  private static final int INVALID = 0x80000003;
  private static final int UNKNOWN = 0x80000006;
  private static final int TOO_BIG = 0x80000009;

  /** HAS_FLAGS, FLUSH, FUA, WRITE_ZEROES, MULTI_CONN; with structured replies DF too. */
  private static final String WRITABLE = "014d";

  private static final String SIZE = "00000000000f4240";

  private ServedMemory memory;
  private RawClient client;

  @BeforeEach
  void start() throws IOException {
    memory = new ServedMemory();
    client = memory.client();
  }

  @AfterEach
  void stop() throws IOException {
    client.close();
    memory.close();
  }

  @Test
  void anExportIsChosenByItsName() throws IOException {
    client.expect("4e42444d41474943 49484156454f5054 0003");
    client.send("00000003");
    client.send(OPTION + "00000001 00000005" + text("/disk"));
    client.expect(SIZE + WRITABLE);
    client.request(0, 3, 7, 0, 0);
    client.expectSimple(0, 7);
  }

  @Test
  void zeroesFollowForWhoDoesNotDoWithoutThem() throws IOException {
    client.expect(RawClient.GREETING);
    client.send("00000001" + OPTION + "00000001 00000005" + text("/disk"));
    client.expect(SIZE + WRITABLE);
    assertThat(client.read(124)).containsOnly(0);
    client.request(0, 3, 8, 0, 0);
    client.expectSimple(0, 8);
  }

  @Test
  void aClientOfTheOldNewstyleMayChooseAnExportOnly() throws IOException {
    client.expect(RawClient.GREETING);
    client.send("00000000" + OPTION + "00000003 00000000");
    client.expectEnd();
  }

  @Test
  void unknownClientFlagsAreRefused() throws IOException {
    client.expect(RawClient.GREETING);
    client.send("00000007");
    client.expectEnd();
  }

  @Test
  void anExportThatIsNotThereEndsTheConnectionWhereNoErrorCanBeSaid() throws IOException {
    client.greet();
    client.option(1, text("/none"));
    client.expectEnd();
  }

  @Test
  void goSaysWhatWasAskedFor() throws IOException {
    client.greet();
    client.option(8, "");
    client.expect(REPLY + "00000008 00000001 00000000");
    // Name, description, block sizes, and something that nobody knows.
    client.option(7, "00000005" + text("/disk") + "0004 0001 0002 0003 7777");
    client.expect(REPLY + "00000007 00000003 0000000c 0000" + SIZE + "01cd");
    client.expect(REPLY + "00000007 00000003 00000007 0001" + text("/disk"));
    client.expect(REPLY + "00000007 00000003 00000008 0002" + text("a disk"));
    client.expect(REPLY + "00000007 00000003 0000000e 0003 00000001 00001000 00040000");
    client.expect(REPLY + "00000007 00000001 00000000");
    client.request(0, 3, 9, 0, 0);
    client.expect(RawClient.CHUNK + "0001 0000 0000000000000009 00000000");
  }

  @Test
  void infoDoesNotChoose() throws IOException {
    client.greet();
    client.option(6, "00000006" + text("/image") + "0000");
    client.expect(REPLY + "00000006 00000003 0000000c 0000 0000000000001000 0103");
    client.expect(REPLY + "00000006 00000001 00000000");
    client.option(6, "00000005" + text("/none") + "0000");
    assertThat(client.reply(6)).isEqualTo(UNKNOWN);
    // There are two exports, so none is meant by no name.
    client.option(6, "00000000 0000");
    assertThat(client.reply(6)).isEqualTo(UNKNOWN);
    // The name of a URI has no slash before it.
    client.option(6, "00000004" + text("disk") + "0000");
    assertThat(client.reply(6)).isEqualTo(3);
    assertThat(client.reply(6)).isEqualTo(1);
  }

  @Test
  void allExportsAreListed() throws IOException {
    client.greet();
    client.option(3, "");
    client.expect(REPLY + "00000003 00000002 0000000f 00000005" + text("/disk") + text("a disk"));
    client.expect(REPLY + "00000003 00000002 0000000a 00000006" + text("/image"));
    client.expect(REPLY + "00000003 00000001 00000000");
    client.option(3, "00");
    assertThat(client.reply(3)).isEqualTo(INVALID);
  }

  @Test
  void abortIsAnsweredAndEnds() throws IOException {
    client.greet();
    client.option(2, "0102");
    client.expect(REPLY + "00000002 00000001 00000000");
    client.expectEnd();
  }

  @Test
  void whatIsNotKnownIsRefusedAndTheNextOptionIsServed() throws IOException {
    client.greet();
    for (int option : new int[] {0, 4, 9, 10, 11, 77, -1}) {
      client.option(option, "00112233");
      assertThat(client.reply(option)).isEqualTo(UNSUP);
    }
    client.option(5, "");
    assertThat(client.reply(5)).isEqualTo(POLICY);
    client.option(8, "00");
    assertThat(client.reply(8)).isEqualTo(INVALID);
    client.option(3, "");
    assertThat(client.reply(3)).isEqualTo(2);
  }

  @Test
  void lengthsThatDoNotFitAreRefused() throws IOException {
    client.greet();
    for (String data :
        new String[] {
          "",
          "00000005",
          "ffffffff 0000",
          "00000006" + text("/disk") + "0000",
          "00000005" + text("/disk") + "0002 0003",
          "00000005" + text("/disk") + "0000 00",
          "7fffffff" + text("/disk") + "ffff"
        }) {
      client.option(7, data.replace(" ", ""));
      assertThat(client.reply(7)).as(data).isEqualTo(INVALID);
    }
    client.option(7, "00000005" + text("/disk") + "0000");
    assertThat(client.reply(7)).isEqualTo(3);
  }

  @Test
  void aLongOptionIsReadPastAndOneThatIsTooLongEnds() throws IOException {
    client.greet();
    client.send(OPTION + hex(9, 4) + hex(100_000, 4));
    client.send(new byte[100_000]);
    assertThat(client.reply(9)).isEqualTo(TOO_BIG);
    client.send(OPTION + hex(9, 4) + "ffffffff");
    client.expectEnd();
  }

  @Test
  void aLongNameEnds() throws IOException {
    client.greet();
    client.send(OPTION + hex(1, 4) + hex(100_000, 4));
    client.expectEnd();
  }

  @Test
  void anotherMagicEnds() throws IOException {
    client.greet();
    client.send("49484156454f5055 00000003 00000000");
    client.expectEnd();
  }

  @Test
  void optionsWithoutEndEnd() throws IOException {
    client.greet();
    for (int i = 0; i < 1000; i++) {
      client.option(77, "");
      client.reply(77);
    }
    client.expectEnd();
  }

  @Test
  void whoSaysNothingIsNotWaitedForForEver() throws IOException {
    try (ServedMemory hurried =
            new ServedMemory(new ServerLimits(1, 1, 4096, 4096, 4096, 200, 1000, 1000));
        RawClient silent = hurried.client()) {
      silent.expect(RawClient.GREETING);
      silent.expectEnd();
      await().until(() -> hurried.server.connections() == 0);
    }
  }

  @Test
  void thereAreSoManyConnectionsOnly() throws IOException {
    try (ServedMemory small =
            new ServedMemory(new ServerLimits(1, 1, 4096, 4096, 4096, 60_000, 1000, 1000));
        RawClient first = small.client()) {
      first.go("/disk", false);
      try (RawClient second = small.client()) {
        second.expectEnd();
      }
      first.request(0, 2, 0, 0, 0);
      first.expectEnd();
      await().until(() -> small.server.connections() == 0);
      try (RawClient third = small.client()) {
        third.greet();
      }
    }
  }

  /** As from a host without a certificate, where TLS is required. */
  @Test
  void connectionsThatChooseNoExportKeepNobodyOut() throws IOException {
    try (ServedMemory small =
        new ServedMemory(new ServerLimits(2, 1, 4096, 4096, 4096, 600_000, 1000, 1000))) {
      List<RawClient> silent = new ArrayList<>();
      try {
        for (int i = 0; i < 2; i++) {
          silent.add(small.client());
          silent.get(i).expect(RawClient.GREETING);
        }
        try (RawClient client = small.client()) {
          client.go("/disk", false);
          silent.get(0).expectEnd();
          // One that uses an export is not closed for them.
          for (int i = 2; i < 6; i++) {
            silent.add(small.client());
            silent.get(i).expect(RawClient.GREETING);
          }
          client.request(0, 3, 7, 0, 0);
          client.expectSimple(0, 7);
        }
      } finally {
        for (RawClient each : silent) {
          each.close();
        }
      }
    }
  }

  /** Both were accepted before either had chosen. */
  @Test
  void noMoreClientsUseExportsThanThereMayBe() throws IOException {
    try (ServedMemory small =
            new ServedMemory(new ServerLimits(2, 1, 4096, 4096, 4096, 600_000, 1000, 1000));
        RawClient first = small.client()) {
      first.go("/disk", false);
      try (RawClient second = small.client();
          RawClient third = small.client()) {
        second.greet();
        third.greet();
        third.option(7, "00000005" + text("/disk") + "0000");
        assertThat(third.reply(7)).isEqualTo(3);
        assertThat(third.reply(7)).isEqualTo(1);
        second.option(1, text("/disk"));
        second.expectEnd();
        first.request(0, 3, 7, 0, 0);
        first.expectSimple(0, 7);
      }
    }
  }
}

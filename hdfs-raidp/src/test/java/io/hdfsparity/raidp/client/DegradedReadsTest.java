/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.raidp.wire.NotLostException;
import io.hdfsparity.raidp.wire.message.PeerAddress;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.security.token.SecretManager.InvalidToken;
import org.junit.jupiter.api.Test;

/** Whom a reader of lost blocks asks, and how often. */
class DegradedReadsTest {
  private static final int MIB = 1 << 20;

  private final List<Long> askedNameNode = new ArrayList<>();
  private final List<String> askedDecoders = new ArrayList<>();
  private final Set<String> failing = new HashSet<>();
  private List<PeerAddress> decoders =
      IntStream.range(0, 4).mapToObj(i -> new PeerAddress("n" + i, "h" + i, 1)).toList();
  private int busyAnswers;
  private String busyOne = "n0";
  private IOException failure = new IOException("away");
  private final DegradedReads reads =
      new DegradedReads(
          (blockPoolId, blockId) -> {
            askedNameNode.add(blockId);
            return decoders;
          },
          (decoder, request) -> {
            askedDecoders.add(decoder.nodeUuid());
            if (busyAnswers > 0 && decoder.nodeUuid().equals(busyOne)) {
              busyAnswers--;
              throw new RetriableException("busy");
            }
            if (failing.contains(decoder.nodeUuid())) {
              throw failure;
            }
            return new byte[request.count()];
          });

  private static LocatedBlock block(long id) {
    return new LocatedBlock(new ExtendedBlock("pool", id, 128L * MIB, 1), new DatanodeInfo[0]);
  }

  private int read(long id, long offset) throws IOException {
    return reads.read(block(id), offset, MIB).orElseThrow().length;
  }

  @Test
  void aBlockOf128MibNeedsOneCallOfTheNameNode() throws Exception {
    for (long offset = 0; offset < 128; offset++) {
      assertThat(read(7, offset * MIB)).isEqualTo(MIB);
    }
    assertThat(askedNameNode).containsExactly(7L);
    assertThat(askedDecoders).hasSize(128).containsOnly("n0");
  }

  @Test
  void eachBlockHasDecodersOfItsOwn() throws Exception {
    read(7, 0);
    read(8, 0);
    read(7, MIB);
    assertThat(askedNameNode).containsExactly(7L, 8L);
  }

  @Test
  void oneThatFailsIsNotAskedAgain() throws Exception {
    failing.add("n0");
    read(7, 0);
    read(7, MIB);
    assertThat(askedDecoders).containsExactly("n0", "n1", "n1");
    assertThat(askedNameNode).hasSize(1);
    failing.add("n1");
    read(7, 2 * MIB);
    assertThat(askedDecoders).endsWith("n1", "n2");
    assertThat(askedNameNode).hasSize(1);
  }

  /** It has the tables that the block needs; others would have to read them. */
  @Test
  void oneThatIsBusyStaysTheDecoderOfItsBlock() throws Exception {
    busyAnswers = 1;
    read(7, 0);
    assertThat(askedDecoders).containsExactly("n0", "n0");
    read(7, MIB);
    assertThat(askedDecoders).endsWith("n0", "n0");
    assertThat(askedNameNode).hasSize(1);
  }

  @Test
  void aRangeThatFindsADecoderBusyTwiceIsReadByAnother() throws Exception {
    busyAnswers = 2;
    read(7, 0);
    assertThat(askedDecoders).containsExactly("n0", "n0", "n1");
    read(7, MIB);
    assertThat(askedDecoders).endsWith("n1", "n0");
    assertThat(askedNameNode).hasSize(1);
  }

  @Test
  void oneThatFailsIsPassedThoughOthersAreBusy() throws Exception {
    failing.add("n0");
    busyAnswers = 1;
    busyOne = "n1";
    read(7, 0);
    assertThat(askedDecoders).containsExactly("n0", "n1", "n1");
    read(7, MIB);
    assertThat(askedDecoders).endsWith("n1", "n1");
  }

  @Test
  void whenAllHaveFailedTheNameNodeIsAskedAgain() {
    failing.addAll(List.of("n0", "n1", "n2", "n3"));
    assertThatThrownBy(() -> read(7, 0))
        .hasMessageContaining("Cannot read a lost block by decoding it")
        .hasMessageContaining("wait for hdfs raidp -recover")
        .hasMessageContaining("away");
    assertThat(askedDecoders).containsExactly("n0", "n1", "n2", "n3", "n0");
    assertThat(askedNameNode).hasSize(2);
  }

  @Test
  void whatIsNotLostIsSaidAtOnce() throws Exception {
    failing.add("n0");
    failure = new NotLostException("no row");
    assertThat(reads.read(block(7), 0, MIB)).isEmpty();
    assertThat(askedDecoders).hasSize(1);
    decoders = List.of();
    assertThat(reads.read(block(7), 0, MIB)).isEmpty();
    assertThat(reads.read(block(7), 0, MIB)).isEmpty();
    assertThat(askedNameNode).hasSize(3);
  }

  /** The token is to blame, and not the decoder. */
  @Test
  void anExpiredTokenLeavesTheDecoder() throws Exception {
    failing.add("n0");
    failure = new InvalidToken("expired");
    assertThatThrownBy(() -> read(7, 0)).isInstanceOf(InvalidToken.class);
    failing.clear();
    read(7, 0);
    assertThat(askedDecoders).containsExactly("n0", "n0");
    assertThat(askedNameNode).hasSize(1);
  }

  @Test
  void decodersOfABoundedNumberOfBlocksAreKept() throws Exception {
    for (long id = 0; id <= DegradedReads.MAX_BLOCKS; id++) {
      read(id, 0);
    }
    read(1, 0);
    assertThat(askedNameNode).hasSize(DegradedReads.MAX_BLOCKS + 1);
    read(0, 0);
    assertThat(askedNameNode).hasSize(DegradedReads.MAX_BLOCKS + 2);
  }
}

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.channel;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.ecupdate.ajx.Bytes;
import io.hdfsparity.ecupdate.ajx.LockId;
import io.hdfsparity.ecupdate.ajx.LockMode;
import io.hdfsparity.ecupdate.ajx.OpMode;
import io.hdfsparity.ecupdate.ajx.Patch;
import io.hdfsparity.ecupdate.ajx.ReplicaKey;
import io.hdfsparity.ecupdate.ajx.Reply;
import io.hdfsparity.ecupdate.ajx.Request;
import io.hdfsparity.ecupdate.ajx.SlotKey;
import io.hdfsparity.ecupdate.ajx.SlotMachine;
import io.hdfsparity.ecupdate.ajx.Tid;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** By the grants of {@link TestAccess}: block 7, session 7, and a reader that changes nothing. */
class RequestRulesTest {
  private static final String POOL = "BP-1";
  private static final int MAX_BYTES = 1 << 20;
  private static final LockId LOCK = new LockId(1, 2);
  private static final Tid TID = new Tid(1, 2, 0);
  private static final Patch PATCH = new Patch(5, Bytes.zeros(300));
  private static final Request READ = new Request.Read(0, 100);
  private static final List<Request> LOOKS = List.of(READ, new Request.Probe());
  private static final List<Request> CHANGES =
      List.of(
          new Request.Swap(PATCH, TID),
          new Request.Add(PATCH, Request.Scaling.BY_NODE, TID, null, 0),
          new Request.AddAll(PATCH, List.of(new Request.Part(TID, null)), 0),
          new Request.CheckTid(TID, TID),
          new Request.TryLock(LockMode.L1, LOCK),
          new Request.SetLock(LockMode.L1, LOCK),
          new Request.GetState(LOCK),
          new Request.GetRecent(LockMode.L1, LOCK),
          new Request.Reconstruct(Set.of(0, 1), Bytes.zeros(64), 1, LOCK),
          new Request.FinalizeRecovery(1, Request.LockAfter.KEPT, LOCK),
          new Request.GcOld(List.of(TID)),
          new Request.GcRecent(List.of(TID)),
          new Request.Leave(7),
          new Request.Sessions(Set.of(1L, 2L)),
          new Request.CrossOut(Set.of(1L)));

  private static boolean isAllowed(String owner, String pool, long block, Request request)
      throws Exception {
    Bytes token = Bytes.wrap(owner.getBytes(StandardCharsets.US_ASCII));
    ChannelAccess.Grant grant = TestAccess.INSTANCE.judge(POOL, "client", token);
    Message.Ask ask = new Message.Ask(1, new SlotKey(new ReplicaKey(pool, block), 0), request);
    return RequestRules.isAllowed(ask, grant, POOL);
  }

  @Test
  void everyRequestIsOneOrTheOther() {
    assertThat(Request.class.getPermittedSubclasses()).hasSize(LOOKS.size() + CHANGES.size());
  }

  @Test
  void whoMayReadChangesNothing() throws Exception {
    for (Request look : LOOKS) {
      assertThat(isAllowed("reader", POOL, 7, look)).as("%s", look).isTrue();
      assertThat(isAllowed("writer", POOL, 7, look)).as("%s", look).isTrue();
    }
    for (Request change : CHANGES) {
      assertThat(isAllowed("reader", POOL, 7, change)).as("%s", change).isFalse();
      assertThat(isAllowed("writer", POOL, 7, change)).as("%s", change).isTrue();
    }
  }

  @Test
  void nobodyReachesOtherReplicasOrOtherSessions() throws Exception {
    assertThat(isAllowed("writer", POOL, 8, READ)).isFalse();
    assertThat(isAllowed("writer", "BP-2", 7, READ)).isFalse();
    assertThat(isAllowed("writer", POOL, 7, new Request.Leave(8))).isFalse();
  }

  @Test
  void whatRequestsAndTheirAnswersTakeIsCharged() {
    assertThat(RequestRules.memoryBytes(READ, MAX_BYTES)).isEqualTo(100);
    assertThat(RequestRules.memoryBytes(new Request.Read(0, Integer.MAX_VALUE), MAX_BYTES))
        .isEqualTo(MAX_BYTES);
    assertThat(RequestRules.memoryBytes(new Request.Swap(PATCH, TID), MAX_BYTES)).isEqualTo(300);
    assertThat(RequestRules.memoryBytes(new Request.GetState(LOCK), MAX_BYTES))
        .isEqualTo(MAX_BYTES);
    assertThat(RequestRules.memoryBytes(new Request.Sessions(Set.of(1L, 2L)), MAX_BYTES))
        .isEqualTo((1 << 14) + 2 * (8 + 64));
    assertThat(RequestRules.memoryBytes(new Request.CrossOut(Set.of(1L, 2L, 3L)), MAX_BYTES))
        .as("a number in a set takes more than its eight bytes")
        .isEqualTo(FrameCodec.HEADER_BYTES + 3 * 64);
    assertThat(RequestRules.memoryBytes(new Request.Leave(7), MAX_BYTES))
        .isEqualTo(FrameCodec.HEADER_BYTES);
  }

  /** A user who does not collect them has his probes answered by all that a node keeps. */
  @Test
  void writesThatAreListedAreCharged() {
    Set<Tid> recent =
        LongStream.range(0, SlotMachine.MAX_LISTED_TIDS)
            .mapToObj(sequence -> new Tid(1, sequence, 0))
            .collect(Collectors.toSet());
    FrameCodec codec = new FrameCodec(MAX_BYTES);
    for (Request request : List.of(new Request.Probe(), new Request.GetRecent(LockMode.L1, LOCK))) {
      Reply reply =
          request instanceof Request.Probe
              ? new Reply.ProbeReply(OpMode.NORM, LockMode.L1, 1, recent)
              : new Reply.RecentReply(recent);
      assertThat(RequestRules.memoryBytes(request, MAX_BYTES))
          .isBetween(
              (long) codec.encode(new Message.Answer(1, reply)).capacity(), (long) MAX_BYTES);
      assertThat(RequestRules.memoryBytes(request, 4096)).isEqualTo(4096);
    }
  }
}

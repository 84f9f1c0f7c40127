/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.core.check.ByteBoxes;
import io.hdfsparity.core.check.SeededRuns;
import io.hdfsparity.core.framing.CorruptFormatException;
import io.hdfsparity.core.framing.FormatException;
import io.hdfsparity.core.framing.NotOursException;
import io.hdfsparity.core.framing.TooNewException;
import io.hdfsparity.ecupdate.HostileSizes;
import io.hdfsparity.ecupdate.ajx.Bytes;
import io.hdfsparity.ecupdate.ajx.LockId;
import io.hdfsparity.ecupdate.ajx.LockMode;
import io.hdfsparity.ecupdate.ajx.OpMode;
import io.hdfsparity.ecupdate.ajx.Patch;
import io.hdfsparity.ecupdate.ajx.ReplicaKey;
import io.hdfsparity.ecupdate.ajx.Reply;
import io.hdfsparity.ecupdate.ajx.Request;
import io.hdfsparity.ecupdate.ajx.SlotKey;
import io.hdfsparity.ecupdate.ajx.Tid;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

/** Every message there and back, golden bytes, and input that means harm. */
class FrameCodecTest {
  private static final FrameCodec CODEC = new FrameCodec(1 << 16);
  private static final SlotKey SLOT = new SlotKey(new ReplicaKey("BP-1", 4711), 9);
  private static final Tid TID = new Tid(7, 8, 1);
  private static final Tid OTHER = new Tid(-7, Long.MAX_VALUE, 0);
  private static final LockId LOCK = new LockId(11, 12);
  private static final Bytes BYTES = Bytes.copyOf(new byte[] {1, -2, 3});
  private static final Patch PATCH = new Patch(65533, BYTES);

  private static final List<Request> REQUESTS =
      List.of(
          new Request.Read(5, 6),
          new Request.Swap(PATCH, TID),
          new Request.Add(PATCH, Request.Scaling.BY_NODE, TID, OTHER, 3),
          new Request.Add(PATCH, Request.Scaling.BY_CLIENT, TID, null, 3),
          new Request.AddAll(
              PATCH, List.of(new Request.Part(TID, OTHER), new Request.Part(OTHER, null)), 4),
          new Request.CheckTid(TID, OTHER),
          new Request.TryLock(LockMode.L1, LOCK),
          new Request.SetLock(LockMode.UNL, LOCK),
          new Request.GetState(LOCK),
          new Request.GetRecent(LockMode.L0, LOCK),
          new Request.Reconstruct(Set.of(0, 2, 3), BYTES, 5, LOCK),
          new Request.FinalizeRecovery(6, Request.LockAfter.KEPT, LOCK),
          new Request.GcOld(List.of(TID, OTHER)),
          new Request.GcRecent(List.of()),
          new Request.Probe());

  /** Behind all others: the bytes of these have not changed when it came. */
  private static final Request LEAVE = new Request.Leave(-5);

  private static final List<Request> LATER_REQUESTS =
      List.of(
          LEAVE, new Request.Sessions(Set.of(0L, -1L, 7L)), new Request.CrossOut(Set.of(9L, -8L)));

  private static final Reply LATER_REPLY = new Reply.SessionsReply(Set.of(0L, 5L), Set.of(5L));

  private static final List<Reply> REPLIES =
      List.of(
          new Reply.ReadReply(BYTES, LockMode.UNL),
          new Reply.ReadReply(null, LockMode.L1),
          new Reply.SwapReply(BYTES, 3, TID, LockMode.UNL),
          new Reply.SwapReply(null, 3, null, LockMode.EXP),
          new Reply.AddReply(Reply.AddStatus.ORDER, OpMode.NORM, LockMode.L0),
          Reply.CheckTidReply.GC,
          new Reply.LockReply(true, LockMode.EXP),
          new Reply.Done(),
          new Reply.NotHolder(OpMode.RECONS, LockMode.L1),
          new Reply.StateReply(
              OpMode.RECONS, 2, Set.of(1, 0), 3, Set.of(TID), Set.of(OTHER, TID), BYTES),
          new Reply.StateReply(OpMode.INIT, 0, Set.of(), 0, Set.of(), Set.of(), null),
          new Reply.RecentReply(Set.of(TID, OTHER)),
          new Reply.GcRefused(OpMode.NORM, LockMode.EXP),
          new Reply.ProbeReply(OpMode.NORM, LockMode.UNL, 9, Set.of(TID)));

  private static List<Message> all() {
    List<Message> all = new ArrayList<>();
    for (Request request : REQUESTS) {
      all.add(new Message.Ask(all.size(), SLOT, request));
    }
    for (Reply reply : REPLIES) {
      all.add(new Message.Answer(all.size(), reply));
    }
    all.add(new Message.Refusal(all.size(), "Cannot swap: patch.end=9, expected <= 8"));
    for (Request request : LATER_REQUESTS) {
      all.add(new Message.Ask(all.size(), SLOT, request));
    }
    all.add(new Message.Answer(all.size(), LATER_REPLY));
    return all;
  }

  private static byte[] stream() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    all().forEach(message -> bytes.writeBytes(CODEC.encode(message).array()));
    return bytes.toByteArray();
  }

  /** As much was charged to its user. */
  @Test
  void whatIsLongTakesTheMemoryOfItsFrame() {
    FrameCodec codec = new FrameCodec(2 << 20);
    Bytes cell = Bytes.zeros(1 << 20);
    Patch whole = new Patch(0, cell);
    List<Message> messages = new ArrayList<>();
    for (Request request :
        List.of(
            new Request.Swap(whole, TID),
            new Request.Add(whole, Request.Scaling.BY_CLIENT, TID, null, 3),
            new Request.AddAll(whole, List.of(new Request.Part(TID, OTHER)), 4),
            new Request.Reconstruct(Set.of(0, 2, 3), cell, 5, LOCK))) {
      messages.add(new Message.Ask(1, SLOT, request));
    }
    for (Reply reply :
        List.of(
            new Reply.ReadReply(cell, LockMode.UNL),
            new Reply.SwapReply(cell, 1, TID, LockMode.UNL),
            new Reply.StateReply(OpMode.NORM, 1, Set.of(), 0, Set.of(TID), Set.of(), cell))) {
      messages.add(new Message.Answer(1, reply));
    }
    for (Message message : messages) {
      ByteBuffer frame = codec.encode(message);
      assertThat(frame.array().length)
          .as("%s", message.getClass())
          .isLessThan(frame.remaining() + 1024);
    }
  }

  @Test
  void everyKindOfMessageIsThere() {
    Set<Class<?>> requests = new HashSet<>();
    REQUESTS.forEach(request -> requests.add(request.getClass()));
    LATER_REQUESTS.forEach(request -> requests.add(request.getClass()));
    assertThat(requests).containsExactlyInAnyOrder(Request.class.getPermittedSubclasses());
    Set<Class<?>> replies = new HashSet<>();
    REPLIES.forEach(reply -> replies.add(reply.getClass()));
    replies.add(LATER_REPLY.getClass());
    assertThat(replies).containsExactlyInAnyOrder(Reply.class.getPermittedSubclasses());
  }

  @Test
  void everyMessageComesBack() throws Exception {
    ByteBuffer stream = ByteBuffer.wrap(stream());
    for (Message message : all()) {
      assertThat(CODEC.decode(stream)).isEqualTo(message);
    }
    assertThat(stream.remaining()).isZero();
    assertThat(CODEC.decode(stream)).isNull();
  }

  @Test
  void aFrameThatIsNotWholeIsWaitedFor() throws Exception {
    for (Message message : all()) {
      byte[] frame = CODEC.encode(message).array();
      for (int length = 0; length < frame.length; length++) {
        ByteBuffer part = ByteBuffer.wrap(frame, 0, length);
        assertThat(CODEC.decode(part)).isNull();
        assertThat(part.position()).isZero();
      }
    }
  }

  @Test
  void writesAndReadsTheGoldenBytes() throws Exception {
    try (InputStream in = getClass().getResourceAsStream("/golden/v1/ec-update-wire.bin")) {
      assertThat(in).isNotNull();
      assertThat(stream()).isEqualTo(in.readAllBytes());
    }
  }

  @Test
  void anyBitThatIsWrongIsFound() {
    for (Message message : all()) {
      byte[] frame = CODEC.encode(message).array();
      for (int bit = 0; bit < 8 * frame.length; bit++) {
        byte[] damaged = frame.clone();
        damaged[bit / 8] ^= (byte) (1 << bit % 8);
        assertThatThrownBy(() -> CODEC.decode(ByteBuffer.wrap(damaged)))
            .as("%s bit %d", message, bit)
            .isInstanceOf(FormatException.class);
      }
    }
  }

  private static int crc(byte[] bytes, int from, int to) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, from, to - from);
    return (int) crc.getValue();
  }

  /** As somebody would send it who knows the format: all CRCs are right. */
  private static byte[] forged(int version, int kind, int payloadBytes, byte[] payload) {
    ByteBuffer frame = ByteBuffer.allocate(FrameCodec.HEADER_BYTES + payload.length);
    frame.putInt(FrameCodec.MAGIC).putShort((short) version).putShort((short) kind);
    frame.putInt(payloadBytes).putLong(1).putInt(crc(payload, 0, payload.length));
    frame.putInt(crc(frame.array(), 0, 24)).put(payload);
    return frame.array();
  }

  @Test
  void noSizeMakesItTakeMemory() throws Exception {
    for (Message message : all()) {
      byte[] frame = CODEC.encode(message).array();
      int kind = ByteBuffer.wrap(frame).getShort(6);
      HostileSizes.check(
          Arrays.copyOfRange(frame, FrameCodec.HEADER_BYTES, frame.length),
          payload -> CODEC.decode(ByteBuffer.wrap(forged(1, kind, payload.length, payload))));
    }
  }

  @Test
  void lengthsAndVersionsWithRightCrcsAreNamed() {
    assertThatThrownBy(() -> CODEC.decode(ByteBuffer.wrap(forged(2, 1, 0, new byte[0]))))
        .isInstanceOf(TooNewException.class)
        .hasMessageContaining("version=2");
    for (int length : new int[] {-1, Integer.MIN_VALUE, Integer.MAX_VALUE, (1 << 16) + 1}) {
      assertThatThrownBy(() -> CODEC.decode(ByteBuffer.wrap(forged(1, 1, length, new byte[0]))))
          .isInstanceOf(CorruptFormatException.class)
          .hasMessageContaining("payloadBytes=" + length);
    }
    assertThatThrownBy(() -> CODEC.decode(ByteBuffer.wrap(forged(1, 9, 0, new byte[0]))))
        .hasMessageContaining("kind=9");
    assertThatThrownBy(
            () ->
                CODEC.decode(
                    ByteBuffer.wrap(
                        "GET / HTTP/1.1\r\nHost: there\r\n\r\n"
                            .getBytes(java.nio.charset.StandardCharsets.US_ASCII))))
        .isInstanceOf(NotOursException.class);
  }

  /** Any payload is a message or a {@link FormatException}: no other exception, no large array. */
  @Test
  void whateverIsInAPayloadIsAMessageOrRefused() {
    List<byte[]> payloads = new ArrayList<>();
    for (Message message : all()) {
      byte[] frame = CODEC.encode(message).array();
      payloads.add(Arrays.copyOfRange(frame, FrameCodec.HEADER_BYTES, frame.length));
    }
    SeededRuns.of(20_000)
        .check(
            random -> {
              byte[] payload = payloads.get(random.nextInt(payloads.size())).clone();
              int changes = 1 + random.nextInt(4);
              for (int i = 0; i < changes && payload.length > 0; i++) {
                int at = random.nextInt(payload.length);
                payload[at] =
                    random.nextBoolean()
                        ? (byte) random.nextInt()
                        : (byte) (random.nextBoolean() ? 0x7f : 0xff);
              }
              byte[] cut = Arrays.copyOf(payload, random.nextInt(payload.length + 9));
              byte[] sent = random.nextInt(3) == 0 ? cut : payload;
              int kind = 1 + random.nextInt(3);
              try {
                Message message = CODEC.decode(ByteBuffer.wrap(forged(1, kind, sent.length, sent)));
                assertThat(message).isNotNull();
                assertThat(CODEC.decode(CODEC.encode(message))).isEqualTo(message);
              } catch (CorruptFormatException e) {
                assertThat(e).hasMessageContaining("payloadBytes=");
              }
            });
  }

  @Test
  void whatIsTooLongIsNotSent() {
    Request swap = new Request.Swap(new Patch(0, Bytes.zeros(1 << 16)), TID);
    assertThatThrownBy(() -> CODEC.encode(new Message.Ask(1, SLOT, swap)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("<= 65536");
  }

  @Test
  void theDocumentShowsTheSameBoxAsTheCode() throws IOException {
    assertThat(ByteBoxes.of(FrameCodec.class)).contains("+------+");
    assertThat(ByteBoxes.page("ec-update-wire.md")).contains(ByteBoxes.of(FrameCodec.class));
  }

  /** Writes the golden file, by hand, once a version. */
  public static void main(String[] args) throws Exception {
    Files.write(Path.of(args[0], "ec-update-wire.bin"), stream());
  }
}

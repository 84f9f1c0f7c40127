/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.channel;

import io.hdfsparity.ecupdate.ajx.LockMode;
import io.hdfsparity.ecupdate.ajx.OpMode;
import io.hdfsparity.ecupdate.ajx.RecordCodec;
import io.hdfsparity.ecupdate.ajx.Reply;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.StreamCorruptedException;

/** Replies as bytes; see docs/formats/ec-update-wire.md. Stateless, thread-safe. */
final class ReplyCodec {
  private static final int READ = 1;
  private static final int SWAP = 2;
  private static final int ADD = 3;
  private static final int CHECK_TID = 4;
  private static final int LOCK = 5;
  private static final int DONE = 6;
  private static final int NOT_HOLDER = 7;
  private static final int STATE = 8;
  private static final int RECENT = 9;
  private static final int GC_REFUSED = 10;
  private static final int PROBE = 11;
  private static final int SESSIONS = 12;

  private ReplyCodec() {}

  static void write(Reply reply, DataOutputStream out) throws IOException {
    if (!writeUpdate(reply, out)) {
      writeRest(reply, out);
    }
  }

  private static boolean writeUpdate(Reply reply, DataOutputStream out) throws IOException {
    if (reply instanceof Reply.ReadReply read) {
      out.writeByte(READ);
      Values.writeOrNone(read.bytes(), out);
      Values.write(read.lockMode(), out);
    } else if (reply instanceof Reply.SwapReply swap) {
      out.writeByte(SWAP);
      Values.writeOrNone(swap.previous(), out);
      out.writeLong(swap.epoch());
      Values.writeOrNone(swap.otid(), out);
      Values.write(swap.lockMode(), out);
    } else if (reply instanceof Reply.AddReply add) {
      out.writeByte(ADD);
      Values.write(add.status(), out);
      Values.write(add.opMode(), out);
      Values.write(add.lockMode(), out);
    } else if (reply instanceof Reply.CheckTidReply check) {
      out.writeByte(CHECK_TID);
      Values.write(check, out);
    } else if (reply instanceof Reply.Done) {
      out.writeByte(DONE);
    } else {
      return false;
    }
    return true;
  }

  private static void writeRest(Reply reply, DataOutputStream out) throws IOException {
    if (reply instanceof Reply.LockReply lock) {
      out.writeByte(LOCK);
      Values.write(lock.isGranted(), out);
      Values.write(lock.previous(), out);
    } else if (reply instanceof Reply.NotHolder other) {
      out.writeByte(NOT_HOLDER);
      Values.write(other.opMode(), out);
      Values.write(other.lockMode(), out);
    } else if (reply instanceof Reply.StateReply state) {
      out.writeByte(STATE);
      Values.write(state.opMode(), out);
      out.writeLong(state.epoch());
      RecordCodec.write(state.consistentSet(), out);
      out.writeLong(state.targetEpoch());
      Values.writeTidSet(state.oldList(), out);
      Values.writeTidSet(state.recentList(), out);
      Values.writeOrNone(state.block(), out);
    } else if (reply instanceof Reply.RecentReply recent) {
      out.writeByte(RECENT);
      Values.writeTidSet(recent.recentList(), out);
    } else if (reply instanceof Reply.GcRefused refused) {
      out.writeByte(GC_REFUSED);
      Values.write(refused.opMode(), out);
      Values.write(refused.lockMode(), out);
    } else if (reply instanceof Reply.ProbeReply probe) {
      out.writeByte(PROBE);
      Values.write(probe.opMode(), out);
      Values.write(probe.lockMode(), out);
      out.writeLong(probe.epoch());
      Values.writeTidSet(probe.recentList(), out);
    } else if (reply instanceof Reply.SessionsReply sessions) {
      out.writeByte(SESSIONS);
      Values.writeSet(sessions.noted(), out);
      Values.writeSet(sessions.over(), out);
    } else {
      throw new IllegalArgumentException("Cannot send a reply: reply=" + reply);
    }
  }

  static Reply read(DataInputStream in) throws IOException {
    int type = in.readUnsignedByte();
    return switch (type) {
      case READ -> new Reply.ReadReply(Values.readBytesOrNone(in), lockMode(in));
      case SWAP ->
          new Reply.SwapReply(
              Values.readBytesOrNone(in), in.readLong(), Values.readTidOrNone(in), lockMode(in));
      case ADD ->
          new Reply.AddReply(
              Values.readOneOf(Reply.AddStatus.values(), in), opMode(in), lockMode(in));
      case CHECK_TID -> Values.readOneOf(Reply.CheckTidReply.values(), in);
      case LOCK -> new Reply.LockReply(Values.readFlag(in), lockMode(in));
      case DONE -> new Reply.Done();
      case NOT_HOLDER -> new Reply.NotHolder(opMode(in), lockMode(in));
      case STATE ->
          new Reply.StateReply(
              opMode(in),
              in.readLong(),
              RecordCodec.readSet(in),
              in.readLong(),
              Values.readTidSet(in),
              Values.readTidSet(in),
              Values.readBytesOrNone(in));
      case RECENT -> new Reply.RecentReply(Values.readTidSet(in));
      case GC_REFUSED -> new Reply.GcRefused(opMode(in), lockMode(in));
      case PROBE ->
          new Reply.ProbeReply(opMode(in), lockMode(in), in.readLong(), Values.readTidSet(in));
      case SESSIONS -> new Reply.SessionsReply(Values.readSet(in), Values.readSet(in));
      default -> throw new StreamCorruptedException("reply type=" + type + ", expected 1..12");
    };
  }

  private static LockMode lockMode(DataInputStream in) throws IOException {
    return Values.readOneOf(LockMode.values(), in);
  }

  private static OpMode opMode(DataInputStream in) throws IOException {
    return Values.readOneOf(OpMode.values(), in);
  }
}

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.channel;

import io.hdfsparity.ecupdate.ajx.LockMode;
import io.hdfsparity.ecupdate.ajx.RecordCodec;
import io.hdfsparity.ecupdate.ajx.ReplicaKey;
import io.hdfsparity.ecupdate.ajx.Request;
import io.hdfsparity.ecupdate.ajx.SlotKey;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.StreamCorruptedException;
import java.util.ArrayList;
import java.util.List;

/** Requests as bytes; see docs/formats/ec-update-wire.md. Stateless, thread-safe. */
final class RequestCodec {
  private static final int READ = 1;
  private static final int SWAP = 2;
  private static final int ADD = 3;
  private static final int ADD_ALL = 4;
  private static final int CHECK_TID = 5;
  private static final int TRY_LOCK = 6;
  private static final int SET_LOCK = 7;
  private static final int GET_STATE = 8;
  private static final int GET_RECENT = 9;
  private static final int RECONSTRUCT = 10;
  private static final int FINALIZE = 11;
  private static final int GC_OLD = 12;
  private static final int GC_RECENT = 13;
  private static final int PROBE = 14;
  private static final int LEAVE = 15;
  private static final int SESSIONS = 16;
  private static final int CROSS_OUT = 17;

  private RequestCodec() {}

  static void write(SlotKey slot, Request request, DataOutputStream out) throws IOException {
    out.writeUTF(slot.replica().blockPool());
    out.writeLong(slot.replica().blockId());
    out.writeInt(slot.stripe());
    if (!writeUpdate(request, out)) {
      writeRest(request, out);
    }
  }

  private static boolean writeUpdate(Request request, DataOutputStream out) throws IOException {
    if (request instanceof Request.Read read) {
      out.writeByte(READ);
      out.writeInt(read.offset());
      out.writeInt(read.lengthBytes());
    } else if (request instanceof Request.Swap swap) {
      out.writeByte(SWAP);
      RecordCodec.write(swap.patch(), out);
      RecordCodec.write(swap.ntid(), out);
    } else if (request instanceof Request.Add add) {
      out.writeByte(ADD);
      RecordCodec.write(add.delta(), out);
      Values.write(add.scaling(), out);
      RecordCodec.write(add.ntid(), out);
      Values.writeOrNone(add.otid(), out);
      out.writeLong(add.epoch());
    } else if (request instanceof Request.AddAll add) {
      out.writeByte(ADD_ALL);
      RecordCodec.write(add.delta(), out);
      out.writeInt(add.parts().size());
      for (Request.Part part : add.parts()) {
        RecordCodec.write(part.ntid(), out);
        Values.writeOrNone(part.otid(), out);
      }
      out.writeLong(add.epoch());
    } else if (request instanceof Request.CheckTid check) {
      out.writeByte(CHECK_TID);
      RecordCodec.write(check.ntid(), out);
      RecordCodec.write(check.otid(), out);
    } else if (request instanceof Request.Probe) {
      out.writeByte(PROBE);
    } else {
      return false;
    }
    return true;
  }

  private static void writeRest(Request request, DataOutputStream out) throws IOException {
    if (request instanceof Request.TryLock lock) {
      out.writeByte(TRY_LOCK);
      Values.write(lock.mode(), out);
      Values.write(lock.caller(), out);
    } else if (request instanceof Request.SetLock lock) {
      out.writeByte(SET_LOCK);
      Values.write(lock.mode(), out);
      Values.write(lock.caller(), out);
    } else if (request instanceof Request.GetState get) {
      out.writeByte(GET_STATE);
      Values.write(get.caller(), out);
    } else if (request instanceof Request.GetRecent get) {
      out.writeByte(GET_RECENT);
      Values.write(get.mode(), out);
      Values.write(get.caller(), out);
    } else if (request instanceof Request.Reconstruct reconstruct) {
      out.writeByte(RECONSTRUCT);
      RecordCodec.write(reconstruct.consistentSet(), out);
      RecordCodec.write(reconstruct.block(), out);
      out.writeLong(reconstruct.targetEpoch());
      Values.write(reconstruct.caller(), out);
    } else if (request instanceof Request.FinalizeRecovery finish) {
      out.writeByte(FINALIZE);
      out.writeLong(finish.epoch());
      Values.write(finish.lockAfter(), out);
      Values.write(finish.caller(), out);
    } else if (request instanceof Request.GcOld gc) {
      out.writeByte(GC_OLD);
      RecordCodec.write(gc.tids(), out);
    } else if (request instanceof Request.GcRecent gc) {
      out.writeByte(GC_RECENT);
      RecordCodec.write(gc.tids(), out);
    } else if (request instanceof Request.Leave leave) {
      out.writeByte(LEAVE);
      out.writeLong(leave.session());
    } else if (request instanceof Request.Sessions sessions) {
      out.writeByte(SESSIONS);
      Values.writeSet(sessions.asked(), out);
    } else if (request instanceof Request.CrossOut over) {
      out.writeByte(CROSS_OUT);
      Values.writeSet(over.sessions(), out);
    } else {
      throw new IllegalArgumentException("Cannot send a request: request=" + request);
    }
  }

  static SlotKey readSlot(DataInputStream in) throws IOException {
    return new SlotKey(new ReplicaKey(in.readUTF(), in.readLong()), in.readInt());
  }

  static Request read(DataInputStream in) throws IOException {
    int type = in.readUnsignedByte();
    return switch (type) {
      case READ -> readRead(in);
      case SWAP -> new Request.Swap(RecordCodec.readPatch(in), RecordCodec.readTid(in));
      case ADD ->
          new Request.Add(
              RecordCodec.readPatch(in),
              Values.readOneOf(Request.Scaling.values(), in),
              RecordCodec.readTid(in),
              Values.readTidOrNone(in),
              in.readLong());
      case ADD_ALL -> new Request.AddAll(RecordCodec.readPatch(in), readParts(in), in.readLong());
      case CHECK_TID -> new Request.CheckTid(RecordCodec.readTid(in), RecordCodec.readTid(in));
      case TRY_LOCK -> new Request.TryLock(readMode(in), Values.readLock(in));
      case SET_LOCK -> new Request.SetLock(readMode(in), Values.readLock(in));
      case GET_STATE -> new Request.GetState(Values.readLock(in));
      case GET_RECENT -> new Request.GetRecent(readMode(in), Values.readLock(in));
      case RECONSTRUCT ->
          new Request.Reconstruct(
              RecordCodec.readSet(in),
              RecordCodec.readBytes(in),
              in.readLong(),
              Values.readLock(in));
      case FINALIZE ->
          new Request.FinalizeRecovery(
              in.readLong(), Values.readOneOf(Request.LockAfter.values(), in), Values.readLock(in));
      case GC_OLD -> new Request.GcOld(RecordCodec.readTids(in));
      case GC_RECENT -> new Request.GcRecent(RecordCodec.readTids(in));
      case PROBE -> new Request.Probe();
      case LEAVE -> new Request.Leave(in.readLong());
      case SESSIONS -> new Request.Sessions(Values.readSet(in));
      case CROSS_OUT -> new Request.CrossOut(Values.readSet(in));
      default -> throw new StreamCorruptedException("request type=" + type + ", expected 1..17");
    };
  }

  private static Request.Read readRead(DataInputStream in) throws IOException {
    int offset = in.readInt();
    int lengthBytes = in.readInt();
    if (offset < 0 || lengthBytes < 0) {
      throw new StreamCorruptedException(
          "offset=" + offset + ", lengthBytes=" + lengthBytes + ", expected >= 0");
    }
    return new Request.Read(offset, lengthBytes);
  }

  private static LockMode readMode(DataInputStream in) throws IOException {
    return Values.readOneOf(LockMode.values(), in);
  }

  private static List<Request.Part> readParts(DataInputStream in) throws IOException {
    List<Request.Part> parts = new ArrayList<>();
    for (int left = RecordCodec.readCount(in); left > 0; left--) {
      parts.add(new Request.Part(RecordCodec.readTid(in), Values.readTidOrNone(in)));
    }
    return parts;
  }
}

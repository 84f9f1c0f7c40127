/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.channel;

import io.hdfsparity.ecupdate.ajx.Bytes;
import io.hdfsparity.ecupdate.ajx.LockId;
import io.hdfsparity.ecupdate.ajx.RecordCodec;
import io.hdfsparity.ecupdate.ajx.Tid;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.StreamCorruptedException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Values that requests and replies share. Stateless, thread-safe. */
final class Values {
  private static final Comparator<Tid> ORDER =
      Comparator.comparingLong(Tid::client)
          .thenComparingLong(Tid::sequence)
          .thenComparingInt(Tid::block);

  private Values() {}

  static void write(boolean flag, DataOutputStream out) throws IOException {
    out.writeByte(flag ? 1 : 0);
  }

  /** 0 or 1, and nothing else. */
  static boolean readFlag(DataInputStream in) throws IOException {
    int flag = in.readUnsignedByte();
    if (flag > 1) {
      throw new StreamCorruptedException("flag=" + flag + ", expected 0 or 1");
    }
    return flag == 1;
  }

  static void write(Enum<?> value, DataOutputStream out) throws IOException {
    out.writeByte(value.ordinal());
  }

  static <E> E readOneOf(E[] values, DataInputStream in) throws IOException {
    int ordinal = in.readUnsignedByte();
    if (ordinal >= values.length) {
      throw new StreamCorruptedException(
          "value=" + ordinal + ", expected 0.." + (values.length - 1));
    }
    return values[ordinal];
  }

  static void write(LockId lock, DataOutputStream out) throws IOException {
    out.writeLong(lock.client());
    out.writeLong(lock.recovery());
  }

  static LockId readLock(DataInputStream in) throws IOException {
    return new LockId(in.readLong(), in.readLong());
  }

  static void writeOrNone(@Nullable Tid tid, DataOutputStream out) throws IOException {
    write(tid != null, out);
    if (tid != null) {
      RecordCodec.write(tid, out);
    }
  }

  static @Nullable Tid readTidOrNone(DataInputStream in) throws IOException {
    return readFlag(in) ? RecordCodec.readTid(in) : null;
  }

  static void writeOrNone(@Nullable Bytes bytes, DataOutputStream out) throws IOException {
    write(bytes != null, out);
    if (bytes != null) {
      RecordCodec.write(bytes, out);
    }
  }

  static @Nullable Bytes readBytesOrNone(DataInputStream in) throws IOException {
    return readFlag(in) ? RecordCodec.readBytes(in) : null;
  }

  /** In one order, so that equal sets are equal bytes. */
  static void writeTidSet(Set<Tid> tids, DataOutputStream out) throws IOException {
    List<Tid> sorted = new ArrayList<>(tids);
    sorted.sort(ORDER);
    RecordCodec.write(sorted, out);
  }

  /** In ascending order. */
  static void writeSet(Set<Long> numbers, DataOutputStream out) throws IOException {
    out.writeInt(numbers.size());
    for (long number : new TreeSet<>(numbers)) {
      out.writeLong(number);
    }
  }

  static Set<Long> readSet(DataInputStream in) throws IOException {
    Set<Long> numbers = new LinkedHashSet<>();
    for (int left = RecordCodec.readCount(in); left > 0; left--) {
      numbers.add(in.readLong());
    }
    return numbers;
  }

  static Set<Tid> readTidSet(DataInputStream in) throws IOException {
    return new LinkedHashSet<>(RecordCodec.readTids(in));
  }
}

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.core.gf;

import java.lang.reflect.Field;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import sun.misc.Unsafe;

/**
 * Addresses of direct buffers, and stores to native memory. Thread-safe.
 *
 * <p>The one place that may import {@code sun.misc} (the build refuses it elsewhere). Reason: JNI's
 * GetDirectBufferAddress, which {@code Native.getDirectBufferPointer} calls, costs more than
 * encoding 4 KiB does, and Java 17 has no other supported way to get an address (java.lang.foreign
 * is final in 22). Reading the field {@code Buffer.address} through Unsafe is what Netty does; it
 * is in module jdk.unsupported and needs no --add-opens.
 */
final class NativeMemory {
  private final Unsafe unsafe;
  private final long addressOffset;

  /**
   * Probes the platform.
   *
   * @throws LinkageError if this JVM keeps the address to itself
   */
  NativeMemory() {
    try {
      Field theUnsafe = Unsafe.class.getDeclaredField("theUnsafe");
      theUnsafe.setAccessible(true);
      unsafe = (Unsafe) theUnsafe.get(null);
      addressOffset = unsafe.objectFieldOffset(Buffer.class.getDeclaredField("address"));
    } catch (ReflectiveOperationException | RuntimeException e) {
      throw new LinkageError("Cannot read addresses of direct buffers: " + e, e);
    }
    probe();
  }

  /**
   * A slice must start where it was cut; if the field meant anything else, native code would write
   * anywhere.
   */
  private void probe() {
    ByteBuffer buffer = ByteBuffer.allocateDirect(64);
    long address = of(buffer, 0);
    unsafe.putLong(address + 8, 0x0102030405060708L);
    boolean isAddress =
        address != 0
            && of(buffer.slice(16, 8), 0) == address + 16
            && buffer.order(java.nio.ByteOrder.nativeOrder()).getLong(8) == 0x0102030405060708L;
    if (!isAddress) {
      throw new LinkageError(
          "Cannot read addresses of direct buffers: field Buffer.address is not one");
    }
  }

  /**
   * Address of the byte at {@code index} of a direct buffer; the caller keeps the buffer reachable.
   */
  long of(Buffer direct, int index) {
    return unsafe.getLong(direct, addressOffset) + index;
  }

  /** Stores a pointer. */
  void putAddress(long at, long value) {
    unsafe.putLong(at, value);
  }

  /** Loads 8 bytes. */
  long getLong(long at) {
    return unsafe.getLong(at);
  }

  /** Stores 8 bytes. */
  void putLong(long at, long value) {
    unsafe.putLong(at, value);
  }
}

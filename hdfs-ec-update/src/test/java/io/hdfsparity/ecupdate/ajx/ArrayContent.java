/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.ajx;

/** A block in memory. */
public final class ArrayContent implements Content {
  private final byte[] bytes;

  public ArrayContent(Bytes initial) {
    this(initial.toArray());
  }

  /** In an array that the caller keeps. */
  public ArrayContent(byte[] bytes) {
    this.bytes = bytes;
  }

  /** The array itself. */
  public byte[] bytes() {
    return bytes;
  }

  @Override
  public int length() {
    return bytes.length;
  }

  @Override
  public Bytes read(int offset, int lengthBytes) {
    return Bytes.copyOf(bytes).slice(offset, lengthBytes);
  }

  @Override
  public void overwrite(Patch patch) {
    for (int i = 0; i < patch.bytes().length(); i++) {
      bytes[patch.offset() + i] = (byte) patch.bytes().at(i);
    }
  }

  @Override
  public void add(Patch delta) {
    for (int i = 0; i < delta.bytes().length(); i++) {
      bytes[delta.offset() + i] ^= (byte) delta.bytes().at(i);
    }
  }
}

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.recovery;

/** Notified of progress, from several threads at once; must return soon. */
public interface DecodeListener {
  /** What there is to do, before the first block. */
  void planned(int blocks, long bytes);

  /**
   * More data bytes of a block were decoded and verified. Bytes of an attempt that is abandoned are
   * taken back.
   */
  void decoded(long bytes);

  /** A block was installed, or was already there. */
  void blockDone(long blockId, long lengthBytes);

  /** A block was abandoned. */
  void blockFailed(DecodeReport.Failure failure);

  /** Listens to nothing. */
  DecodeListener NONE =
      new DecodeListener() {
        @Override
        public void planned(int blocks, long bytes) {}

        @Override
        public void decoded(long bytes) {}

        @Override
        public void blockDone(long blockId, long lengthBytes) {}

        @Override
        public void blockFailed(DecodeReport.Failure failure) {}
      };
}

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.lstor;

import io.hdfsparity.core.store.ByteStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * A physical redo log: the bytes that transactions write, durable before they go home. Not
 * thread-safe.
 *
 * <p>Invariants:
 *
 * <ul>
 *   <li>Records bear consecutive sequences. Record n+1 is begun only after record n is durable, and
 *       record n goes home only after it is durable.
 *   <li>A checkpoint makes everything home durable, then notes in the superblock the sequence of
 *       the next record, durable too, and only then may the journal be written from its start
 *       again. So the log never wraps around: it starts at offset 0 with the record that the
 *       superblock names. The start is reused early, which keeps it in the CPU's cache.
 * </ul>
 *
 * <p><b>What the chain tells apart when a crash is over.</b> Let {@code e} be the sequence expected
 * at the place where the valid chain ends.
 *
 * <ul>
 *   <li><em>Torn tail</em>: nothing valid there, and no record header with a sequence above {@code
 *       e} anywhere further on. Record e was not durable (or there was none), so it never went
 *       home: it is ignored. Older sequences further on are left over from before the checkpoint.
 *   <li><em>Damage</em>: a valid header with a sequence above {@code e} further on. Such a record
 *       is begun only when e is durable, so e was lost afterwards: {@link
 *       LstorException.CorruptJournal}. The payload of the later record is not needed as a witness,
 *       its header is enough. Headers bear the Lstor's random salt, so no user's data can pose as
 *       one.
 *   <li><em>Lost superblock</em>: the first record is above the checkpoint. If a copy of the
 *       superblock is unreadable, that copy was the newer one: the start of the log is reused only
 *       after it, so the checkpoint of that sequence was complete, and replay starts there. If both
 *       copies are readable, the log contradicts them: damage.
 *   <li><em>Not told apart</em>: damage to the very last durable record looks like a torn tail when
 *       the machine also crashed before the next checkpoint. Its writes may then be partly home.
 *       Cells and rows that disagree with their CRCs show it; LstorCheck with images shows the
 *       rest, and recovery verifies what it rebuilds against block CRCs. A clean close leaves no
 *       such record.
 * </ul>
 */
final class Journal {
  private final ByteStore store;
  private final Superblocks superblocks;
  private final LstorLayout layout;
  private final long journalBytes;
  private final DirtyRanges dirty;
  private long nextSequence;
  private long tail;
  private long checkpoints;

  /**
   * What replay found.
   *
   * @param records replayed
   * @param tornTail whether the remains of a record that was never durable lie behind them
   */
  record Replay(long records, boolean tornTail) {}

  Journal(ByteStore store, Superblocks superblocks) {
    this.store = store;
    this.superblocks = superblocks;
    this.layout = superblocks.current().layout();
    this.journalBytes = superblocks.current().journalBytes();
    this.dirty = new DirtyRanges(layout);
    this.nextSequence = superblocks.current().checkpoint();
  }

  long bytesInUse() {
    return tail;
  }

  long checkpoints() {
    return checkpoints;
  }

  /**
   * Makes a transaction durable and applies it. When this throws, memory and store may disagree:
   * the caller must stop using the Lstor; what is on the store is consistent after replay.
   */
  void commit(Transaction transaction) throws IOException {
    ByteBuffer record = transaction.seal(nextSequence);
    int recordBytes = record.remaining();
    if (tail >= superblocks.current().checkpointBytes() || tail + recordBytes > journalBytes) {
      checkpoint();
    }
    store.write(layout.journal() + tail, record);
    store.sync(layout.journal() + tail, recordBytes);
    tail += recordBytes;
    nextSequence++;
    for (int i = 0; i < transaction.writes(); i++) {
      ByteBuffer bytes = transaction.bytes(i);
      dirty.add(transaction.offset(i), bytes.remaining());
      store.write(transaction.offset(i), bytes);
    }
  }

  /** Makes everything home durable and empties the journal; does nothing when it is empty. */
  void checkpoint() throws IOException {
    if (tail == 0) {
      return;
    }
    dirty.sync(store);
    superblocks.advance(nextSequence);
    tail = 0;
    checkpoints++;
  }

  /** Replays what may not be home. Afterwards {@link #checkpoint} empties the journal. */
  Replay replay() throws IOException {
    ByteBuffer header = ByteBuffer.allocateDirect(LstorFormat.JR_PAYLOAD);
    long at = 0;
    long records = 0;
    if (readHeader(0, header) && sequence(header) > nextSequence && superblocks.copyLost()) {
      nextSequence = sequence(header);
    }
    while (readHeader(at, header) && sequence(header) == nextSequence && applyRecord(at, header)) {
      at += header.getInt(LstorFormat.JR_BYTES);
      nextSequence++;
      records++;
    }
    refuseLaterRecord(at, header);
    tail = at;
    boolean torn = readHeader(at, header) && sequence(header) == nextSequence;
    if (superblocks.copyLost() && records == 0) {
      superblocks.advance(nextSequence);
    }
    return new Replay(records, torn);
  }

  private void refuseLaterRecord(long from, ByteBuffer header) throws IOException {
    long past = superblocks.current().checkpointBytes();
    for (long at = from; at < past; at += LstorFormat.ALIGNMENT) {
      if (readHeader(at, header) && sequence(header) > nextSequence) {
        throw new LstorException.CorruptJournal(
            "Cannot replay the journal: record "
                + nextSequence
                + " is unreadable, but record "
                + sequence(header)
                + " is there at offset="
                + (layout.journal() + at)
                + ", expected every committed record, file="
                + store
                + " offset="
                + (layout.journal() + from));
      }
    }
  }

  /** Whether a valid record header of this Lstor lies at a journal offset. */
  private boolean readHeader(long at, ByteBuffer header) throws IOException {
    if (at > journalBytes - LstorFormat.ALIGNMENT) {
      return false;
    }
    store.read(layout.journal() + at, header.clear().limit(LstorFormat.JR_SEQUENCE));
    if (header.getLong(0) != LstorFormat.RECORD_MAGIC
        || header.getLong(LstorFormat.JR_SALT) != superblocks.current().salt()) {
      return false;
    }
    store.read(layout.journal() + at, header.clear());
    CRC32C crc = new CRC32C();
    crc.update(header.clear().limit(LstorFormat.JR_CRC));
    header.clear();
    return header.getInt(LstorFormat.JR_CRC) == (int) crc.getValue();
  }

  /** Applies a record if all its bytes are there. */
  private boolean applyRecord(long at, ByteBuffer header) throws IOException {
    int writes = header.getInt(LstorFormat.JR_WRITES);
    int recordBytes = header.getInt(LstorFormat.JR_BYTES);
    if (writes < 1
        || writes > LstorFormat.MAX_WRITES
        || recordBytes < LstorFormat.JR_PAYLOAD
        || recordBytes % LstorFormat.ALIGNMENT != 0
        || recordBytes > LstorFormat.MAX_RECORD_BYTES
        || at + recordBytes > journalBytes) {
      return false;
    }
    ByteBuffer record = ByteBuffer.allocateDirect(recordBytes);
    store.read(layout.journal() + at, record);
    if (!payloadIsWhole(record, header, writes)) {
      return false;
    }
    int position = LstorFormat.JR_PAYLOAD;
    for (int i = 0; i < writes; i++) {
      int row = LstorFormat.JR_TABLE + i * LstorFormat.JR_TABLE_ROW_BYTES;
      int length = header.getInt(row + 8);
      dirty.add(header.getLong(row), length);
      store.write(header.getLong(row), record.slice(position, length));
      position += length;
    }
    return true;
  }

  private boolean payloadIsWhole(ByteBuffer record, ByteBuffer header, int writes) {
    CRC32C crc = new CRC32C();
    long position = LstorFormat.JR_PAYLOAD;
    for (int i = 0; i < writes; i++) {
      int row = LstorFormat.JR_TABLE + i * LstorFormat.JR_TABLE_ROW_BYTES;
      int length = header.getInt(row + 8);
      if (length < 0
          || position + length > record.capacity()
          || !dirty.isHome(header.getLong(row), length)) {
        return false;
      }
      crc.reset();
      crc.update(record.slice((int) position, length));
      if ((int) crc.getValue() != header.getInt(row + 12)) {
        return false;
      }
      position += length;
    }
    return true;
  }

  private static long sequence(ByteBuffer header) {
    return header.getLong(LstorFormat.JR_SEQUENCE);
  }
}

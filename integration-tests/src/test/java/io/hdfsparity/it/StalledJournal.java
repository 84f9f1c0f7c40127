/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.reflect.Field;
import java.util.concurrent.CountDownLatch;
import org.apache.hadoop.hdfs.server.namenode.EditLogOutputStream;
import org.apache.hadoop.hdfs.server.namenode.FSEditLog;
import org.apache.hadoop.hdfs.server.namenode.FSEditLogOp;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;

/**
 * A journal that takes edits and makes none durable until it is let go, as one whose disk or whose
 * network has stopped answering.
 */
final class StalledJournal extends EditLogOutputStream {
  private final EditLogOutputStream journal;
  private final CountDownLatch letGo = new CountDownLatch(1);

  private StalledJournal(EditLogOutputStream journal) throws IOException {
    this.journal = journal;
  }

  /** Stalls the journal of an active NameNode, for this segment of its log. */
  static StalledJournal stall(FSNamesystem namesystem)
      throws IOException, ReflectiveOperationException {
    FSEditLog log = namesystem.getEditLog();
    Field stream = FSEditLog.class.getDeclaredField("editLogStream");
    stream.setAccessible(true);
    synchronized (log) {
      StalledJournal stalled = new StalledJournal((EditLogOutputStream) stream.get(log));
      stream.set(log, stalled);
      return stalled;
    }
  }

  /** All becomes durable, from now on at once. */
  void letGo() {
    letGo.countDown();
  }

  @Override
  protected void flushAndSync(boolean durable) throws IOException {
    try {
      letGo.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while the journal was stalled");
    }
    journal.flush(durable);
  }

  @Override
  public long getLastJournalledTxId() {
    return journal.getLastJournalledTxId();
  }

  @Override
  public void write(FSEditLogOp op) throws IOException {
    journal.write(op);
  }

  @Override
  public void writeRaw(byte[] bytes, int offset, int length) throws IOException {
    journal.writeRaw(bytes, offset, length);
  }

  @Override
  public void create(int layoutVersion) throws IOException {
    journal.create(layoutVersion);
  }

  @Override
  public void close() throws IOException {
    letGo();
    journal.close();
  }

  @Override
  public void abort() throws IOException {
    letGo();
    journal.abort();
  }

  @Override
  public void setReadyToFlush() throws IOException {
    journal.setReadyToFlush();
  }

  @Override
  public boolean shouldForceSync() {
    return journal.shouldForceSync();
  }
}

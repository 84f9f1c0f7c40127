/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.ipc.RemoteException;

/**
 * Writers that keep a ledger of what was acknowledged: the bytes of files that were closed. Of an
 * append that failed the outcome is open, but the bytes before it stay acknowledged. Only an
 * acknowledged byte that is lost or different is a fault. Files are deleted at random, and where
 * the ledger would outgrow its limit.
 */
final class LedgerLoad implements AutoCloseable {
  /** How causes of failed appends begin. */
  static final String APPEND = "append to ";

  private static final int MAX_CAUSES = 20;

  /**
   * What is known of a file.
   *
   * @param bytes acknowledged, from the first byte on
   * @param digest of these
   * @param whole whether the file has no more; else an append was tried
   */
  private record Entry(long bytes, String digest, boolean whole) {}

  private final Configuration conf;
  private final int maxFileBytes;
  private final long seed;
  private final long maxLedgerBytes;
  private final long paceNanos;
  private final Map<String, Entry> acknowledged = new ConcurrentHashMap<>();
  private final Set<String> appending = ConcurrentHashMap.newKeySet();

  /** Files that nothing of was acknowledged: they are deleted, or they would fill the cluster. */
  private final Set<String> leftovers = ConcurrentHashMap.newKeySet();

  private final AtomicLong acks = new AtomicLong();
  private final AtomicLong failures = new AtomicLong();
  private final List<String> causes = new CopyOnWriteArrayList<>();
  private final AtomicBoolean paused = new AtomicBoolean();
  private final AtomicBoolean stopped = new AtomicBoolean();
  private final List<Thread> writers = new ArrayList<>();
  private final AtomicLongArray begun;
  private final Object gate = new Object();
  private int busy;

  /**
   * @param maxLedgerBytes beyond which every new file costs old ones, so that the cluster never
   *     fills
   */
  LedgerLoad(Configuration conf, int writers, int maxFileBytes, long maxLedgerBytes, long seed) {
    this(conf, writers, maxFileBytes, maxLedgerBytes, seed, 0);
  }

  /**
   * @param paceMs from the beginning of a writer's file to that of its next, at least: processes
   *     that share two cores with the load have to come up beside it
   */
  LedgerLoad(
      Configuration conf,
      int writers,
      int maxFileBytes,
      long maxLedgerBytes,
      long seed,
      long paceMs) {
    this.conf = conf;
    paceNanos = TimeUnit.MILLISECONDS.toNanos(paceMs);
    this.maxFileBytes = maxFileBytes;
    this.maxLedgerBytes = maxLedgerBytes;
    this.seed = seed;
    begun = new AtomicLongArray(writers);
    for (int i = 0; i < writers; i++) {
      int writer = i;
      Thread thread = new Thread(() -> write(writer), "ledger-writer-" + i);
      thread.setUncaughtExceptionHandler(
          (dead, e) -> {
            e.printStackTrace();
            causes.add(dead.getName() + " ended by " + e);
          });
      thread.setDaemon(true);
      this.writers.add(thread);
    }
    this.writers.forEach(Thread::start);
  }

  long acks() {
    return acks.get();
  }

  long failures() {
    return failures.get();
  }

  /**
   * Returns when every writer has begun a file that it had not begun when this was called: no
   * pipeline of before is left, which would have lost a node more with the next one that goes.
   */
  void awaitNewFiles() {
    List<Long> before = begun();
    MiniRaidp.await("every writer goes on")
        .until(
            () -> {
              List<Long> now = begun();
              return IntStream.range(0, now.size())
                  .allMatch(writer -> now.get(writer) > before.get(writer));
            });
  }

  private List<Long> begun() {
    return IntStream.range(0, begun.length()).mapToObj(begun::get).toList();
  }

  /** Why writes failed, the first few of them. */
  List<String> causes() {
    return List.copyOf(causes);
  }

  /** What the writers do and what has failed, for a test to tell why nothing goes on. */
  String describe() {
    StringBuilder text = new StringBuilder("acks=" + acks + " failures=" + failures);
    causes.forEach(cause -> text.append("\n  failed ").append(cause));
    for (Thread writer : writers) {
      text.append("\n  ").append(writer.getName()).append(' ').append(writer.getState());
      for (StackTraceElement frame : writer.getStackTrace()) {
        text.append("\n      at ").append(frame);
      }
    }
    return text.toString();
  }

  /**
   * Notes a failed write, unless a NameNode failed it that is being stopped within this JVM: its
   * closed edit log refuses by a Java assertion, which a client does not retry elsewhere, where a
   * process that ends would have dropped the connection.
   */
  private void failed(String path, IOException e) {
    if (e instanceof RemoteException r
        && r.getClassName().equals(AssertionError.class.getName())
        && r.getMessage().contains("FSEditLogAsync.logEdit")) {
      return;
    }
    if (failures.incrementAndGet() <= MAX_CAUSES) {
      causes.add(path + ": " + e);
    }
  }

  private void deleteLeftovers(FileSystem fs) throws IOException {
    for (String path : List.copyOf(leftovers)) {
      fs.delete(new Path(path), false);
      leftovers.remove(path);
    }
  }

  /** Returns when no write is under way; none begins until {@link #resume}. */
  void pause() throws InterruptedException {
    paused.set(true);
    synchronized (gate) {
      while (busy > 0) {
        gate.wait();
      }
    }
  }

  void resume() {
    paused.set(false);
    synchronized (gate) {
      gate.notifyAll();
    }
  }

  /** Reads every acknowledged file; the answer names those that differ. Call it while paused. */
  List<String> verify() throws IOException {
    List<String> wrong = new ArrayList<>();
    try (FileSystem fs = FileSystem.newInstance(conf)) {
      for (Map.Entry<String, Entry> entry : acknowledged.entrySet()) {
        try {
          String problem = problem(fs, new Path(entry.getKey()), entry.getValue());
          if (!problem.isEmpty()) {
            wrong.add(entry.getKey() + ": " + problem);
          }
        } catch (IOException e) {
          wrong.add(entry.getKey() + ": " + e);
        }
      }
    }
    return wrong;
  }

  private static String problem(FileSystem fs, Path path, Entry entry) throws IOException {
    try (InputStream in = fs.open(path)) {
      byte[] prefix = in.readNBytes(Math.toIntExact(entry.bytes()));
      if (!digest(prefix).equals(entry.digest())) {
        return "other bytes; read=" + prefix.length + " acknowledged=" + entry.bytes();
      }
      return entry.whole() && in.read() >= 0 ? "longer than written" : "";
    }
  }

  private static String digest(byte[]... pieces) {
    MessageDigest sha = sha256();
    for (byte[] piece : pieces) {
      sha.update(piece);
    }
    return HexFormat.of().formatHex(sha.digest());
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private boolean begin() {
    synchronized (gate) {
      while (paused.get() && !stopped.get()) {
        try {
          gate.wait();
        } catch (InterruptedException e) {
          return false;
        }
      }
      busy++;
      return !stopped.get();
    }
  }

  private void end() {
    synchronized (gate) {
      busy--;
      gate.notifyAll();
    }
  }

  private void write(int writer) {
    Random random = new Random(seed + writer);
    try (FileSystem fs = FileSystem.newInstance(conf)) {
      long beganNanos = System.nanoTime() - paceNanos;
      for (int i = 0; ; i++) {
        awaitTurn(beganNanos + paceNanos);
        boolean go = begin();
        beganNanos = System.nanoTime();
        String path = "/ledger/" + writer + "/" + i;
        try {
          if (!go) {
            return;
          }
          begun.incrementAndGet(writer);
          deleteLeftovers(fs);
          step(fs, path, random);
        } catch (IOException e) {
          failed(path, e);
        } catch (IllegalArgumentException e) {
          failed(path, causeOf(e));
        } finally {
          end();
        }
      }
    } catch (IOException e) {
      throw new AssertionError("cannot make a client", e);
    }
  }

  /**
   * DFSOutputStream throws the same exception from write and from close; Java's try-with-resources
   * cannot suppress one in itself.
   */
  private static IOException causeOf(IllegalArgumentException e) {
    if (e.getCause() instanceof IOException cause) {
      return cause;
    }
    throw e;
  }

  private void awaitTurn(long atNanos) {
    for (long left = atNanos - System.nanoTime(); left > 0 && !stopped.get(); ) {
      LockSupport.parkNanos(left);
      left = atNanos - System.nanoTime();
    }
  }

  /** Creates a file, sometimes appends to it, sometimes deletes an older one. */
  private void step(FileSystem fs, String path, Random random) throws IOException {
    byte[] content = new byte[random.nextInt(maxFileBytes)];
    random.nextBytes(content);
    byte[] more = new byte[random.nextInt(4) == 0 ? 1 + random.nextInt(maxFileBytes / 4) : 0];
    random.nextBytes(more);
    boolean delete = random.nextInt(3) == 0;
    boolean closed = false;
    try (OutputStream out = fs.create(new Path(path))) {
      out.write(content);
      out.close();
      closed = true;
    } finally {
      if (!closed) {
        leftovers.add(path);
      }
    }
    if (more.length > 0) {
      appending.add(path);
    }
    acknowledged.put(path, new Entry(content.length, digest(content), more.length == 0));
    acks.incrementAndGet();
    if (more.length > 0) {
      try (OutputStream out = fs.append(new Path(path))) {
        out.write(more);
        out.close();
        acknowledged.put(
            path, new Entry((long) content.length + more.length, digest(content, more), true));
      } catch (IOException e) {
        appendFailed(fs, path, e);
        return;
      } catch (IllegalArgumentException e) {
        appendFailed(fs, path, causeOf(e));
        return;
      } finally {
        appending.remove(path);
      }
      acks.incrementAndGet();
    }
    if (delete) {
      forgetOne(fs, random);
    }
    boolean found = true;
    while (found && acknowledged.values().stream().mapToLong(Entry::bytes).sum() > maxLedgerBytes) {
      found = forgetOne(fs, random);
    }
  }

  /** The file would stay open until its lease is over, with a block of fewer replicas. */
  private void appendFailed(FileSystem fs, String path, IOException why) {
    failed(APPEND + path, why);
    try {
      ((DistributedFileSystem) fs).recoverLease(new Path(path));
    } catch (IOException e) {
      failed(APPEND + path, e);
    }
  }

  /** Deletes a file that nobody appends to; false when there is none. */
  private boolean forgetOne(FileSystem fs, Random random) {
    List<String> files = new ArrayList<>(acknowledged.keySet());
    files.removeAll(appending);
    if (files.isEmpty()) {
      return false;
    }
    forget(fs, files.get(random.nextInt(files.size())));
    return true;
  }

  private void forget(FileSystem fs, String old) {
    if (acknowledged.remove(old) == null) {
      return;
    }
    try {
      fs.delete(new Path(old), false);
    } catch (IOException e) {
      failed(old, e);
    }
  }

  @Override
  public void close() throws InterruptedException {
    stopped.set(true);
    resume();
    writers.forEach(LockSupport::unpark);
    for (Thread writer : writers) {
      writer.join();
    }
  }
}

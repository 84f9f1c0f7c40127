/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.lstord;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The right to open an Lstor file, exclusive across processes. Two files beside it carry advisory
 * locks of the operating system, which end with the process that holds them, so a killed process
 * leaves nothing to clean up:
 *
 * <ul>
 *   <li>{@code lstor-<disk id>.lock}: locked by whoever has the Lstor open, the DataNode or the
 *       Lstor daemon;
 *   <li>{@code lstor-<disk id>.want}: locked by a DataNode while it waits for the first one.
 * </ul>
 *
 * <p>The DataNode ({@link #acquire}) locks {@code .want}, then waits for {@code .lock}. The daemon
 * ({@link #tryAcquire}) takes {@code .lock} only while nobody has locked {@code .want}, and looks
 * at it ({@link #wanted}) several times a second while it serves: when it finds it locked it
 * finishes the read in flight, closes the Lstor and lets go. So the DataNode always wins, within a
 * fraction of a second, and the daemon serves whenever the DataNode is dead or has let go.
 *
 * <p>The lock file also counts how often it was taken. The daemon keeps what it read from an Lstor
 * while it does not hold it; an unchanged count proves that nobody opened the Lstor meanwhile.
 *
 * <p>POSIX locks belong to a process and are dropped when the process closes any channel on the
 * file. So a file that this process has locked is not opened again, by whatever path: see {@link
 * LockFile}. A second attempt in the same JVM is refused as in use.
 *
 * <p>Thread-safety: instances are confined or guarded by their owner; {@link #close} may be called
 * from any thread.
 */
public final class LstorLock implements Closeable {
  private static final long POLL_NS = TimeUnit.MILLISECONDS.toNanos(20);
  private static final int MAX_RECORD_BYTES = 256;

  private final Path lstorFile;
  private final LockFile held;
  private final long takeCount;

  private LstorLock(Path lstorFile, LockFile held, long takeCount) {
    this.lstorFile = lstorFile;
    this.held = held;
    this.takeCount = takeCount;
  }

  /** The lock file of an Lstor file. */
  public static Path lockFile(Path lstorFile) {
    return lstorFile.resolveSibling(lstorFile.getFileName() + ".lock");
  }

  /** The request file of an Lstor file. */
  public static Path wantFile(Path lstorFile) {
    return lstorFile.resolveSibling(lstorFile.getFileName() + ".want");
  }

  /**
   * Takes the lock, asking its holder to let go: for the DataNode.
   *
   * @param lstorFile the Lstor; need not exist yet, its directory must
   * @param owner who asks, for messages: one line without newline
   * @param timeoutMs longest wait in milliseconds
   * @throws LstorInUseException when the holder did not let go in time
   */
  public static LstorLock acquire(Path lstorFile, String owner, long timeoutMs) throws IOException {
    long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
    try (LockFile want = waitFor(wantFile(lstorFile), deadlineNs, timeoutMs)) {
      LockFile held = waitFor(lockFile(lstorFile), deadlineNs, timeoutMs);
      return taken(lstorFile, held, owner);
    }
  }

  /**
   * Takes the lock if it is free and no DataNode waits for it: for the Lstor daemon and the offline
   * checker.
   */
  public static Optional<LstorLock> tryAcquire(Path lstorFile, String owner) throws IOException {
    if (isLocked(wantFile(lstorFile))) {
      return Optional.empty();
    }
    Optional<LockFile> held = LockFile.lock(lockFile(lstorFile));
    return held.isEmpty() ? Optional.empty() : Optional.of(taken(lstorFile, held.get(), owner));
  }

  /** Whether a DataNode waits for this lock. */
  public boolean wanted() throws IOException {
    return isLocked(wantFile(lstorFile));
  }

  /** How often the lock has ever been taken, this time included. */
  public long takeCount() {
    return takeCount;
  }

  /** Who took the lock last, as it named itself; for messages. */
  public static String lastOwner(Path lstorFile) throws IOException {
    Path file = lockFile(lstorFile);
    if (!Files.exists(file)) {
      return "nobody";
    }
    Optional<LockFile> opened = LockFile.open(file);
    if (opened.isEmpty()) {
      return LockFile.holder(file).orElse("unknown");
    }
    try (LockFile open = opened.get()) {
      String[] words = readRecord(open.channel()).split(" ", 2);
      return words.length == 2 ? words[1] : "unknown";
    }
  }

  @Override
  public void close() throws IOException {
    held.close();
  }

  private static LstorLock taken(Path lstorFile, LockFile held, String owner) throws IOException {
    try {
      FileChannel channel = held.channel();
      long count = readCount(channel) + 1;
      String name = owner.replace('\n', ' ') + " pid " + ProcessHandle.current().pid();
      held.heldBy(name);
      byte[] record = (count + " " + name + "\n").getBytes(StandardCharsets.UTF_8);
      channel.truncate(0);
      ByteBuffer out = ByteBuffer.wrap(record);
      while (out.hasRemaining()) {
        channel.write(out, out.position());
      }
      return new LstorLock(lstorFile, held, count);
    } catch (IOException | RuntimeException | Error e) {
      held.close();
      throw e;
    }
  }

  private static String readRecord(FileChannel channel) throws IOException {
    ByteBuffer in = ByteBuffer.allocate(MAX_RECORD_BYTES);
    // A read may return less than it was asked for.
    int count = channel.read(in, 0);
    while (in.hasRemaining() && count > 0) {
      count = channel.read(in, in.position());
    }
    return new String(in.array(), 0, in.position(), StandardCharsets.UTF_8).strip();
  }

  private static long readCount(FileChannel channel) throws IOException {
    String text = readRecord(channel);
    int space = text.indexOf(' ');
    try {
      return space < 0 ? freshCount() : Long.parseLong(text.substring(0, space));
    } catch (NumberFormatException e) {
      // The file was cut or edited. Only a change of the count matters, and a fresh start from the
      // clock is one.
      return freshCount();
    }
  }

  private static long freshCount() {
    return System.currentTimeMillis();
  }

  private static boolean isLocked(Path file) throws IOException {
    if (!Files.exists(file)) {
      return false;
    }
    Optional<LockFile> probe = LockFile.lock(file);
    if (probe.isEmpty()) {
      return true;
    }
    probe.get().close();
    return false;
  }

  private static LockFile waitFor(Path file, long deadlineNs, long timeoutMs) throws IOException {
    while (true) {
      Optional<LockFile> locked = LockFile.lock(file);
      if (locked.isPresent()) {
        return locked.get();
      }
      if (System.nanoTime() - deadlineNs >= 0 || Thread.currentThread().isInterrupted()) {
        throw new LstorInUseException(
            "Cannot take Lstor: timeoutMs="
                + timeoutMs
                + ", expected its holder to release it in that time, file="
                + file);
      }
      // Another process' lock cannot be awaited with a time limit, only tried again.
      LockSupport.parkNanos(POLL_NS);
    }
  }
}

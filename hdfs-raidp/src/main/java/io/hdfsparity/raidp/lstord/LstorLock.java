/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.lstord;

import io.hdfsparity.core.store.PrivateFiles;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

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
 * file: a process must not take the lock of one Lstor twice. A second attempt in the same JVM is
 * refused as in use.
 *
 * <p>Thread-safety: instances are confined or guarded by their owner; {@link #close} may be called
 * from any thread.
 */
public final class LstorLock implements Closeable {
  private static final long POLL_NS = TimeUnit.MILLISECONDS.toNanos(20);
  private static final int MAX_RECORD_BYTES = 256;

  private final Path lstorFile;
  private final FileChannel channel;
  private final long takeCount;

  private LstorLock(Path lstorFile, FileChannel channel, long takeCount) {
    this.lstorFile = lstorFile;
    this.channel = channel;
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
    try (FileChannel want = waitFor(wantFile(lstorFile), deadlineNs, timeoutMs)) {
      FileChannel held = waitFor(lockFile(lstorFile), deadlineNs, timeoutMs);
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
    FileChannel held = tryLock(lockFile(lstorFile));
    return held == null ? Optional.empty() : Optional.of(taken(lstorFile, held, owner));
  }

  /** Whether a DataNode waits for this lock. */
  public boolean wanted() throws IOException {
    return isLocked(wantFile(lstorFile));
  }

  /** How often the lock has ever been taken, this time included. */
  public long takeCount() {
    return takeCount;
  }

  /**
   * Who took the lock last, as it named itself; for messages. Not to be called by the process that
   * holds the lock: reading the file would drop it.
   */
  public static String lastOwner(Path lstorFile) throws IOException {
    Path file = lockFile(lstorFile);
    if (!Files.exists(file)) {
      return "nobody";
    }
    String[] words = Files.readString(file, StandardCharsets.UTF_8).strip().split(" ", 2);
    return words.length == 2 ? words[1] : "unknown";
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }

  private static LstorLock taken(Path lstorFile, FileChannel channel, String owner)
      throws IOException {
    try {
      long count = readCount(channel) + 1;
      byte[] record =
          (count + " " + owner.replace('\n', ' ') + " pid " + ProcessHandle.current().pid() + "\n")
              .getBytes(StandardCharsets.UTF_8);
      channel.truncate(0);
      ByteBuffer out = ByteBuffer.wrap(record);
      while (out.hasRemaining()) {
        channel.write(out, out.position());
      }
      return new LstorLock(lstorFile, channel, count);
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  private static long readCount(FileChannel channel) throws IOException {
    ByteBuffer in = ByteBuffer.allocate(MAX_RECORD_BYTES);
    // A read may return less than it was asked for.
    int count = channel.read(in, 0);
    while (in.hasRemaining() && count > 0) {
      count = channel.read(in, in.position());
    }
    String text = new String(in.array(), 0, in.position(), StandardCharsets.UTF_8).strip();
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
    FileChannel probe = tryLock(file);
    if (probe == null) {
      return true;
    }
    probe.close();
    return false;
  }

  private static FileChannel waitFor(Path file, long deadlineNs, long timeoutMs)
      throws IOException {
    while (true) {
      FileChannel channel = tryLock(file);
      if (channel != null) {
        return channel;
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

  private static @Nullable FileChannel tryLock(Path file) throws IOException {
    FileChannel channel =
        PrivateFiles.open(
            file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
    boolean locked = false;
    try {
      FileLock lock = channel.tryLock();
      locked = lock != null;
      return locked ? channel : null;
    } catch (OverlappingFileLockException e) {
      // Held by this very JVM: as much in use as if another process held it.
      return null;
    } finally {
      if (!locked) {
        channel.close();
      }
    }
  }
}

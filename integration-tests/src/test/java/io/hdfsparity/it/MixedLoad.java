/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/**
 * Threads that create, append to, truncate, rename, delete and read files of several directories,
 * also from one into the other, and remember what was acknowledged. Of an operation that failed the
 * outcome is open: the file has the bytes of before or those that it was to have. Each file belongs
 * to one thread.
 */
final class MixedLoad implements AutoCloseable {
  private static final int MAX_CAUSES = 20;

  private static final int MAX_TRUNCATE_SECONDS = 40;

  /** Of a thread. */
  private static final int MAX_FILES = 15;

  /** What a file is: bytes for certain, and how many of what may follow them. */
  private record Known(byte[] bytes, int certain) {
    static Known all(byte[] bytes) {
      return new Known(bytes, bytes.length);
    }
  }

  private final DistributedFileSystem fs;
  private final List<String> directories;
  private final List<String> unappendable;
  private final Creator creator;
  private final int maxFileBytes;
  private final List<Thread> threads = new ArrayList<>();
  private final Map<String, Known> known = new ConcurrentHashMap<>();
  private final Set<String> abandoned = ConcurrentHashMap.newKeySet();
  private final List<String> problems = new CopyOnWriteArrayList<>();
  private final Map<String, Integer> done = new ConcurrentHashMap<>();
  private final Map<String, Integer> failed = new ConcurrentHashMap<>();
  private final List<String> causes = new CopyOnWriteArrayList<>();
  private final Object gate = new Object();
  private boolean isPaused;
  private boolean isStopped;
  private int busy;

  /**
   * @param directories where files are
   * @param unappendable those of them whose files are only created, renamed within and deleted
   */
  MixedLoad(
      DistributedFileSystem fs,
      List<String> directories,
      List<String> unappendable,
      Creator creator,
      int writers,
      int maxFileBytes,
      long seed) {
    this.fs = fs;
    this.directories = directories;
    this.unappendable = unappendable;
    this.creator = creator;
    this.maxFileBytes = maxFileBytes;
    for (int i = 0; i < writers; i++) {
      int writer = i;
      Thread thread = new Thread(() -> run(writer, new Random(seed + writer)), "mixed-load-" + i);
      thread.setDaemon(true);
      threads.add(thread);
    }
    threads.forEach(Thread::start);
  }

  private void run(int writer, Random random) {
    List<String> mine = new ArrayList<>();
    for (int i = 0; begin(); i++) {
      try {
        step(writer + "-" + i, mine, random);
      } catch (IOException | RuntimeException e) {
        problems.add("unexpected " + e);
      } finally {
        end();
      }
    }
  }

  private boolean begin() {
    synchronized (gate) {
      while (isPaused && !isStopped) {
        try {
          gate.wait();
        } catch (InterruptedException e) {
          return false;
        }
      }
      busy++;
      return !isStopped;
    }
  }

  private void end() {
    synchronized (gate) {
      busy--;
      gate.notifyAll();
    }
  }

  void pause() throws InterruptedException {
    synchronized (gate) {
      isPaused = true;
      while (busy > 0) {
        gate.wait();
      }
    }
  }

  void resume() {
    synchronized (gate) {
      isPaused = false;
      gate.notifyAll();
    }
  }

  /** Operations that were acknowledged. */
  int acks() {
    return done.values().stream().mapToInt(Integer::intValue).sum();
  }

  /** Creates a file as its directory wants it. */
  interface Creator {
    OutputStream create(String path) throws IOException;
  }

  private interface Change {
    void make() throws IOException;
  }

  /** Makes a change; true: it was acknowledged. */
  private boolean isDone(String what, String path, Change change) {
    try {
      change.make();
      done.merge(what, 1, Integer::sum);
      return true;
    } catch (IOException | IllegalArgumentException e) {
      // DFSOutputStream throws the same exception from write and from close.
      failed.merge(what, 1, Integer::sum);
      if (causes.size() < MAX_CAUSES) {
        causes.add(what + " " + path + ": " + e.toString().lines().findFirst().orElseThrow());
      }
      return false;
    }
  }

  private void step(String name, List<String> mine, Random random) throws IOException {
    int choice = random.nextInt(10);
    if (mine.isEmpty() || choice < 4 && mine.size() < MAX_FILES) {
      create(directories.get(random.nextInt(directories.size())) + "/" + name, mine, random);
      return;
    }
    String path = mine.get(random.nextInt(mine.size()));
    boolean isChangeable = unappendable.stream().noneMatch(d -> path.startsWith(d + "/"));
    if (choice >= 8) {
      delete(path, mine);
    } else if (choice == 7) {
      rename(path, directories.get(random.nextInt(directories.size())) + "/" + name, mine);
    } else if (choice == 6 && isChangeable) {
      truncate(path, mine, random);
    } else if (choice == 5 && isChangeable) {
      append(path, random);
    } else {
      check(path);
    }
  }

  private byte[] bytes(int length, Random random) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }

  private void create(String path, List<String> mine, Random random) {
    byte[] content = bytes(1 + random.nextInt(maxFileBytes), random);
    boolean isDone =
        isDone(
            "create",
            path,
            () -> {
              try (OutputStream out = creator.create(path)) {
                out.write(content);
              }
            });
    known.put(path, isDone ? Known.all(content) : new Known(content, 0));
    if (!isDone) {
      close(path);
    }
    if (exists(path)) {
      mine.add(path);
    } else if (isDone) {
      problems.add("gone " + path);
    } else {
      known.remove(path);
    }
  }

  private void append(String path, Random random) {
    if (!isCertain(path)) {
      return;
    }
    Known before = known.get(path);
    byte[] more = bytes(1 + random.nextInt(maxFileBytes / 3), random);
    byte[] all = Arrays.copyOf(before.bytes(), before.bytes().length + more.length);
    System.arraycopy(more, 0, all, before.bytes().length, more.length);
    known.put(path, new Known(all, before.certain()));
    if (isDone(
        "append",
        path,
        () -> {
          try (OutputStream out = fs.append(new Path(path))) {
            out.write(more);
          }
        })) {
      known.put(path, Known.all(all));
    } else {
      close(path);
    }
  }

  private boolean isCertain(String path) {
    Known is = known.get(path);
    return is != null && is.certain() == is.bytes().length;
  }

  private void truncate(String path, List<String> mine, Random random) {
    if (!isCertain(path)) {
      return;
    }
    Known before = known.get(path);
    int length = random.nextInt(before.bytes().length + 1);
    known.put(path, new Known(before.bytes(), length));
    boolean isDone = isDone("truncate", path, () -> fs.truncate(new Path(path), length));
    if (!isTruncated(path)) {
      // Nobody deletes it: HDFS would delete blocks of its snapshots, too (also without the suite).
      mine.remove(path);
      known.remove(path);
      abandoned.add(path);
    } else if (isDone) {
      known.put(path, Known.all(Arrays.copyOf(before.bytes(), length)));
    }
  }

  private void rename(String from, String to, List<String> mine) throws IOException {
    boolean isAnswered =
        isDone(
            "rename",
            from,
            () -> {
              if (!fs.rename(new Path(from), new Path(to))) {
                throw new IOException("false");
              }
            });
    Known is = known.get(from);
    if (isAnswered || exists(to)) {
      mine.remove(from);
      mine.add(to);
      known.put(to, is);
      known.remove(from);
    }
  }

  private boolean exists(String path) {
    return Awaitility.await(path)
        .ignoreExceptions()
        .until(() -> java.util.Optional.of(fs.exists(new Path(path))), found -> true)
        .get();
  }

  private void delete(String path, List<String> mine) {
    isDone("delete", path, () -> fs.delete(new Path(path), false));
    // Whether it was or not: nobody asks for it any more.
    mine.remove(path);
    known.remove(path);
    if (exists(path)) {
      mine.add(path);
      known.put(path, new Known(new byte[0], 0));
      if (!isDone("delete", path, () -> fs.delete(new Path(path), false))) {
        // HDFS deletes no erasure-coded file that was renamed out of a directory with snapshots:
        // INodeFile.collectBlocksBeyondSnapshot.
        abandoned.add(path);
      }
      mine.remove(path);
      known.remove(path);
    }
  }

  /** Ends a write that failed. */
  private void close(String path) {
    Awaitility.await("closed " + path)
        .ignoreExceptions()
        .pollInterval(200, TimeUnit.MILLISECONDS)
        .until(() -> !fs.exists(new Path(path)) || fs.recoverLease(new Path(path)));
  }

  /**
   * Waits for a truncate. To recover the lease meanwhile would begin another recovery of the block;
   * where a DataNode fails too, HDFS never ends one: "Inconsistent size of finalized replicas".
   *
   * @return whether it has ended
   */
  private boolean isTruncated(String path) {
    try {
      Awaitility.await("truncated " + path)
          .atMost(MAX_TRUNCATE_SECONDS, TimeUnit.SECONDS)
          .ignoreExceptions()
          .pollInterval(200, TimeUnit.MILLISECONDS)
          .until(() -> fs.isFileClosed(new Path(path)));
      return true;
    } catch (ConditionTimeoutException e) {
      return false;
    }
  }

  private void check(String path) {
    byte[][] read = new byte[1][];
    if (isDone("read", path, () -> read[0] = read(path))) {
      String problem = problem(known.get(path), read[0]);
      if (!problem.isEmpty()) {
        problems.add(path + ": " + problem);
      }
    }
  }

  private byte[] read(String path) throws IOException {
    try (InputStream in = fs.open(new Path(path))) {
      return in.readAllBytes();
    }
  }

  private static String problem(Known is, byte[] read) {
    if (read.length < is.certain() || read.length > is.bytes().length) {
      return "length=" + read.length + " certain=" + is.certain() + " of=" + is.bytes().length;
    }
    int at = Arrays.mismatch(read, Arrays.copyOf(is.bytes(), read.length));
    return at < 0 ? "" : "differs at " + at;
  }

  /** What is known of files for certain now, of those whose last operation was acknowledged. */
  Map<String, byte[]> contents() {
    Map<String, byte[]> contents = new TreeMap<>();
    known.forEach(
        (path, is) -> {
          if (isCertain(path)) {
            contents.put(path, is.bytes());
          }
        });
    return contents;
  }

  /** Reads all files; call it while paused. */
  List<String> verify() {
    List<String> wrong = new ArrayList<>(problems);
    known.forEach(
        (path, is) -> {
          try {
            if (is.certain() > 0 || isCertain(path)) {
              String problem = problem(is, read(path));
              if (!problem.isEmpty()) {
                wrong.add(path + ": " + problem);
              }
            }
          } catch (IOException e) {
            wrong.add(path + ": " + e);
          }
        });
    return wrong;
  }

  /** Deletes files whose last operation failed: nobody knows how long they are. */
  void deleteUncertain() throws IOException {
    for (String path : List.copyOf(known.keySet())) {
      if (!isCertain(path)) {
        fs.delete(new Path(path), false);
        known.remove(path);
      }
    }
    for (String directory : directories) {
      for (FileStatus file : fs.listStatus(new Path(directory))) {
        String path = file.getPath().toUri().getPath();
        if (file.isFile() && !known.containsKey(path) && !abandoned.contains(path)) {
          fs.delete(file.getPath(), false);
        }
      }
    }
  }

  String describe() {
    return "done="
        + new TreeMap<>(done)
        + " failed="
        + new TreeMap<>(failed)
        + " abandoned="
        + abandoned
        + " "
        + causes;
  }

  @Override
  public void close() throws InterruptedException {
    synchronized (gate) {
      isStopped = true;
      gate.notifyAll();
    }
    for (Thread thread : threads) {
      thread.join();
    }
  }
}

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import io.hdfsparity.ecupdate.ajx.AddMode;
import io.hdfsparity.ecupdate.client.FileUpdates;
import io.hdfsparity.ecupdate.updater.StripedFileUpdater;
import io.hdfsparity.ecupdate.updater.UpdaterOptions;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.jspecify.annotations.Nullable;

/**
 * A program that can be killed: writes and reads places of one file which other such programs write
 * too, and says what it does and when, a line each, the beginning of a write before it begins.
 * Times are of {@link System#nanoTime}, which on Linux is the same for all processes.
 *
 * <pre>
 * B id position length seed nanos    a write begins; its bytes follow from the seed
 * A id nanos                         it is acknowledged
 * R position began ended hex         a read has ended
 * F why                              something failed; the file is opened again
 * P                                  it pauses, until it reads a line "go"
 * </pre>
 */
public final class UpdatingProgram {
  /** Part of the file where all programs meet. */
  private static final int HOT_BYTES = 150_000;

  /** And another one, at the end, where the last codeword may be short. */
  private static final int LAST_BYTES = 40_000;

  private static final int MAX_WRITE = 20_000;
  private static final int MAX_READ = 500;
  private static final long OPEN_AGAIN_MS = 100;

  /**
   * At most, between operations: processes that are started share the machine with those that
   * write, and without it get so little of it that nothing comes up.
   */
  private static final int MAX_PAUSE_MS = 20;

  /** Waits less long than others, so that it says soon what it waits for. */
  private static final UpdaterOptions OPTIONS =
      new UpdaterOptions(
          new UpdaterOptions.Adds(AddMode.PARALLEL, 1, 0), 0, 32, 4096, 16, 30_000, 100, 2);

  private final FileSystem fs;
  private final Path path;
  private final int lengthBytes;
  private final Random random;
  private final BlockingQueue<String> orders = new LinkedBlockingQueue<>();
  private @Nullable StripedFileUpdater updater;
  private long nextId;

  private UpdatingProgram(FileSystem fs, Path path, int lengthBytes, long seed) {
    this.fs = fs;
    this.path = path;
    this.lengthBytes = lengthBytes;
    random = new Random(seed);
  }

  /** Site file, path, its length, seed. Pauses at first. Ends with its standard input. */
  public static void main(String[] args) throws Exception {
    Configuration conf = new Configuration(false);
    conf.addResource(new Path(args[0]));
    FileSystem fs = FileSystem.get(URI.create(conf.get("fs.defaultFS")), conf);
    UpdatingProgram program =
        new UpdatingProgram(
            fs, new Path(args[1]), Integer.parseInt(args[2]), Long.parseLong(args[3]));
    // Before anybody is heard: a "go" that comes while this JVM starts must be the later order.
    program.orders.add("pause");
    Thread listener = new Thread(program::listen, "orders");
    listener.setDaemon(true);
    listener.start();
    program.run();
  }

  /** What a write with a seed has written. */
  static byte[] bytes(long seed, int length) {
    byte[] bytes = new byte[length];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  private void listen() {
    try (BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        orders.add(line);
      }
    } catch (IOException e) {
      System.err.println(e);
    }
    Runtime.getRuntime().halt(0);
  }

  private static void say(Object... words) {
    StringBuilder line = new StringBuilder();
    for (Object word : words) {
      line.append(word).append(' ');
    }
    // What is not whole has no dot at its end.
    System.out.println(line.append('.'));
  }

  private void run() throws InterruptedException {
    while (true) {
      String order = orders.poll();
      while ("pause".equals(order)) {
        say("P");
        order = orders.take();
      }
      try {
        if (updater == null) {
          updater = FileUpdates.open(fs, path, OPTIONS);
        }
        work(updater);
        TimeUnit.MILLISECONDS.sleep(random.nextInt(MAX_PAUSE_MS));
      } catch (IOException e) {
        say("F", String.valueOf(e).replace('\n', ' '));
        giveUp();
      }
    }
  }

  private void giveUp() throws InterruptedException {
    StripedFileUpdater old = updater;
    updater = null;
    if (old != null) {
      try {
        old.close();
      } catch (IOException e) {
        say("F", String.valueOf(e).replace('\n', ' '));
      }
    }
    TimeUnit.MILLISECONDS.sleep(OPEN_AGAIN_MS);
  }

  /**
   * Most are in the part where all meet, one of three anywhere, of those one of four at the end.
   */
  private int somewhere(int length) {
    if (random.nextInt(3) != 0) {
      return random.nextInt(HOT_BYTES - length + 1);
    }
    int from = random.nextInt(4) == 0 ? lengthBytes - LAST_BYTES : 0;
    return from + random.nextInt(lengthBytes - from - length + 1);
  }

  private void work(StripedFileUpdater file) throws IOException {
    int length = 1 + random.nextInt(random.nextInt(3) == 0 ? MAX_WRITE : 3000);
    int position = somewhere(length);
    if (random.nextInt(4) == 0) {
      byte[] read = new byte[Math.min(length, MAX_READ)];
      long began = System.nanoTime();
      file.read(position, ByteBuffer.wrap(read));
      say("R", position, began, System.nanoTime(), HexFormat.of().formatHex(read));
      return;
    }
    long id = nextId++;
    long seed = random.nextLong();
    byte[] bytes = bytes(seed, length);
    say("B", id, position, length, seed, System.nanoTime());
    file.write(position, ByteBuffer.wrap(bytes));
    say("A", id, System.nanoTime());
  }
}

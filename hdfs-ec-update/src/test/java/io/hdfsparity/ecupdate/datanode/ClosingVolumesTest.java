/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.datanode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hdfsparity.ecupdate.config.StorageKey;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A disk that does not answer any more: the engine's trace goes to a pipe that is full, so whoever
 * writes hangs inside the system.
 */
@Timeout(120)
class ClosingVolumesTest extends UpdateVolumeFixture {
  private final ClosingVolumes closing = new ClosingVolumes(200);
  private final AtomicReference<Exception> refusal = new AtomicReference<>();
  private final AtomicBoolean isDrained = new AtomicBoolean();
  private Path traced = Path.of("");

  @Override
  void configure(Configuration conf) {
    if (!traced.toString().isEmpty()) {
      conf.set(StorageKey.IO_TRACE.key(), traced.toString());
    }
  }

  @Test
  void aDiskThatAnswersIsClosedOnReturn() throws Exception {
    admit(DATA);
    swap(100, new byte[] {1});
    ClosingVolumes patient = new ClosingVolumes(60_000);
    patient.close(Map.of(OneVolume.STORAGE, volume.retire()));
    patient.requireClosed(OneVolume.STORAGE);
    restart();
    admit(DATA);
    swap(100, new byte[] {2});
  }

  @Test
  void nobodyWaitsForADiskThatHangsAndNoOtherEngineIsOpenedOnItsLog() throws Exception {
    traced = Files.createDirectory(root.resolve("traced"));
    Path pipe = traced.resolve(OneVolume.STORAGE + ".io");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    try (RandomAccessFile reader = new RandomAccessFile(pipe.toFile(), "rw")) {
      restart();
      admit(DATA);
      Thread writer = new Thread(this::writeUntilClosed);
      writer.setDaemon(true);
      writer.start();
      awaitHanging();
      closing.close(Map.of(OneVolume.STORAGE, volume.retire()));
      assertThatThrownBy(() -> closing.requireClosed(OneVolume.STORAGE))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("still being closed")
          .hasMessageContaining("restart the DataNode");
      FutureTask<@Nullable Void> draining = new FutureTask<>(() -> drain(reader));
      Thread drainer = new Thread(draining);
      drainer.setDaemon(true);
      drainer.start();
      await().untilAsserted(() -> closing.requireClosed(OneVolume.STORAGE));
      writer.join();
      assertThat(refusal.get()).as("the volume was out of service").isInstanceOf(IOException.class);
      isDrained.set(true);
      reader.write(0);
      draining.get();
    }
  }

  @Test
  void anEngineThatHangsKeepsOthersOutAfterAnotherOneOfItsStorageIsClosed() throws Exception {
    ClosingVolumes hasty = new ClosingVolumes(1);
    CountDownLatch diskAnswers = new CountDownLatch(1);
    AtomicBoolean isSecondClosed = new AtomicBoolean();
    hasty.close(Map.of(OneVolume.STORAGE, () -> awaitUnchecked(diskAnswers)));
    hasty.close(Map.of(OneVolume.STORAGE, () -> isSecondClosed.set(true)));
    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(() -> hasty.requireClosed(OneVolume.STORAGE))
          .hasMessageContaining("still being closed");
    }
    assertThat(isSecondClosed).as("it comes after the first").isFalse();
    diskAnswers.countDown();
    await().untilAsserted(() -> hasty.requireClosed(OneVolume.STORAGE));
    assertThat(isSecondClosed).isTrue();
  }

  /** HDFS may notice a failed disk between its making and its start. */
  @Test
  void aVolumeThatHasFailedIsNotStarted() throws Exception {
    admit(DATA);
    swap(100, new byte[] {1});
    volume.retire().close();
    volume.start(OneVolume.POOL);
    assertThatThrownBy(() -> volume.running()).hasMessageContaining("out of service");
    restart();
    admit(DATA);
    swap(100, new byte[] {2});
  }

  /** HDFS may find while a volume is started that its disk has failed. */
  @Test
  void aVolumeThatFailsWhileItIsStartedLeavesNoEngineOpen() throws Exception {
    admit(DATA);
    swap(100, new byte[] {1});
    disk.whileLooking = () -> volume.retire().close();
    restart();
    disk.whileLooking = () -> {};
    assertThatThrownBy(() -> volume.running()).hasMessageContaining("out of service");
    assertThat(Thread.getAllStackTraces().keySet())
        .extracting(Thread::getName)
        .doesNotContain("ec-update-" + OneVolume.STORAGE + "-mover");
    restart();
    admit(DATA);
    swap(100, new byte[] {2});
  }

  private static void awaitUnchecked(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private void writeUntilClosed() {
    try {
      for (int i = 0; i < 1_000_000; i++) {
        swap(100, new byte[] {(byte) i});
      }
    } catch (Exception e) {
      refusal.set(e);
    }
  }

  /** The disk answers again. A read of a pipe does not end when another thread closes it. */
  private @Nullable Void drain(RandomAccessFile reader) throws IOException {
    byte[] piece = new byte[1 << 16];
    while (!isDrained.get()) {
      assertThat(reader.read(piece)).isPositive(); // what was written is of no use
    }
    return null;
  }

  /** Nothing more of the log is written: whoever does it waits for the pipe. */
  private void awaitHanging() {
    AtomicReference<@Nullable Thread> before = new AtomicReference<>();
    await()
        .pollInterval(Duration.ofMillis(500))
        .until(
            () -> {
              Thread now = writing();
              return now != null && now.equals(before.getAndSet(now));
            });
  }

  /** Who is about to write to the trace. One that is so twice, some time apart, hangs. */
  private static @Nullable Thread writing() {
    return Thread.getAllStackTraces().entrySet().stream()
        .filter(
            each ->
                each.getValue().length > 0
                    && each.getValue()[0].getMethodName().startsWith("write")
                    && Arrays.toString(each.getValue()).contains("IoTrace.note"))
        .map(Map.Entry::getKey)
        .findFirst()
        .orElse(null);
  }
}

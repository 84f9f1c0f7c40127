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
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.conf.Configuration;
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
    closing.close(Map.of(OneVolume.STORAGE, volume.retire()));
    closing.requireClosed(OneVolume.STORAGE);
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
      drain(reader);
      await().untilAsserted(() -> closing.requireClosed(OneVolume.STORAGE));
      writer.join();
      assertThat(refusal.get()).as("the volume was out of service").isInstanceOf(IOException.class);
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

  /** Nothing more of the log is written: whoever does it waits for the pipe. */
  private void awaitHanging() {
    await()
        .until(
            () ->
                Thread.getAllStackTraces().values().stream()
                    .anyMatch(
                        trace ->
                            trace.length > 0
                                && trace[0].getMethodName().startsWith("write")
                                && Arrays.toString(trace).contains("IoTrace.note")));
  }

  private static void drain(RandomAccessFile reader) {
    Thread draining =
        new Thread(
            () -> {
              byte[] piece = new byte[1 << 16];
              try {
                while (reader.read(piece) >= 0) {
                  // what was written is of no use
                }
              } catch (IOException e) {
                assertThat(e).hasMessageContaining("Closed");
              }
            });
    draining.setDaemon(true);
    draining.start();
  }
}

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.lstord;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LstorLockTest {
  @TempDir Path dir;

  @Test
  void oneHolderAtATimeAndTheCountShowsEachTake() throws Exception {
    Path file = dir.resolve("lstor-d1");
    long first;
    try (LstorLock held = LstorLock.acquire(file, "DataNode", 1000)) {
      first = held.takeCount();
      assertThat(LstorLock.tryAcquire(file, "daemon")).isEmpty();
      assertThatThrownBy(() -> LstorLock.acquire(file, "another", 50))
          .isInstanceOf(LstorInUseException.class)
          .hasMessageContaining("timeoutMs=50")
          .hasMessageContaining("lstor-d1");
      assertThat(LstorLock.lastOwner(file)).startsWith("DataNode pid ");
      assertThat(held.wanted()).isFalse();
    }
    Optional<LstorLock> again = LstorLock.tryAcquire(file, "daemon");
    assertThat(again).isPresent();
    assertThat(again.get().takeCount()).isEqualTo(first + 1);
    again.get().close();
  }

  /** Closing any channel of a locked file drops the locks that this process has on it. */
  @Test
  void anotherAttemptOfTheSameProcessLeavesTheLockHeld() throws Exception {
    Path file = dir.resolve("lstor-d1");
    Path link = java.nio.file.Files.createSymbolicLink(dir.resolve("link"), dir);
    try (LstorLock held = LstorLock.acquire(file, "DataNode", 1000)) {
      Path again = link.resolve("lstor-d1");
      assertThatThrownBy(() -> LstorLock.acquire(again, "another", 50))
          .isInstanceOf(LstorInUseException.class);
      assertThat(LstorLock.tryAcquire(file, "daemon")).isEmpty();
      assertThat(LstorLock.lastOwner(again)).startsWith("DataNode pid ");
      try (ChildProcess child = ChildProcess.start(LockAttempt.class, file.toString())) {
        child.expect("IN USE");
      }
      assertThat(held.wanted()).isFalse();
    }
    assertThat(LstorLock.lastOwner(file)).startsWith("DataNode pid ");
  }

  @Test
  void aWaitingDataNodeIsSeenAndServedFirst() throws Exception {
    Path file = dir.resolve("lstor-d1");
    LstorLock daemon = LstorLock.tryAcquire(file, "daemon").orElseThrow();
    try (ChildProcess child = ChildProcess.start(LockHolder.class, file.toString())) {
      child.expect("WAITING");
      org.awaitility.Awaitility.await().until(daemon::wanted);
      daemon.close();
      child.expect("HELD");
      assertThat(LstorLock.tryAcquire(file, "daemon")).isEmpty();
      assertThat(LstorLock.lastOwner(file)).startsWith("child DataNode");
      child.kill();
    }
    // The operating system lets go for a killed process; nothing is left behind that would keep the
    // daemon out.
    org.awaitility.Awaitility.await()
        .until(
            () -> {
              Optional<LstorLock> taken = LstorLock.tryAcquire(file, "daemon");
              if (taken.isPresent()) {
                taken.get().close();
              }
              return taken.isPresent();
            });
  }

  @Test
  void aDamagedLockFileCountsAsTakenBySomebody() throws Exception {
    Path file = dir.resolve("lstor-d1");
    java.nio.file.Files.writeString(LstorLock.lockFile(file), "garbage");
    try (LstorLock held = LstorLock.tryAcquire(file, "daemon").orElseThrow()) {
      assertThat(held.takeCount()).isGreaterThan(1_000_000);
    }
  }

  /** Tries once. */
  static final class LockAttempt {
    public static void main(String[] args) throws Exception {
      Path file = Path.of(args[0]);
      System.out.println(LstorLock.tryAcquire(file, "child").isEmpty() ? "IN USE" : "HELD");
    }
  }

  /** Takes the lock as a DataNode does and keeps it until killed. */
  static final class LockHolder {
    public static void main(String[] args) throws Exception {
      System.out.println("WAITING");
      LstorLock lock = LstorLock.acquire(Path.of(args[0]), "child DataNode", 120_000);
      System.out.println("HELD");
      System.in.read();
      lock.close();
    }
  }
}

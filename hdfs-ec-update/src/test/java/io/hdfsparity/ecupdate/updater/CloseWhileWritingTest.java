/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.updater;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.ecupdate.ajx.ReplicaKey;
import io.hdfsparity.ecupdate.ajx.Request;
import io.hdfsparity.ecupdate.ajx.SlotKey;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An updater is closed while nodes do not answer: nothing that was begun waits for ever. */
@Timeout(60)
class CloseWhileWritingTest extends UpdaterFixture {
  /** Far longer than the test. */
  private static final long OPERATION_MS = 3_600_000;

  private static class Unresponsive implements NodeCalls {
    @Override
    public void call(Endpoint node, SlotKey slot, Request request, Listener listener) {}

    @Override
    public void giveUp(Endpoint node, ReplicaKey replica) {}
  }

  @Test
  void anOperationUnderWayFailsWhenItsUpdaterIsClosedByAThreadThatIsInterrupted() throws Exception {
    StripedFileUpdater updater =
        StripedFileUpdater.open(start("PLR"), new Unresponsive(), options(0, OPERATION_MS));
    CompletableFuture<Void> written = updater.writeAsync(0, ByteBuffer.wrap(some(60)));
    CompletableFuture<byte[]> read = updater.readAsync(0, 1);
    Thread.currentThread().interrupt();
    try {
      assertThatThrownBy(updater::close).isInstanceOf(IOException.class);
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }
    for (CompletableFuture<?> under : List.of(written, read)) {
      assertThat(under).isCompletedExceptionally();
      assertThatThrownBy(under::join)
          .isInstanceOf(CompletionException.class)
          .hasCauseInstanceOf(IOException.class)
          .hasMessageContaining("the updater was closed");
    }
  }

  /** Closes the updater while the first call is sent: what it belongs to has just begun. */
  private static final class ClosingWhenCalled extends Unresponsive {
    final AtomicReference<StripedFileUpdater> updater = new AtomicReference<>();
    private final AtomicBoolean isClosed = new AtomicBoolean();

    @Override
    public void call(Endpoint node, SlotKey slot, Request request, Listener listener) {
      if (isClosed.compareAndSet(false, true)) {
        CompletableFuture.runAsync(
                () -> {
                  Thread.currentThread().interrupt();
                  try {
                    updater.get().close();
                  } catch (IOException e) {
                    throw new UncheckedIOException(e);
                  }
                },
                task -> new Thread(task, "closing").start())
            .join();
      }
    }
  }

  @Test
  void anOperationThatBeginsWhileItsUpdaterIsClosedFailsByAnIoException() throws Exception {
    ClosingWhenCalled calls = new ClosingWhenCalled();
    StripedFileUpdater updater =
        StripedFileUpdater.open(start("PLR"), calls, options(0, OPERATION_MS));
    calls.updater.set(updater);
    assertThatThrownBy(() -> updater.write(0, ByteBuffer.wrap(some(60))))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("the updater was closed");
  }
}

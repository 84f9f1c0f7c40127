/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.datanode;

import io.hdfsparity.core.check.Clock;
import io.hdfsparity.core.check.ErrorMessage;
import io.hdfsparity.raidp.wire.RaidpPeerProtocol;
import io.hdfsparity.raidp.wire.message.Pairing;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Calls of a frame's partner by background work. One that does not answer is left alone for a
 * moment, so that its timeout is not waited for once for each block. Thread-safe.
 */
final class PartnerCalls {
  private final Frame frame;
  private final Clock clock;
  private final SilentPartners silent;
  private volatile long partnerSilentUntilNanos;

  PartnerCalls(Frame frame) {
    this.frame = frame;
    this.clock = frame.disk().context().clock();
    this.silent = frame.disk().context().work().silent();
    this.partnerSilentUntilNanos = clock.nanoTime();
  }

  /** A call of the partner. */
  @FunctionalInterface
  interface Call<T> {
    T make() throws IOException;
  }

  /** The partner, unless it was silent a moment ago. */
  Optional<RaidpPeerProtocol> partner(Pairing pairing) {
    return frame.disk().context().partners().of(pairing) instanceof Partners.Reachable reachable
            && clock.nanoTime() - partnerSilentUntilNanos >= 0
            && silent.mayAsk(pairing.partnerNodeUuid())
        ? Optional.of(reachable.peer())
        : Optional.empty();
  }

  /**
   * The partner, as {@link #partner}.
   *
   * @throws IOException if it cannot be asked now
   */
  RaidpPeerProtocol requirePartner(Pairing pairing) throws IOException {
    RaidpPeerProtocol reachable = frame.disk().context().partners().requireReachable(pairing);
    if (partner(pairing).isEmpty()) {
      throw new IOException(
          ErrorMessage.to("ask the partner")
              .value("nodeUuid", pairing.partnerNodeUuid())
              .expected("a node that has answered the last call of it")
              .where("partnerStorageId", pairing.partnerStorageId())
              .message());
    }
    return reachable;
  }

  /** Whether the partner needs nothing of what is still held here of a deleted block. */
  boolean isClear(Pairing pairing, long blockId) throws IOException {
    if (frame.isSuperseded(pairing)) {
      return true;
    }
    RaidpPeerProtocol peer = partner(pairing).orElse(null);
    return peer != null
        && call(pairing, () -> peer.released(Frame.ref(pairing), blockId))
            .filter(covers -> !covers)
            .isPresent();
  }

  /** What becomes of a step that needs a partner who cannot be asked. */
  SettleOutcome without(Pairing pairing) {
    return frame.disk().context().partners().of(pairing) instanceof Partners.Dead
        ? SettleOutcome.DONE
        : SettleOutcome.LATER;
  }

  /** Calls the partner; empty when its frame is gone for good. */
  <T> Optional<T> call(Pairing pairing, Call<T> call) throws IOException {
    try {
      return Optional.of(made(pairing.partnerNodeUuid(), call));
    } catch (PeerException.FrameFailed e) {
      return Optional.empty();
    } catch (PeerException.UnknownSuperchunk e) {
      if (frame.isConfirmed(pairing)) {
        return Optional.empty();
      }
      throw e;
    } catch (PeerException e) {
      throw e;
    } catch (IOException e) {
      // Most likely a timeout: do not wait for it once for each block.
      partnerSilentUntilNanos =
          clock.nanoTime()
              + TimeUnit.MILLISECONDS.toNanos(frame.disk().context().options().reportIntervalMs());
      throw e;
    }
  }

  /** Makes a call whose answer does not depend on the frame. */
  <T> T made(String nodeUuid, Call<T> call) throws IOException {
    silent.asked(nodeUuid);
    try {
      T answer = call.make();
      silent.answered(nodeUuid);
      return answer;
    } catch (PeerException e) {
      silent.answered(nodeUuid);
      throw e;
    } catch (SocketTimeoutException e) {
      silent.timedOut(nodeUuid);
      throw e;
    } catch (IOException | RuntimeException | Error e) {
      silent.failed(nodeUuid);
      throw e;
    }
  }
}

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.nbd;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;

/** What a server may run out of: each failure happens once. Thread-safe. */
final class Faults {
  /** Longer than a header, or data that goes with it. */
  private static final int PAYLOAD_BYTES = 1 << 16;

  private final AtomicReference<Optional<Throwable>> payload =
      new AtomicReference<>(Optional.empty());
  private final Set<String> threads = ConcurrentHashMap.newKeySet();

  static Faults none() {
    return new Faults();
  }

  /** The next piece of a reply's data that is sent by itself fails. */
  void failPayload(Throwable why) {
    payload.set(Optional.of(why));
  }

  /** The next thread of that name cannot be started. */
  void failThread(String name) {
    threads.add(name);
  }

  /** Whether what was to fail has failed. */
  boolean areOver() {
    return payload.get().isEmpty() && threads.isEmpty();
  }

  Thread thread(String name, Runnable work) {
    Thread made =
        new Thread(work, name) {
          @Override
          public void start() {
            if (threads.remove(name)) {
              throw new OutOfMemoryError("unable to create native thread");
            }
            super.start();
          }
        };
    made.setDaemon(true);
    return made;
  }

  Acceptor on(Acceptor acceptor) {
    return new Acceptor() {
      @Override
      public Peer accept() throws IOException {
        return new FaultyPeer(acceptor.accept());
      }

      @Override
      public Handshake.Security security() {
        return acceptor.security();
      }

      @Override
      public String uri(String export) {
        return acceptor.uri(export);
      }

      @Override
      public void close() throws IOException {
        acceptor.close();
      }
    };
  }

  private final class FaultyPeer implements Peer {
    private final Peer peer;

    FaultyPeer(Peer peer) {
      this.peer = peer;
    }

    @Override
    public InputStream in() throws IOException {
      return peer.in();
    }

    @Override
    public OutputStream out() throws IOException {
      return new FilterOutputStream(peer.out()) {
        @Override
        public void write(byte[] source, int offset, int lengthBytes) throws IOException {
          if (lengthBytes > PAYLOAD_BYTES) {
            fail(payload.getAndSet(Optional.empty()));
          }
          out.write(source, offset, lengthBytes);
        }
      };
    }

    @Override
    public String address() {
      return peer.address();
    }

    @Override
    public String host() {
      return peer.host();
    }

    @Override
    public Peer withTls() throws IOException {
      return new FaultyPeer(peer.withTls());
    }

    @Override
    public void close() throws IOException {
      peer.close();
    }
  }

  private static void fail(Optional<Throwable> why) throws IOException {
    if (why.isEmpty()) {
      return;
    }
    if (why.get() instanceof Error error) {
      throw error;
    }
    throw new IOException(why.get());
  }
}

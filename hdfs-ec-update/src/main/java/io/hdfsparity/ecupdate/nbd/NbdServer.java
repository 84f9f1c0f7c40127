/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.nbd;

import io.hdfsparity.core.check.Timers;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.SocketException;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Serves block devices to clients of the network block device protocol (<a
 * href="https://github.com/NetworkBlockDevice/nbd/blob/master/doc/proto.md">doc/proto.md</a>): one
 * thread that accepts, and one for each connection beside those of its requests.
 *
 * <p>The devices stay the caller's: they are closed after the server. Thread-safe.
 */
public final class NbdServer implements Closeable {
  private static final System.Logger LOG = System.getLogger(NbdServer.class.getName());
  private static final long PAUSE_MS = 100;

  /** Makes threads for clients and their requests, which are not started yet. */
  @FunctionalInterface
  interface Threads {
    Thread of(String name, Runnable work);
  }

  /** How often clients are looked at within the time that they may stop for. */
  private static final int LOOKS = 8;

  private final ExportCatalog exports;
  private final Acceptor acceptor;
  private final ServerLimits limits;
  private final Threads threads;
  private final RequestMemory memory;
  private final ScheduledExecutorService timer = Timers.daemon("nbd-timer");

  /** All whose threads have not ended. Guarded by this, as the next two. */
  private final Set<Connection> connections = new HashSet<>();

  private final HandshakeQueue<Connection> handshakes;

  /** How many connections use an export. */
  private int users;

  private final LineLimit closedLines = new LineLimit(System::nanoTime);
  private final LineLimit failedLines = new LineLimit(System::nanoTime);
  private final Thread accepting = new Thread(this::accept, "nbd-accept");
  private volatile boolean isClosing;

  /**
   * @param acceptor closed by {@link #close}
   */
  public NbdServer(ExportCatalog exports, Acceptor acceptor, ServerLimits limits) {
    this(exports, acceptor, limits, NbdServer::daemon);
  }

  NbdServer(ExportCatalog exports, Acceptor acceptor, ServerLimits limits, Threads threads) {
    this.exports = exports;
    this.acceptor = acceptor;
    this.limits = limits;
    this.threads = threads;
    memory = new RequestMemory(limits, exports);
    handshakes = new HandshakeQueue<>(limits.maxHandshakes());
    accepting.setDaemon(true);
  }

  private static Thread daemon(String name, Runnable work) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    return thread;
  }

  /** Begins to accept clients. */
  public void start() {
    accepting.start();
    long everyMs = Math.max(1, limits.stallMs() / LOOKS);
    timer.scheduleWithFixedDelay(
        Timers.guarded(
            this::closeStalled,
            e -> LOG.log(Level.WARNING, "Cannot look for stalled clients; it is tried again", e)),
        everyMs,
        everyMs,
        TimeUnit.MILLISECONDS);
  }

  /** A client that stops in the middle of a message is in nobody's way while there is memory. */
  private void closeStalled() {
    if (!memory.isAwaited()) {
      return;
    }
    List<Connection> all;
    synchronized (this) {
      all = new ArrayList<>(connections);
    }
    all.forEach(Connection::closeIfStalled);
  }

  private void accept() {
    while (!isClosing) {
      try {
        begin(acceptor.accept());
      } catch (IOException | RuntimeException | Error e) {
        if (!isClosing) {
          LOG.log(Level.WARNING, "Cannot accept a client; the next one is waited for", e);
          pause();
        }
      }
    }
  }

  /** Out of file descriptors or threads, say: the next attempt would fail at once. */
  private static void pause() {
    try {
      TimeUnit.MILLISECONDS.sleep(PAUSE_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void begin(Peer peer) throws IOException {
    Connection connection = new Connection(peer);
    Optional<Connection> replaced = Optional.empty();
    boolean isRefused;
    synchronized (this) {
      isRefused = isClosing || users >= limits.maxConnections();
      if (!isRefused) {
        replaced = handshakes.add(connection, peer.host());
        connections.add(connection);
      }
    }
    if (isRefused) {
      peer.close();
      logClosed(peer, "clients=" + limits.maxConnections() + ", expected fewer");
      return;
    }
    replaced.ifPresent(this::closeFor);
    boolean isBegun = false;
    try {
      threads.of("nbd-connection", connection).start();
      isBegun = true;
    } finally {
      if (!isBegun) {
        connection.end();
      }
    }
  }

  private void closeFor(Connection other) {
    logClosed(
        other.peer,
        "connections that have chosen no export="
            + limits.maxHandshakes()
            + ", expected fewer: another one has come");
    other.close();
  }

  /** Anybody can have lines written. */
  private void logClosed(Peer peer, String why) {
    closedLines
        .next()
        .ifPresent(
            skipped ->
                LOG.log(
                    Level.WARNING,
                    "Closed a connection of {0}: {1}; {2} more since the last such line",
                    peer.address(),
                    why,
                    skipped));
  }

  /** How many clients are connected. */
  public synchronized int connections() {
    return connections.size();
  }

  /** For tests: bytes that requests may still take. */
  int freeBytes() {
    return memory.freeBytes();
  }

  /**
   * Accepts nobody any more, answers new requests as NBD_ESHUTDOWN, waits for those that are under
   * way, and closes all connections.
   */
  @Override
  public void close() throws IOException {
    isClosing = true;
    acceptor.close();
    List<Connection> left;
    synchronized (this) {
      left = new ArrayList<>(connections);
    }
    long deadlineNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(limits.stopMs());
    try {
      for (Connection connection : left) {
        connection.stop(Math.max(0, deadlineNanos - System.nanoTime()));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      left.forEach(Connection::close);
      timer.shutdownNow();
    }
  }

  /** A client. */
  private final class Connection implements Runnable {
    private final Peer peer;
    private volatile @Nullable Transmission transmission;

    /** Whether it counts among the users of exports. Guarded by the server. */
    private boolean isUser;

    Connection(Peer peer) {
      this.peer = peer;
    }

    @Override
    public void run() {
      try {
        serve();
      } catch (EOFException | SocketException | ClosedChannelException e) {
        Level level = transmission == null ? Level.DEBUG : Level.INFO;
        LOG.log(level, "A client has gone: {0}: {1}", peer.address(), e);
      } catch (IOException | RuntimeException | Error e) {
        logFailed(e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      } finally {
        end();
      }
    }

    private void logFailed(Throwable e) {
      String what = "Closed a connection of " + peer.address();
      if (transmission != null) {
        LOG.log(Level.WARNING, what, e);
        return;
      }
      // Anybody can have handshakes fail.
      OptionalLong skipped = failedLines.next();
      if (skipped.isPresent()) {
        LOG.log(
            Level.WARNING,
            what + " in its handshake; " + skipped.getAsLong() + " more since the last such line",
            e);
      }
    }

    void end() {
      close();
      synchronized (NbdServer.this) {
        connections.remove(this);
        handshakes.remove(this);
        if (isUser) {
          isUser = false;
          users--;
        }
      }
    }

    private void requireUse() throws IOException {
      synchronized (NbdServer.this) {
        if (!handshakes.remove(this)) {
          throw new ClosedChannelException(); // for another one
        }
        if (users < limits.maxConnections()) {
          isUser = true;
          users++;
          return;
        }
      }
      throw new NbdProtocolException("clients", limits.maxConnections(), "fewer");
    }

    private void serve() throws IOException, InterruptedException {
      ScheduledFuture<?> late =
          timer.schedule(this::close, limits.handshakeMs(), TimeUnit.MILLISECONDS);
      Optional<Handshake.Agreed> agreed =
          new Handshake(
                  exports, acceptor.security(), limits.maxPayloadBytes(), this::requireUse, peer)
              .run();
      if (agreed.isEmpty() || !late.cancel(false)) {
        return;
      }
      try (Peer agreedPeer = agreed.get().peer()) {
        Transmission serving = new Transmission(agreed.get(), limits, memory, threads, this::close);
        transmission = serving;
        LOG.log(Level.INFO, "{0} uses {1}", agreedPeer.address(), agreed.get().export().name());
        serving.run();
      }
    }

    void stop(long waitNanos) throws InterruptedException {
      Transmission serving = transmission;
      if (serving != null && !serving.stop(TimeUnit.NANOSECONDS.toMillis(waitNanos))) {
        LOG.log(Level.WARNING, "Requests of {0} have not ended in time", peer.address());
      }
    }

    void closeIfStalled() {
      Transmission serving = transmission;
      long stalledMs = serving == null ? 0 : serving.stalledMs();
      if (stalledMs >= limits.stallMs()) {
        LOG.log(
            Level.WARNING,
            "Closed a connection of {0}, as others wait for memory: stalledMs={1}, expected less than"
                + " {2}: its client does not read its replies, or send what it has announced",
            peer.address(),
            stalledMs,
            limits.stallMs());
        close();
      }
    }

    void close() {
      try {
        peer.close();
      } catch (IOException e) {
        LOG.log(Level.DEBUG, "Cannot close a connection", e);
      }
    }
  }
}

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.admin;

import io.hdfsparity.bridge.cli.Console;
import io.hdfsparity.bridge.cli.ConsoleCommand;
import io.hdfsparity.core.check.Attempts;
import io.hdfsparity.core.check.ErrorMessage;
import io.hdfsparity.core.cli.Arguments;
import io.hdfsparity.core.cli.LocalPaths;
import io.hdfsparity.core.cli.Progress;
import io.hdfsparity.core.cli.UsageException;
import io.hdfsparity.ecupdate.device.DeviceOptions;
import io.hdfsparity.ecupdate.device.DeviceOptions.Caching;
import io.hdfsparity.ecupdate.device.FileDevice;
import io.hdfsparity.ecupdate.nbd.Acceptor;
import io.hdfsparity.ecupdate.nbd.ExportCatalog;
import io.hdfsparity.ecupdate.nbd.NbdServer;
import io.hdfsparity.ecupdate.nbd.ServedExport;
import io.hdfsparity.ecupdate.nbd.ServedExport.Access;
import io.hdfsparity.ecupdate.nbd.ServerLimits;
import io.hdfsparity.ecupdate.nbd.TcpAcceptor;
import io.hdfsparity.ecupdate.nbd.TlsIdentity;
import io.hdfsparity.ecupdate.nbd.UnixAcceptor;
import io.hdfsparity.ecupdate.updater.UpdaterOptions;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.util.ShutdownHookManager;

/** {@code hdfs ecupdate -nbd}: files as network block devices. */
final class NbdCommand extends ConsoleCommand {
  private static final String PORT = "-port";
  private static final String HOST = "-host";
  private static final String UNIX = "-unix";
  private static final String TLS = "-tls";
  private static final String READ_ONLY = "-readonly";
  private static final String CACHE = "-cache";
  private static final String RETRY = "-retry";
  private static final String WAIT = "-wait";
  private static final String PRINCIPAL = "-principal";
  private static final String KEYTAB = "-keytab";

  private static final Set<String> OPTIONS =
      Set.of(PORT, HOST, UNIX, TLS, CACHE, RETRY, WAIT, PRINCIPAL, KEYTAB);

  /** IANA's for this protocol. */
  private static final int DEFAULT_PORT = 10809;

  private static final int OUTSTANDING = 128;
  private static final long RETRY_MS = 300_000;
  private static final long WAIT_MS = 15_000;
  private static final long PAUSE_MS = 500;

  /** Before the file system's, which closes what sessions are closed by. */
  private static final int HOOK_PRIORITY = 50;

  /** What was answered is flushed in this time, though a DataNode restarts meanwhile. */
  private static final long HOOK_SECONDS = 600;

  private static final long LOOK_MS = 500;

  NbdCommand(Console console) {
    super(
        console,
        "-nbd",
        "<path>... [-port N [-host ADDRESS] [-tls DIR] | -unix SOCKET] [-readonly] [-cache SIZE]"
            + " [-retry TIME] [-wait TIME] [-principal NAME -keytab FILE]",
        """
    Serves closed erasure-coded files as network block devices (NBD), each under its path, until the
    process is terminated. Each file is opened by this server alone: whoever else wants to change it
    in place is refused. A write that was answered is durable, without -cache.
    docs/how-to/block-device.md.
    -port N       TCP port (10809); 0 for any that is free
    -host ADDRESS where to listen (127.0.0.1); an address of the network needs -tls
    -tls DIR      directory with ca-cert.pem, server-cert.pem and server-key.pem; clients must
                  begin TLS, and show a certificate that ca-cert.pem has signed
    -unix SOCKET  Unix domain socket instead of TCP; its file has mode 0600
    -readonly     nobody writes; several servers may serve one file
    -cache SIZE   writes that are kept in memory until the client flushes, up to so many bytes for
                  each file: what was not flushed is lost with this process, or with its session
    -retry TIME   how long a request that fails is tried again before the client learns of it (5m)
    -wait TIME    how long a file is waited for that is in use, or cannot be used yet (15s)
    -principal NAME -keytab FILE
                  logs in to Kerberos, again and again: a server that runs for longer than a ticket
                  can be renewed needs that; _HOST in NAME is this host
    """);
  }

  @Override
  public int run(List<String> args) throws Exception {
    Arguments a = Arguments.parseSeveral(args, Set.of(READ_ONLY), OPTIONS, "path");
    checkTogether(a);
    if (a.value(KEYTAB).isPresent()) {
      new KeytabLogin(a.value(PRINCIPAL).orElseThrow(), LocalPaths.parse(a.value(KEYTAB).get()))
          .login(console.conf());
    }
    List<FileDevice> devices = new ArrayList<>();
    List<ServedExport> exports = new ArrayList<>();
    try (Acceptor acceptor = listen(a)) {
      // Ended when they are served: a server prints no line a second.
      try (Progress progress = new Progress(console.err())) {
        for (String path : a.operands()) {
          FileDevice device = open(a, path, progress);
          devices.add(device);
          exports.add(ServedExport.of(name(path), path, device, access(a)));
        }
      }
      serve(
          new NbdServer(new ExportCatalog(exports), acceptor, ServerLimits.standard()),
          acceptor,
          exports,
          devices);
    } finally {
      close(devices);
    }
    return 0;
  }

  private static void checkTogether(Arguments a) throws UsageException {
    for (String tcp : List.of(PORT, HOST, TLS)) {
      if (a.value(UNIX).isPresent() && a.value(tcp).isPresent()) {
        throw new UsageException(tcp + " is for TCP, " + UNIX + " for another socket: give one");
      }
    }
    if (a.value(PRINCIPAL).isPresent() != a.value(KEYTAB).isPresent()) {
      throw new UsageException(
          PRINCIPAL + " and " + KEYTAB + " belong together: give both or none");
    }
    if (a.has(READ_ONLY) && a.value(CACHE).isPresent()) {
      throw new UsageException(CACHE + " is of writes, which " + READ_ONLY + " refuses");
    }
  }

  private static Access access(Arguments a) {
    return a.has(READ_ONLY) ? Access.READ_ONLY : Access.READ_WRITE;
  }

  /** The name of an export: the path, without the file system. */
  private static String name(String path) throws UsageException {
    return Values.remote(path).toUri().getPath();
  }

  private static Acceptor listen(Arguments a) throws IOException, UsageException {
    if (a.value(UNIX).isPresent()) {
      return UnixAcceptor.listen(LocalPaths.parse(a.value(UNIX).get()));
    }
    int port = (int) a.number(PORT, 0, 65_535, DEFAULT_PORT);
    Optional<TlsIdentity> tls =
        a.value(TLS).isPresent()
            ? Optional.of(TlsIdentity.of(LocalPaths.parse(a.value(TLS).get())))
            : Optional.empty();
    return TcpAcceptor.listen(new InetSocketAddress(a.value(HOST).orElse("127.0.0.1"), port), tls);
  }

  private FileDevice open(Arguments a, String path, Progress progress)
      throws IOException, UsageException, InterruptedException {
    long cacheBytes = Values.bytes(a, CACHE, 0);
    UpdaterOptions options =
        UpdaterOptions.standard().withOutstanding(OUTSTANDING).withCache(cacheBytes);
    Path remote = Values.remote(path);
    DeviceOpener opener =
        new DeviceOpener(
            console.conf(),
            remote,
            options,
            access(a),
            bytes -> progress.count("recovering", bytes, "bytes"));
    DeviceOptions device =
        new DeviceOptions(
            cacheBytes == 0 ? Caching.WRITE_THROUGH : Caching.WRITE_BACK,
            Values.millis(a, RETRY, RETRY_MS),
            PAUSE_MS);
    long deadlineNanos =
        System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(Values.millis(a, WAIT, WAIT_MS));
    while (true) {
      try {
        return FileDevice.open(opener, device);
      } catch (FileNotFoundException | AccessControlException e) {
        throw e;
      } catch (IOException e) {
        if (System.nanoTime() - deadlineNanos >= 0) {
          throw e;
        }
        progress.stage("waiting for " + path);
        TimeUnit.MILLISECONDS.sleep(PAUSE_MS);
      }
    }
  }

  private void serve(
      NbdServer server, Acceptor acceptor, List<ServedExport> exports, List<FileDevice> devices)
      throws IOException, InterruptedException {
    CountDownLatch asked = new CountDownLatch(1);
    CountDownLatch ended = new CountDownLatch(1);
    Runnable hook =
        () -> {
          asked.countDown();
          awaitQuietly(ended);
        };
    ShutdownHookManager.get().addShutdownHook(hook, HOOK_PRIORITY, HOOK_SECONDS, TimeUnit.SECONDS);
    try {
      server.start();
      for (ServedExport export : exports) {
        console
            .out()
            .printf(
                Locale.ROOT,
                "%s: %,d bytes at %s%n",
                export.name(),
                export.device().sizeBytes(),
                acceptor.uri(export.name()));
      }
      console.out().flush();
      while (!asked.await(LOOK_MS, TimeUnit.MILLISECONDS)) {
        requireAlive(devices);
      }
    } finally {
      try {
        server.close();
        close(devices);
      } finally {
        ended.countDown();
        if (!ShutdownHookManager.get().isShutdownInProgress()) {
          ShutdownHookManager.get().removeShutdownHook(hook);
        }
      }
    }
  }

  /** A supervisor starts this again: clients connect again, and know that writes are lost. */
  private static void requireAlive(List<FileDevice> devices) throws IOException {
    if (devices.stream().anyMatch(FileDevice::isLost)) {
      throw new IOException(
          ErrorMessage.to("serve block devices")
              .value("device", "failed for good")
              .expected("all of them usable; what was not flushed is lost, see the log")
              .message());
    }
  }

  private static void awaitQuietly(CountDownLatch ended) {
    try {
      if (!ended.await(HOOK_SECONDS, TimeUnit.SECONDS)) {
        System.err.println("nbd: not all sessions were closed in time");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** All of them, once. */
  private static void close(List<FileDevice> devices) throws IOException {
    Attempts attempts = new Attempts();
    while (!devices.isEmpty()) {
      attempts.run(devices.remove(0)::close);
    }
    attempts.throwFirst();
  }
}

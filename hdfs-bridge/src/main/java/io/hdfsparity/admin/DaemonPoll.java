/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.admin;

import io.hdfsparity.bridge.doctor.CallFailure;
import io.hdfsparity.bridge.doctor.DaemonAnswer;
import io.hdfsparity.bridge.doctor.DaemonKind;
import io.hdfsparity.bridge.status.DaemonStatus;
import io.hdfsparity.bridge.status.wire.StatusClient;
import io.hdfsparity.core.cli.CommandLine;
import java.io.IOException;
import java.io.PrintStream;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.ipc.RpcNoSuchProtocolException;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.util.Time;

/**
 * Asks many daemons at once, and waits for none of them longer than for all. For one use, by one
 * thread.
 */
final class DaemonPoll implements AutoCloseable {
  /** Of a call, and of connecting. */
  private static final int CALL_TIMEOUT_MS = 5_000;

  /** Of all calls: 1,000 daemons of which none answers take less. */
  private static final long TOTAL_TIMEOUT_MS = 50_000;

  private static final int MAX_THREADS = 128;

  /** From so many on, progress is shown. */
  private static final int MANY = 50;

  private static final long PROGRESS_MS = 2_000;

  private final Configuration conf;
  private final UserGroupInformation user;
  private final PrintStream err;
  private final ExecutorService threads;

  /** What is asked where. */
  record Target(DaemonKind kind, String address, InetSocketAddress socket, Preparation first) {}

  /** What is to be done before a call. */
  @FunctionalInterface
  interface Preparation {
    /** None. */
    Preparation NONE = () -> {};

    void run() throws IOException;
  }

  /**
   * @param err for progress
   */
  DaemonPoll(Configuration conf, PrintStream err) throws IOException {
    this.conf = new Configuration(conf);
    // A thread for each connection, which is used once.
    this.conf.setInt(CommonConfigurationKeysPublic.IPC_CLIENT_CONNECTION_MAXIDLETIME_KEY, 500);
    this.user = UserGroupInformation.getCurrentUser();
    this.err = err;
    AtomicInteger made = new AtomicInteger();
    threads =
        Executors.newFixedThreadPool(
            MAX_THREADS,
            work -> {
              Thread thread = new Thread(work, "parity-poll-" + made.getAndIncrement());
              thread.setDaemon(true);
              return thread;
            });
  }

  /** Answers and failures, in the order of the targets. */
  List<DaemonAnswer> ask(List<Target> targets) throws InterruptedException {
    List<Future<DaemonAnswer>> asked = new ArrayList<>();
    AtomicInteger done = new AtomicInteger();
    for (Target each : targets) {
      asked.add(
          threads.submit(
              () -> {
                try {
                  return ask(each);
                } finally {
                  done.incrementAndGet();
                }
              }));
    }
    long endNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(TOTAL_TIMEOUT_MS);
    List<DaemonAnswer> answers = new ArrayList<>();
    for (int i = 0; i < asked.size(); i++) {
      Target target = targets.get(i);
      answers.add(await(asked.get(i), target, endNanos, done, targets.size()));
    }
    return answers;
  }

  private DaemonAnswer await(
      Future<DaemonAnswer> asked, Target target, long endNanos, AtomicInteger done, int all)
      throws InterruptedException {
    while (true) {
      long leftMs = TimeUnit.NANOSECONDS.toMillis(endNanos - System.nanoTime());
      try {
        return asked.get(Math.max(0, Math.min(leftMs, PROGRESS_MS)), TimeUnit.MILLISECONDS);
      } catch (TimeoutException e) {
        if (leftMs <= 0) {
          asked.cancel(/* mayInterruptIfRunning= */ true);
          return failed(
              target,
              CallFailure.Cause.TIMEOUT,
              "no answer within " + TOTAL_TIMEOUT_MS / 1000 + " s of all calls");
        }
        if (all >= MANY) {
          err.println(done.get() + " of " + all + " " + target.kind().words() + "s asked");
        }
      } catch (ExecutionException e) {
        return failed(target, CallFailure.Cause.OTHER, String.valueOf(e.getCause()));
      }
    }
  }

  private DaemonAnswer ask(Target target) throws InterruptedException {
    try {
      return user.doAs((PrivilegedExceptionAction<DaemonAnswer>) () -> call(target));
    } catch (IOException e) {
      return failed(target, cause(e), message(e));
    }
  }

  private DaemonAnswer call(Target target) throws IOException {
    target.first().run();
    try (StatusClient client =
        target.kind() == DaemonKind.NAMENODE
            ? StatusClient.ofNameNode(target.socket(), conf, CALL_TIMEOUT_MS)
            : StatusClient.ofDataNode(target.socket(), conf, CALL_TIMEOUT_MS)) {
      long askedMs = Time.now();
      DaemonStatus status = client.describe();
      return DaemonAnswer.of(target.kind(), target.address(), status, askedMs, Time.now());
    }
  }

  private static DaemonAnswer failed(Target target, CallFailure.Cause cause, String message) {
    return DaemonAnswer.failed(target.kind(), target.address(), new CallFailure(cause, message));
  }

  private static String message(IOException e) {
    return e.getMessage() == null ? e.toString() : CommandLine.firstLine(e.getMessage());
  }

  private static CallFailure.Cause cause(IOException thrown) {
    for (Throwable e = thrown; e != null; e = e.getCause()) {
      if (e instanceof RpcNoSuchProtocolException) {
        return CallFailure.Cause.NOT_SERVED;
      } else if (e instanceof AccessControlException) {
        // AuthorizationException of hadoop-policy.xml is one of them.
        return CallFailure.Cause.DENIED;
      }
    }
    if (thrown instanceof SocketTimeoutException) {
      return CallFailure.Cause.TIMEOUT;
    }
    return thrown instanceof ConnectException ? CallFailure.Cause.REFUSED : CallFailure.Cause.OTHER;
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}

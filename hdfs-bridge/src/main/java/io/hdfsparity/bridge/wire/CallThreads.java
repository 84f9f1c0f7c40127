/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.wire;

import java.io.Closeable;
import java.io.IOException;
import java.net.ConnectException;
import java.security.PrivilegedAction;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import org.apache.hadoop.ipc.CallerContext;
import org.apache.hadoop.ipc.ProtobufRpcEngine2;
import org.apache.hadoop.ipc.ProtobufRpcEngineCallback2;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.ipc.Server;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.thirdparty.protobuf.BlockingService;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.MethodDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.jspecify.annotations.Nullable;

/**
 * Threads for the calls of users, and others for the calls of superusers and administrators. A
 * server has one port for all, and writes wait for the calls of daemons: these keep the server's
 * handlers to themselves. Each of the two kinds has as many threads as the server has handlers, and
 * for each thread a queue as long as Hadoop's for a handler. A call that finds its queue full gets
 * a {@link RetriableException}, as from a full call queue of Hadoop. Thread-safe.
 *
 * <p>In these threads a call has what it has in a handler's: its user, caller context,
 * authorization header and remote address.
 */
final class CallThreads implements Closeable {
  private static final int QUEUED_PER_THREAD = 100;
  private static final int IDLE_SECONDS = 60;

  private final Pool users;
  private final Pool administrators;

  /**
   * @param threads of each kind
   */
  CallThreads(int threads) {
    this(threads, Thread::new);
  }

  /**
   * @param threads of each kind
   * @param made makes a thread of its work and its name
   */
  CallThreads(int threads, BiFunction<Runnable, String, Thread> made) {
    users = new Pool("parity-user-call", threads, made);
    administrators = new Pool("parity-administrator-call", threads, made);
  }

  private record Pool(ThreadPoolExecutor executor, Semaphore room) {
    Pool(String name, int threads, BiFunction<Runnable, String, Thread> made) {
      this(executor(name, threads, made), new Semaphore(threads * (1 + QUEUED_PER_THREAD)));
    }

    private static ThreadPoolExecutor executor(
        String name, int threads, BiFunction<Runnable, String, Thread> made) {
      AtomicInteger number = new AtomicInteger();
      ThreadPoolExecutor executor =
          new ThreadPoolExecutor(
              threads,
              threads,
              IDLE_SECONDS,
              TimeUnit.SECONDS,
              new LinkedBlockingQueue<>(),
              work -> {
                Thread thread = made.apply(work, name + "-" + number.getAndIncrement());
                thread.setDaemon(true);
                return thread;
              });
      executor.allowCoreThreadTimeOut(true);
      return executor;
    }
  }

  /** Null: the handler itself serves them. */
  private @Nullable Pool of(Caller who) {
    return switch (who) {
      case DATANODES, DAEMONS -> null;
      case USERS -> users;
      case SUPERUSERS, ADMINISTRATORS -> administrators;
    };
  }

  /**
   * Serves the call of this handler's thread, here or in another thread. In the second case what is
   * returned means nothing: Hadoop sends what that thread answers.
   */
  Message call(Caller who, BlockingService service, MethodDescriptor method, Message request)
      throws ServiceException {
    Pool pool = of(who);
    if (pool == null) {
      return service.callBlockingMethod(method, null, request);
    }
    UserGroupInformation user;
    try {
      user = UserGroupInformation.getCurrentUser();
    } catch (IOException e) {
      throw new ServiceException(e);
    }
    if (!pool.room().tryAcquire()) {
      throw new ServiceException(
          new RetriableException(
              "Server is too busy: calls of " + who.words() + " wait, method=" + method.getName()));
    }
    // Nothing may be thrown from here on: Hadoop keeps the callback for the handler's next call.
    Deferred deferred =
        new Deferred(
            ProtobufRpcEngine2.Server.registerForDeferredResponse2(),
            Server.getCurCall().get(),
            user,
            CallerContext.getCurrent(),
            AuthorizationHeader.current());
    try {
      pool.executor()
          .execute(
              () -> {
                try {
                  deferred.run(service, method, request);
                } finally {
                  pool.room().release();
                }
              });
    } catch (RejectedExecutionException e) {
      pool.room().release();
      deferred.answer().error(new ConnectException("Cannot serve a call: the server was stopped"));
    } catch (RuntimeException | Error e) {
      // As when the system gives no thread more.
      pool.room().release();
      deferred.answer().error(new RetriableException("Cannot serve a call now: " + e));
    }
    return service.getResponsePrototype(method);
  }

  /**
   * A call that has left its handler.
   *
   * @param context null: none
   * @param authorization null: none
   */
  private record Deferred(
      ProtobufRpcEngineCallback2 answer,
      Server.Call call,
      UserGroupInformation user,
      @Nullable CallerContext context,
      byte @Nullable [] authorization) {

    void run(BlockingService service, MethodDescriptor method, Message request) {
      Server.getCurCall().set(call);
      CallerContext.setCurrent(context);
      AuthorizationHeader.set(authorization);
      try {
        user.doAs(
            (PrivilegedAction<@Nullable Void>)
                () -> {
                  serve(service, method, request);
                  return null;
                });
      } finally {
        Server.getCurCall().remove();
        CallerContext.setCurrent(null);
        AuthorizationHeader.clear();
      }
    }

    /** Whatever happens, the caller gets an answer. */
    private void serve(BlockingService service, MethodDescriptor method, Message request) {
      Message response;
      try {
        response = service.callBlockingMethod(method, null, request);
      } catch (ServiceException e) {
        answer.error(e.getCause() == null ? e : e.getCause());
        return;
      } catch (RuntimeException | Error e) {
        answer.error(e);
        return;
      }
      answer.setResponse(response);
    }
  }

  @Override
  public void close() {
    users.executor().shutdownNow();
    administrators.executor().shutdownNow();
  }
}

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.wire;

import java.io.IOException;
import java.lang.reflect.Method;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.thirdparty.protobuf.BlockingService;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.MethodDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.ServiceDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.thirdparty.protobuf.RpcController;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.jspecify.annotations.Nullable;

/**
 * A service whose every method says by {@link MayCall} who may call it, and that lets nobody else
 * call. {@link RpcServers} serves nothing else. Immutable, thread-safe.
 */
public final class GuardedService {
  private final BlockingService service;
  private final Map<String, Caller> callers;
  private final CallGate gate;

  private GuardedService(BlockingService service, Map<String, Caller> callers, CallGate gate) {
    this.service = service;
    this.callers = Map.copyOf(callers);
    this.gate = gate;
  }

  /**
   * A service of a translator.
   *
   * @param service the generated method {@code newReflectiveBlockingService}
   * @param translator has {@link MayCall} at each method of the service
   * @throws IllegalArgumentException when a method has not
   */
  public static <T> GuardedService of(Function<T, BlockingService> service, T translator) {
    BlockingService made = service.apply(translator);
    Map<String, Caller> callers = new HashMap<>();
    for (MethodDescriptor method : made.getDescriptorForType().getMethods()) {
      callers.put(method.getName(), caller(translator.getClass(), method.getName()));
    }
    return new GuardedService(made, callers, () -> {});
  }

  private static Caller caller(Class<?> translator, String rpc) {
    String name = Character.toLowerCase(rpc.charAt(0)) + rpc.substring(1);
    for (Method method : translator.getDeclaredMethods()) {
      MayCall who = method.getAnnotation(MayCall.class);
      if (method.getName().equals(name) && !method.isBridge() && who != null) {
        return who.value();
      }
    }
    throw new IllegalArgumentException(
        "Cannot serve a protocol: method="
            + translator.getName()
            + "."
            + name
            + ", expected an annotation @MayCall that says who may call it");
  }

  /** Who may call which method, by the method's name. */
  public Map<String, Caller> callers() {
    return callers;
  }

  /** The same, whose calls a gate can refuse. */
  GuardedService behind(CallGate other) {
    return new GuardedService(service, callers, other);
  }

  /**
   * The service that a server of these rules has.
   *
   * @param threads for callers other than daemons; null: the server's handlers serve all
   */
  BlockingService under(CallerRules rules, @Nullable CallThreads threads) {
    return new Enforced(service, callers, rules, gate, threads);
  }

  private record Enforced(
      BlockingService service,
      Map<String, Caller> callers,
      CallerRules rules,
      CallGate gate,
      @Nullable CallThreads threads)
      implements BlockingService {
    @Override
    public ServiceDescriptor getDescriptorForType() {
      return service.getDescriptorForType();
    }

    @Override
    public Message callBlockingMethod(
        MethodDescriptor method, RpcController controller, Message request)
        throws ServiceException {
      Caller who = callers.get(method.getName());
      try {
        if (who == null) {
          throw new AccessControlException(
              "Cannot call: method=" + method.getFullName() + ", expected one of " + callers);
        }
        rules.check(who, "call " + method.getFullName());
        gate.requireOpen();
      } catch (IOException e) {
        throw new ServiceException(e);
      }
      return threads == null
          ? service.callBlockingMethod(method, controller, request)
          : threads.call(who, service, method, request);
    }

    @Override
    public Message getRequestPrototype(MethodDescriptor method) {
      return service.getRequestPrototype(method);
    }

    @Override
    public Message getResponsePrototype(MethodDescriptor method) {
      return service.getResponsePrototype(method);
    }
  }
}

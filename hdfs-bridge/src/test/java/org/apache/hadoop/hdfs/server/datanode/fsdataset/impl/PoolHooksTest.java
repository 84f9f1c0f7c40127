/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.bridge.datanode.VolumeHooks;
import java.io.File;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class PoolHooksTest {
  private final List<String> heard = new ArrayList<>();
  private final VolumeHooks hooks =
      (VolumeHooks)
          Proxy.newProxyInstance(
              VolumeHooks.class.getClassLoader(),
              new Class<?>[] {VolumeHooks.class},
              (proxy, method, args) -> {
                heard.add(method.getName());
                return method.getReturnType() == boolean.class ? Boolean.TRUE : null;
              });

  @Test
  void callsAboutAStockPoolAreNotHeard() throws Exception {
    VolumeHooks pools = new PoolHooks(hooks, "stock"::equals);
    for (Method method : aboutPools()) {
      method.invoke(pools, arguments(method, "stock"));
    }
    assertThat(heard).isEmpty();
    assertThat(pools.removing("stock", new File("blk_1"))).isFalse();
  }

  @Test
  void callsAboutTheHookedPoolAreHeard() throws Exception {
    VolumeHooks pools = new PoolHooks(hooks, "stock"::equals);
    List<Method> methods = aboutPools();
    for (Method method : methods) {
      method.invoke(pools, arguments(method, "hooked"));
    }
    assertThat(heard).containsExactlyElementsOf(methods.stream().map(Method::getName).toList());
  }

  private static List<Method> aboutPools() {
    return Arrays.stream(VolumeHooks.class.getMethods())
        .filter(method -> !Modifier.isStatic(method.getModifiers()))
        .filter(
            method ->
                method.getParameterCount() > 0 && method.getParameterTypes()[0] == String.class)
        .toList();
  }

  private static Object[] arguments(Method method, String pool) {
    return Arrays.stream(method.getParameterTypes())
        .map(type -> type == String.class ? pool : type == long.class ? 1L : new File("blk_1"))
        .toArray();
  }
}

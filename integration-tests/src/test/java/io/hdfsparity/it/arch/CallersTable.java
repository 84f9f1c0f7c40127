/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it.arch;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethod;
import io.hdfsparity.bridge.wire.Caller;
import io.hdfsparity.bridge.wire.MayCall;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.ipc.ProtocolInfo;

/** Who may call which remote method, read off the compiled translators. */
final class CallersTable {
  private CallersTable() {}

  /**
   * By {@code protocol.method}.
   *
   * @throws AssertionError for a method that does not say it
   */
  static Map<String, Caller> of(Collection<JavaClasses> modules) {
    Map<String, Caller> table = new TreeMap<>();
    for (JavaClasses classes : modules) {
      for (JavaClass protocol : classes) {
        if (protocol.isInterface() && protocol.isAnnotatedWith(ProtocolInfo.class)) {
          int before = table.size();
          modules.stream()
              .flatMap(JavaClasses::stream)
              .filter(each -> serves(each, protocol))
              .forEach(translator -> add(protocol, translator, table));
          if (table.size() == before) {
            throw new AssertionError("nobody serves " + protocol.getName());
          }
        }
      }
    }
    return table;
  }

  /** One translator may serve several protocols of one service. */
  private static boolean serves(JavaClass translator, JavaClass protocol) {
    return !translator.isInterface()
        && !translator.getPackageName().endsWith(".proto")
        && protocol.getRawInterfaces().stream()
            .anyMatch(service -> translator.isAssignableTo(service.getName()));
  }

  private static void add(JavaClass protocol, JavaClass translator, Map<String, Caller> table) {
    for (JavaClass service : protocol.getRawInterfaces()) {
      for (JavaMethod rpc : service.getMethods()) {
        String name = protocol.getSimpleName().replace("PB", "") + "." + rpc.getName();
        table.put(name, caller(translator, rpc.getName()));
      }
    }
  }

  private static Caller caller(JavaClass translator, String rpc) {
    return translator.getMethods().stream()
        .filter(method -> method.getName().equals(rpc) && method.isAnnotatedWith(MayCall.class))
        .map(method -> method.getAnnotationOfType(MayCall.class).value())
        .findFirst()
        .orElseThrow(
            () ->
                new AssertionError(
                    translator.getName() + "." + rpc + " does not say by @MayCall who may call"));
  }
}

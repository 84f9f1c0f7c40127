/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.junit.jupiter.api.Test;

class ForwardingClientProtocolTest {
  private record Called(Method method, List<Object> arguments) {}

  /** Values that differ where types allow it, so that arguments in a wrong order are seen. */
  private static Object value(Class<?> type, int position) {
    if (type == long.class) {
      return 100L + position;
    } else if (type == int.class) {
      return 100 + position;
    } else if (type == short.class) {
      return (short) (100 + position);
    } else if (type == boolean.class) {
      return position % 2 == 0;
    } else if (type == String.class) {
      return "argument " + position;
    }
    return null;
  }

  @Test
  void everyCallIsPassedOnWithItsArgumentsAndItsAnswer() throws Exception {
    List<Called> calls = new ArrayList<>();
    Map<Method, Object> answers = new HashMap<>();
    ClientProtocol next =
        (ClientProtocol)
            Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {ClientProtocol.class},
                (proxy, method, arguments) -> {
                  List<Object> got = new ArrayList<>();
                  for (Object each : arguments == null ? new Object[0] : arguments) {
                    got.add(each);
                  }
                  calls.add(new Called(method, got));
                  Object answer = value(method.getReturnType(), calls.size());
                  answers.put(method, answer);
                  return answer;
                });
    ClientProtocol forwarding = new ForwardingClientProtocol(next) {};
    int count = 0;
    for (Method method : ClientProtocol.class.getMethods()) {
      if (Modifier.isStatic(method.getModifiers())) {
        continue;
      }
      count++;
      Class<?>[] types = method.getParameterTypes();
      Object[] arguments = new Object[types.length];
      List<Object> expected = new ArrayList<>();
      for (int i = 0; i < types.length; i++) {
        arguments[i] = value(types[i], i);
        expected.add(arguments[i]);
      }
      Object answer = method.invoke(forwarding, arguments);
      assertThat(calls).as("%s", method).hasSize(count);
      assertThat(calls.get(count - 1)).isEqualTo(new Called(method, expected));
      assertThat(answer).as("%s", method).isEqualTo(answers.get(method));
      // Not by a default method of the interface.
      assertThat(
              ForwardingClientProtocol.class.getMethod(method.getName(), types).getDeclaringClass())
          .isIn(
              ForwardingFileCalls.class,
              ForwardingAttributeCalls.class,
              ForwardingClientProtocol.class);
    }
    assertThat(count).isGreaterThan(100);
  }
}

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.datanode;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class ForwardingVolumeHooksTest {
  @Test
  void noCallIsAnsweredByADefault() throws Exception {
    for (Method method : VolumeHooks.class.getDeclaredMethods()) {
      if (!Modifier.isStatic(method.getModifiers()) && !method.isSynthetic()) {
        Method forwarding =
            ForwardingVolumeHooks.class.getMethod(method.getName(), method.getParameterTypes());
        assertThat(forwarding.getDeclaringClass())
            .as("%s%s", method.getName(), Arrays.toString(method.getParameterTypes()))
            .isEqualTo(ForwardingVolumeHooks.class);
      }
    }
  }
}

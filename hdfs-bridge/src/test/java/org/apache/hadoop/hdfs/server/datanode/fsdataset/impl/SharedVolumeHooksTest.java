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
import java.util.List;
import org.junit.jupiter.api.Test;

/** Each call about a unit or a replica reaches the feature that has it, and no other. */
class SharedVolumeHooksTest {
  private static final long REPLICA = 1_073_741_825L;
  private static final long UNIT = -9_223_372_036_854_775_790L;

  private final List<String> ofReplicas = new ArrayList<>();
  private final List<String> ofUnits = new ArrayList<>();
  private final VolumeHooks shared =
      new SharedVolumeHooks(recording(ofReplicas), recording(ofUnits));

  private static VolumeHooks recording(List<String> calls) {
    return (VolumeHooks)
        Proxy.newProxyInstance(
            VolumeHooks.class.getClassLoader(),
            new Class<?>[] {VolumeHooks.class},
            (proxy, method, arguments) -> {
              calls.add(method.getName());
              return method.getReturnType() == boolean.class ? Boolean.FALSE : null;
            });
  }

  /** Arguments of a call about a block. */
  private static Object[] about(Method method, long blockId) {
    Class<?>[] types = method.getParameterTypes();
    Object[] arguments = new Object[types.length];
    for (int i = 0; i < types.length; i++) {
      if (types[i] == long.class) {
        arguments[i] = blockId;
      } else if (types[i] == File.class) {
        arguments[i] = new File("/data/current/finalized/blk_" + blockId);
      } else {
        arguments[i] = "BP-1";
      }
    }
    return arguments;
  }

  @Test
  void callsGoByTheKindOfBlock() throws Exception {
    List<String> expected = new ArrayList<>();
    for (Method method : VolumeHooks.class.getMethods()) {
      if (method.getParameterCount() == 0 || Modifier.isStatic(method.getModifiers())) {
        continue;
      }
      expected.add(method.getName());
      method.invoke(shared, about(method, UNIT));
      assertThat(ofReplicas).as("%s of a unit", method).isEmpty();
      assertThat(ofUnits).containsExactly(method.getName());
      ofUnits.clear();
      method.invoke(shared, about(method, REPLICA));
      assertThat(ofUnits).as("%s of a replica", method).isEmpty();
      assertThat(ofReplicas).containsExactly(method.getName());
      ofReplicas.clear();
    }
    assertThat(expected).contains("reserve", "removing", "restored", "isPinned").hasSize(17);
  }

  @Test
  void checksumFilesGoWithTheirBlock() throws Exception {
    shared.removing("BP-1", new File("/data/current/finalized/blk_" + UNIT + "_1001.meta"));
    shared.removing("BP-1", new File("/data/current/finalized/blk_" + REPLICA + "_1001.meta"));
    assertThat(ofUnits).containsExactly("removing");
    assertThat(ofReplicas).containsExactly("removing");
  }

  @Test
  void bothAreAskedForWhatIsOfNoBlock() {
    assertThat(shared.wantsWrites()).isFalse();
    assertThat(shared.snapshotReads()).isNull();
    assertThat(ofUnits).containsExactlyInAnyOrder("wantsWrites", "snapshotReads");
    assertThat(ofReplicas).containsExactlyInAnyOrder("wantsWrites", "snapshotReads");
  }
}

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.torture.planted;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import net.bytebuddy.dynamic.ClassFileLocator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DelayAgentTest {
  private static final DelayAgent.Delayed DELAYED = new DelayAgent.Delayed();

  @Test
  void daemonsAndClientsAreDelayedAndGeneratedCodeIsNot() {
    assertThat(
            DELAYED.concerns(
                "io.hdfsparity.raidp.datanode.Settler", "/x/hdfs-raidp/target/classes/"))
        .isTrue();
    assertThat(
            DELAYED.concerns(
                "org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.UnlockedHooks",
                "/x/lib/hdfs-bridge-0.1.0-SNAPSHOT.jar"))
        .isTrue();
    assertThat(
            DELAYED.concerns(
                "org.apache.hadoop.hdfs.server.datanode.DataNode", "/x/hadoop-hdfs-3.5.0.jar"))
        .isFalse();
    assertThat(
            DELAYED.concerns(
                "io.hdfsparity.raidp.proto.PeerProtos$Answer", "/x/hdfs-raidp/target/classes/"))
        .isFalse();
  }

  /** A class with lambdas, synchronized methods and loops stays one that a JVM takes. */
  @Test
  void aDelayedClassWorks() throws Exception {
    String name = DelayedSample.class.getName();
    ClassFileLocator classes = ClassFileLocator.ForClassLoader.of(getClass().getClassLoader());
    byte[] planted = DELAYED.plant(name, classes.locate(name).resolve(), classes);
    Class<?> delayed =
        new ClassLoader(getClass().getClassLoader()) {
          Class<?> define() {
            return defineClass(name, planted, 0, planted.length);
          }
        }.define();
    assertThat(delayed.getMethod("sum", int.class).invoke(null, 100)).isEqualTo(4950);
  }

  @Test
  void torturesJvmLoadsTheAgent(@TempDir Path dir) throws Exception {
    int exitCode = new PlantedRun(dir).runDelayed("help", "--help");
    assertThat(Files.readString(dir.resolve("help.log"))).contains("--faults");
    assertThat(exitCode).isZero();
  }

  /** What is delayed in {@link #aDelayedClassWorks}. */
  public static final class DelayedSample {
    private DelayedSample() {}

    /** The sum of the numbers below. */
    public static synchronized int sum(int below) {
      return java.util.stream.IntStream.range(0, below).map(each -> each + 0).sum();
    }
  }
}

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.torture.planted;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import net.bytebuddy.dynamic.ClassFileLocator;
import org.jspecify.annotations.Nullable;

/** Plants the bug that its argument names into the classes of a JVM, as they are loaded. */
public final class PlantedAgent {
  private static final int CANNOT_PLANT = 70;

  private PlantedAgent() {}

  /** Called by the JVM before the main method. */
  public static void premain(String label, Instrumentation instrumentation) {
    instrumentation.addTransformer(new Transformer(PlantedBug.named(label)));
  }

  private record Transformer(PlantedBug bug) implements ClassFileTransformer {
    @Override
    public byte @Nullable [] transform(
        @Nullable ClassLoader loader,
        @Nullable String internalName,
        @Nullable Class<?> redefined,
        @Nullable ProtectionDomain domain,
        byte[] bytes) {
      String name = internalName == null ? "" : internalName.replace('/', '.');
      if (bug.changes().stream().noneMatch(change -> change.className().equals(name))) {
        return null;
      }
      try {
        byte[] planted =
            Planting.plant(bug, name, bytes, ClassFileLocator.ForClassLoader.of(loader));
        System.err.println("planted " + bug.label() + " in " + name);
        return planted;
      } catch (RuntimeException | Error e) {
        // The JVM would go on with the class as it is, and the run would say that all is right.
        System.err.println("Cannot plant " + bug.label() + " in " + name + ": " + e);
        Runtime.getRuntime().halt(CANNOT_PLANT);
        throw e;
      }
    }
  }
}

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.torture.planted;

import java.lang.instrument.Instrumentation;
import net.bytebuddy.dynamic.ClassFileLocator;

/** Plants the bug that its argument names into the classes of a JVM, as they are loaded. */
public final class PlantedAgent {
  private PlantedAgent() {}

  /** Called by the JVM before the main method. */
  public static void premain(String label, Instrumentation instrumentation) {
    instrumentation.addTransformer(new LoadedClasses(new Bug(PlantedBug.named(label))));
  }

  private record Bug(PlantedBug bug) implements LoadedClasses.Change {
    @Override
    public String label() {
      return bug.label();
    }

    @Override
    public boolean concerns(String className, String codeSource) {
      return bug.changes().stream().anyMatch(change -> change.className().equals(className));
    }

    @Override
    public byte[] plant(String className, byte[] original, ClassFileLocator classes) {
      byte[] planted = Planting.plant(bug, className, original, classes);
      System.err.println("planted " + label() + " in " + className);
      return planted;
    }
  }
}

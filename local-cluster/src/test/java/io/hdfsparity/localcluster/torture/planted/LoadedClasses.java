/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.torture.planted;

import java.lang.instrument.ClassFileTransformer;
import java.security.CodeSource;
import java.security.ProtectionDomain;
import net.bytebuddy.dynamic.ClassFileLocator;
import org.jspecify.annotations.Nullable;

/** Changes classes of a JVM as they are loaded. One that cannot be changed ends the JVM. */
final class LoadedClasses implements ClassFileTransformer {
  private static final int CANNOT_PLANT = 70;

  private final Change change;

  LoadedClasses(Change change) {
    this.change = change;
  }

  /** How classes change. */
  interface Change {
    /** Its name in messages. */
    String label();

    /**
     * Whether a class changes.
     *
     * @param codeSource path of its jar or folder; empty if it has none
     */
    boolean concerns(String className, String codeSource);

    /**
     * A class file with the change.
     *
     * @param classes where other classes are found
     */
    byte[] plant(String className, byte[] original, ClassFileLocator classes);
  }

  @Override
  public byte @Nullable [] transform(
      @Nullable ClassLoader loader,
      @Nullable String internalName,
      @Nullable Class<?> redefined,
      @Nullable ProtectionDomain domain,
      byte[] bytes) {
    String name = internalName == null ? "" : internalName.replace('/', '.');
    if (!change.concerns(name, path(domain))) {
      return null;
    }
    try {
      return change.plant(name, bytes, ClassFileLocator.ForClassLoader.of(loader));
    } catch (RuntimeException | Error e) {
      // The JVM would go on with the class as it is, and the run would say that all is right.
      System.err.println("Cannot plant " + change.label() + " in " + name + ": " + e);
      Runtime.getRuntime().halt(CANNOT_PLANT);
      throw e;
    }
  }

  private static String path(@Nullable ProtectionDomain domain) {
    CodeSource source = domain == null ? null : domain.getCodeSource();
    return source == null || source.getLocation() == null ? "" : source.getLocation().getPath();
  }
}

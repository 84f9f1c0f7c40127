/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.torture.planted;

import static net.bytebuddy.matcher.ElementMatchers.isAbstract;
import static net.bytebuddy.matcher.ElementMatchers.isMethod;
import static net.bytebuddy.matcher.ElementMatchers.isNative;
import static net.bytebuddy.matcher.ElementMatchers.not;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.CodeSource;
import java.security.ProtectionDomain;
import java.util.regex.Pattern;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.description.type.TypeDescription;
import net.bytebuddy.dynamic.ClassFileLocator;
import net.bytebuddy.pool.TypePool;
import org.jspecify.annotations.Nullable;

/**
 * Plants {@link Delays} into the methods of the suite's modules that run in daemons and clients, as
 * their classes are loaded. The pure code of {@code parity-core} has no races, and loops.
 */
public final class DelayAgent {
  private static final int CANNOT_PLANT = 70;
  private static final Pattern DELAYED =
      Pattern.compile(".*/hdfs-(bridge|raidp|izs|ec-update|caso)(/target/classes/|-[^/]*\\.jar)");

  /** Generated, or called for each byte. */
  private static final Pattern PASSED_BY =
      Pattern.compile(".*(Proto\\b|Protos\\b|Proto\\$|Protos\\$|Codec|Coder|Kernel).*");

  private DelayAgent() {}

  /** Called by the JVM before the main method. */
  public static void premain(String ignored, Instrumentation instrumentation) {
    instrumentation.addTransformer(new Transformer());
  }

  /** Whether a class is delayed. */
  static boolean isDelayed(String className, String codeSource) {
    return DELAYED.matcher(codeSource).matches() && !PASSED_BY.matcher(className).matches();
  }

  /** A class file with delays. */
  static byte[] plant(String className, byte[] original, ClassFileLocator classes) {
    ClassFileLocator all =
        new ClassFileLocator.Compound(ClassFileLocator.Simple.of(className, original), classes);
    TypePool types = TypePool.Default.of(all);
    TypeDescription type = types.describe(className).resolve();
    return new ByteBuddy()
        .redefine(type, all)
        .visit(
            Advice.to(Delays.AtEntry.class)
                .on(
                    isMethod()
                        .and(not(isAbstract()))
                        .and(not(isNative()))
                        .and(not(MethodDescription::isTypeInitializer))))
        .make(types)
        .getBytes();
  }

  private static final class Transformer implements ClassFileTransformer {
    @Override
    public byte @Nullable [] transform(
        @Nullable ClassLoader loader,
        @Nullable String internalName,
        @Nullable Class<?> redefined,
        @Nullable ProtectionDomain domain,
        byte[] bytes) {
      CodeSource source = domain == null ? null : domain.getCodeSource();
      if (internalName == null || source == null || source.getLocation() == null) {
        return null;
      }
      String name = internalName.replace('/', '.');
      if (!isDelayed(name, source.getLocation().getPath())) {
        return null;
      }
      try {
        return plant(name, bytes, ClassFileLocator.ForClassLoader.of(loader));
      } catch (RuntimeException | Error e) {
        // The JVM would go on with the class as it is, and the run would say that all is right.
        System.err.println("Cannot delay " + name + ": " + e);
        Runtime.getRuntime().halt(CANNOT_PLANT);
        throw e;
      }
    }
  }
}

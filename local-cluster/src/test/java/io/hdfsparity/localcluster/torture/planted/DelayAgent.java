/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.torture.planted;

import static net.bytebuddy.matcher.ElementMatchers.isMethod;

import java.lang.instrument.Instrumentation;
import java.util.regex.Pattern;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.dynamic.ClassFileLocator;

/**
 * Plants {@link Delays} into the methods of the suite's modules that run in daemons and clients, as
 * their classes are loaded. The pure code of {@code parity-core} has no races, and loops.
 */
public final class DelayAgent {
  private static final Pattern DELAYED =
      Pattern.compile(".*/hdfs-(bridge|raidp|izs|ec-update|caso)(/target/classes/|-[^/]*\\.jar)");

  /** Generated, or called for each byte. */
  private static final Pattern PASSED_BY =
      Pattern.compile(".*(Proto\\b|Protos\\b|Proto\\$|Protos\\$|Codec|Coder|Kernel).*");

  private DelayAgent() {}

  /** Called by the JVM before the main method. */
  public static void premain(String ignored, Instrumentation instrumentation) {
    instrumentation.addTransformer(new LoadedClasses(new Delayed()));
  }

  /** Delays at the entry of each method. */
  static final class Delayed implements LoadedClasses.Change {
    @Override
    public String label() {
      return "delays";
    }

    @Override
    public boolean concerns(String className, String codeSource) {
      return DELAYED.matcher(codeSource).matches() && !PASSED_BY.matcher(className).matches();
    }

    @Override
    public byte[] plant(String className, byte[] original, ClassFileLocator classes) {
      return Planting.change(
          className,
          original,
          classes,
          (type, builder) -> builder.visit(Advice.to(Delays.AtEntry.class).on(isMethod())));
    }
  }
}

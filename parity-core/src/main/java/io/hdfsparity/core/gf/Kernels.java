/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.core.gf;

import io.hdfsparity.core.check.ErrorMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The one table of kernels, best first: {@code isal}, {@code word}, {@code table}, {@code scalar}.
 * Immutable, thread-safe.
 *
 * <p>System properties: {@value #FORCE_PROPERTY} names a kernel that must be used; {@value
 * #REQUIRE_NATIVE_PROPERTY} {@code =true} refuses to fall back to Java.
 */
public final class Kernels {
  /** Name of the kernel to use; unset means the best one. */
  public static final String FORCE_PROPERTY = "hdfsparity.kernel";

  /** {@code true}: absence of a native kernel is an error. */
  public static final String REQUIRE_NATIVE_PROPERTY = "require.native";

  private static final String VECTOR_MODULE = "jdk.incubator.vector";

  private static final System.Logger LOG = System.getLogger(Kernels.class.getName());

  private final List<Candidate> candidates;

  private Kernels(List<Candidate> candidates) {
    this.candidates = List.copyOf(candidates);
  }

  /**
   * A row of the table.
   *
   * @param name as in {@link Kernel#name}
   * @param isNative whether it runs outside the JVM
   * @param kernel empty if this machine cannot run it
   * @param reason why it is missing; empty if it is not
   */
  public record Candidate(String name, boolean isNative, Optional<Kernel> kernel, String reason) {
    public boolean isSupported() {
      return kernel.isPresent();
    }
  }

  /** The table of this machine. Loads libraries, so it is made once a process. */
  public static Kernels table() {
    return Holder.TABLE;
  }

  /**
   * The kernel that this process uses: chosen, and logged, at the first call.
   *
   * @throws UnsupportedOperationException if the one that the system properties ask for is missing
   */
  public static Kernel best() {
    return Holder.BEST.get();
  }

  /** All rows, best first. */
  public List<Candidate> candidates() {
    return candidates;
  }

  /** The kernels that work here, best first. */
  public List<Kernel> supported() {
    return candidates.stream().flatMap(candidate -> candidate.kernel().stream()).toList();
  }

  /**
   * Chooses by properties, and logs the choice with the reasons against better ones.
   *
   * @param properties value of a system property, or null
   * @throws UnsupportedOperationException if what the properties ask for is missing
   */
  public Kernel choose(Function<String, String> properties) {
    String forced = properties.apply(FORCE_PROPERTY);
    boolean needsNative = Boolean.parseBoolean(properties.apply(REQUIRE_NATIVE_PROPERTY));
    boolean isForced = forced != null && !forced.isEmpty();
    List<String> reasons = new ArrayList<>();
    for (Candidate candidate : candidates) {
      if (isForced && !candidate.name().equals(forced)) {
        reasons.add(candidate.name() + ": not the one forced by " + FORCE_PROPERTY);
      } else if (!isForced && needsNative && !candidate.isNative()) {
        reasons.add(candidate.name() + ": not native, but " + REQUIRE_NATIVE_PROPERTY + "=true");
      } else if (candidate.kernel().isEmpty()) {
        reasons.add(candidate.name() + ": " + candidate.reason());
      } else {
        LOG.log(
            System.Logger.Level.INFO,
            "GF(2^8) kernel: {0}. Better ones not used: {1}",
            candidate.name(),
            reasons.isEmpty() ? "none" : String.join("; ", reasons));
        return candidate.kernel().get();
      }
    }
    throw new UnsupportedOperationException(
        ErrorMessage.to("choose a GF(2^8) kernel")
            .value(FORCE_PROPERTY, forced)
            .value(REQUIRE_NATIVE_PROPERTY, needsNative)
            .expected("one that this machine has (" + String.join("; ", reasons) + ")")
            .message());
  }

  private static Kernels probe() {
    return with(probe("isal", true, IsalKernel::new));
  }

  /** The table of a machine that lacks the native library, for tests. */
  static Kernels withoutNative(String reason) {
    return with(new Candidate("isal", true, Optional.empty(), reason));
  }

  private static Kernels with(Candidate isal) {
    return new Kernels(
        List.of(
            isal,
            vector(),
            java(new WordKernel()),
            java(new TableKernel()),
            java(new ScalarKernel())));
  }

  /** Its class is not touched without the module that it is made of. */
  private static Candidate vector() {
    return ModuleLayer.boot().findModule(VECTOR_MODULE).isPresent()
        ? probe("vector", false, VectorKernel::new)
        : new Candidate(
            "vector", false, Optional.empty(), "Java runs without --add-modules " + VECTOR_MODULE);
  }

  private static Candidate probe(String name, boolean isNative, Supplier<Kernel> constructor) {
    try {
      return new Candidate(name, isNative, Optional.of(constructor.get()), "");
    } catch (LinkageError e) {
      return new Candidate(
          name, isNative, Optional.empty(), String.valueOf(e.getMessage()).strip());
    }
  }

  private static Candidate java(Kernel kernel) {
    return new Candidate(kernel.name(), false, Optional.of(kernel), "");
  }

  /** Lazy, because it loads a library. */
  private static final class Holder {
    static final Kernels TABLE = probe();
    static final Supplier<Kernel> BEST = new Chosen(TABLE);
  }

  /**
   * Chooses once; a failure is thrown again at each call with its own message, not as a
   * NoClassDefFoundError.
   */
  private static final class Chosen implements Supplier<Kernel> {
    private final Kernels table;
    private volatile @org.jspecify.annotations.Nullable Kernel kernel;

    Chosen(Kernels table) {
      this.table = table;
    }

    @Override
    public Kernel get() {
      Kernel chosen = kernel;
      return chosen != null ? chosen : choose();
    }

    private synchronized Kernel choose() {
      Kernel chosen = kernel;
      if (chosen == null) {
        chosen = table.choose(System::getProperty);
        kernel = chosen;
      }
      return chosen;
    }
  }
}

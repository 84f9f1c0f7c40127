/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.torture.planted;

import static net.bytebuddy.matcher.ElementMatchers.isDeclaredBy;
import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.takesArguments;

import net.bytebuddy.asm.Advice;
import net.bytebuddy.asm.AsmVisitorWrapper;
import net.bytebuddy.asm.MemberSubstitution;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.matcher.ElementMatcher;
import net.bytebuddy.matcher.ElementMatchers;

/**
 * A change of one method of the suite. Immutable.
 *
 * @param className binary name of the class
 * @param method its name
 * @param parameters number of its parameters: class, name and number name one method
 * @param change how its code changes
 */
record MethodChange(String className, String method, int parameters, Change change) {
  private static final String SUITE = "io.hdfsparity.";

  /** How code changes. */
  interface Change {
    AsmVisitorWrapper.ForDeclaredMethods on(ElementMatcher.Junction<MethodDescription> method);
  }

  /**
   * Plants code at the beginning or the end of a method.
   *
   * @param name of the method: class in {@code io.hdfsparity}, number sign, method
   * @param code a class with methods for {@link Advice}
   */
  static MethodChange plant(String name, int parameters, Class<?> code) {
    return of(name, parameters, method -> Advice.to(code).on(method));
  }

  /**
   * Replaces calls in a method by the value null, 0 or false.
   *
   * @param name as for {@link #plant}
   * @param called the class in {@code io.hdfsparity}, number sign, and method that is not called
   */
  static MethodChange leaveOut(String name, int parameters, String called) {
    String[] parts = called.split("#", 2);
    return of(
        name,
        parameters,
        method ->
            MemberSubstitution.strict()
                .method(
                    ElementMatchers.<MethodDescription>named(parts[1])
                        .and(isDeclaredBy(named(SUITE + parts[0]))))
                .stub()
                .on(method));
  }

  private static MethodChange of(String name, int parameters, Change change) {
    String[] parts = name.split("#", 2);
    return new MethodChange(SUITE + parts[0], parts[1], parameters, change);
  }

  /** What picks the method. */
  ElementMatcher.Junction<MethodDescription> matcher() {
    return ElementMatchers.<MethodDescription>named(method).and(takesArguments(parameters));
  }

  AsmVisitorWrapper visitor() {
    return change.on(matcher());
  }
}

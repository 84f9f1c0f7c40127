/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.torture.planted;

import net.bytebuddy.ByteBuddy;
import net.bytebuddy.description.type.TypeDescription;
import net.bytebuddy.dynamic.ClassFileLocator;
import net.bytebuddy.dynamic.DynamicType;
import net.bytebuddy.pool.TypePool;

/** Plants bugs into class files. Pure. */
final class Planting {
  private Planting() {}

  /**
   * The class file with all changes of a bug that concern it.
   *
   * @param classes where other classes are found
   * @throws IllegalStateException if a change is not for exactly one method of the class
   */
  static byte[] plant(PlantedBug bug, String className, byte[] original, ClassFileLocator classes) {
    return change(
        className,
        original,
        classes,
        (type, builder) -> {
          DynamicType.Builder<?> planted = builder;
          for (MethodChange change : bug.changes()) {
            if (change.className().equals(className)) {
              int methods = type.getDeclaredMethods().filter(change.matcher()).size();
              if (methods != 1) {
                throw new IllegalStateException(
                    "Cannot plant "
                        + bug.label()
                        + ": methods="
                        + methods
                        + ", expected 1 "
                        + change);
              }
              planted = planted.visit(change.visitor());
            }
          }
          return planted;
        });
  }

  /** What becomes of a class. */
  @FunctionalInterface
  interface Change {
    DynamicType.Builder<?> of(TypeDescription type, DynamicType.Builder<?> builder);
  }

  /**
   * The class file with a change.
   *
   * @param classes where other classes are found
   */
  static byte[] change(String className, byte[] original, ClassFileLocator classes, Change change) {
    ClassFileLocator all =
        new ClassFileLocator.Compound(ClassFileLocator.Simple.of(className, original), classes);
    TypePool types = TypePool.Default.of(all);
    TypeDescription type = types.describe(className).resolve();
    return change.of(type, new ByteBuddy().redefine(type, all)).make(types).getBytes();
  }
}

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.torture.planted;

import static org.assertj.core.api.Assertions.assertThat;

import net.bytebuddy.ByteBuddy;
import net.bytebuddy.asm.AsmVisitorWrapper;
import net.bytebuddy.description.type.TypeDescription;
import net.bytebuddy.dynamic.ClassFileLocator;
import net.bytebuddy.pool.TypePool;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A method that was renamed has to be noticed here, not by a run that finds nothing. */
class PlantedBugTest {
  private static final ClassFileLocator CLASSES =
      ClassFileLocator.ForClassLoader.of(PlantedBugTest.class.getClassLoader());

  @ParameterizedTest
  @EnumSource(PlantedBug.class)
  void eachChangeChangesCode(PlantedBug bug) throws Exception {
    assertThat(bug.changes()).isNotEmpty();
    for (MethodChange change : bug.changes()) {
      String name = change.className();
      byte[] original = CLASSES.locate(name).resolve();
      TypeDescription type = TypePool.Default.of(CLASSES).describe(name).resolve();
      byte[] copied =
          new ByteBuddy()
              .redefine(type, CLASSES)
              .visit(new AsmVisitorWrapper.ForDeclaredMethods())
              .make(TypePool.Default.of(CLASSES))
              .getBytes();
      assertThat(Planting.plant(bug, name, original, CLASSES)).isNotEqualTo(copied);
    }
  }

  @ParameterizedTest
  @EnumSource(PlantedBug.class)
  void eachIsKnownByItsLabel(PlantedBug bug) {
    assertThat(PlantedBug.named(bug.label())).isEqualTo(bug);
  }
}

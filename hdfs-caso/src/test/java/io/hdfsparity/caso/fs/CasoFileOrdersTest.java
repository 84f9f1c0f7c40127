/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.fs;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.bridge.client.FileOrders;
import io.hdfsparity.caso.layout.LayoutPointer;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;

/** How hdfs-ec-update finds out that a file is stored in another order. */
class CasoFileOrdersTest {
  @Test
  void isFoundUnderTheAttributeThatFilesHave() {
    assertThat(ServiceLoader.load(FileOrders.class))
        .hasOnlyElementsOfType(CasoFileOrders.class)
        .hasSize(1);
    assertThat(FileOrders.XATTR).isEqualTo(LayoutPointer.XATTR);
  }
}

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.raidp.lstor.SlotEntry;
import io.hdfsparity.raidp.wire.message.LstorReport;
import java.io.IOException;
import java.util.List;

/** Reads slot tables of Lstors whose DataNode is gone. */
@FunctionalInterface
interface LstorTables {
  List<SlotEntry> entries(LstorReport lstor, int frameIndex) throws IOException;
}

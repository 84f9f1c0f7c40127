/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
/**
 * Repair of IZS block groups in the DataNode: the plugin, the engine that reads helpers and decodes
 * whole codewords, and its metrics. What to read is decided in {@code io.hdfsparity.izs.repair}.
 */
@NullMarked
package io.hdfsparity.izs.datanode;

import org.jspecify.annotations.NullMarked;

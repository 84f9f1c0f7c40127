/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
/** RAIDP's part in clients: blocks that have no replica left are decoded range by range. */
@NullMarked
package io.hdfsparity.raidp.client;

import org.jspecify.annotations.NullMarked;

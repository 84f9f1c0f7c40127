/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
/**
 * The file system for clients of files of codec {@code izs}: reads with any r units of a block
 * group lost, at any offset. {@link io.hdfsparity.izs.client.ReadPlanner} decides what to read, as
 * data; {@link io.hdfsparity.izs.client.GroupRead} does it.
 */
@NullMarked
package io.hdfsparity.izs.client;

import org.jspecify.annotations.NullMarked;

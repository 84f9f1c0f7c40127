/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
/**
 * What to read to rebuild units of a block group: half of each helper where the code allows it, k
 * units otherwise (MFTS, section 4.3, Algorithms 5 and 7, on the cells of an HDFS block group).
 * Pure: shapes and sets in, byte ranges out; no I/O, no clock, no Hadoop.
 */
@NullMarked
package io.hdfsparity.izs.repair;

import org.jspecify.annotations.NullMarked;

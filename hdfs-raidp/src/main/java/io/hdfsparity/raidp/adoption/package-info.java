/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
/**
 * Takes files that HDFS has already stored into superchunks, where they lie: which two of a block's
 * replicas, in what order, and when the third replica may go. Pure: knows neither Hadoop nor RPC
 * nor clocks. What it needs of these are {@link io.hdfsparity.raidp.adoption.FileSource} and {@link
 * io.hdfsparity.raidp.adoption.AdoptionCluster}.
 */
@NullMarked
package io.hdfsparity.raidp.adoption;

import org.jspecify.annotations.NullMarked;

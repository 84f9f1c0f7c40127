/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
/**
 * Where superchunks lie: shapes of clusters, layouts and their rules, the planners of layouts and
 * of recoveries. Pure: no I/O, no clock, no Hadoop. Every planner is a function of its arguments;
 * randomness comes in as a seed.
 */
@NullMarked
package io.hdfsparity.raidp.layout;

import org.jspecify.annotations.NullMarked;

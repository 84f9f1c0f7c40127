/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
/**
 * Moves of a large tree as a MapReduce job. The only package that needs MapReduce on the class
 * path; no daemon loads it.
 */
@NullMarked
package io.hdfsparity.izs.mapreduce;

import org.jspecify.annotations.NullMarked;

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
/**
 * The correlation count of a trace that one machine does not hold, and copies of files that one
 * client is too slow for, as MapReduce jobs. The only package that needs MapReduce on the class
 * path.
 */
@NullMarked
package io.hdfsparity.caso.mapreduce;

import org.jspecify.annotations.NullMarked;

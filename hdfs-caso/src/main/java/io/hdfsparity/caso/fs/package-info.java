/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
/** Files in stored order on HDFS: their indexes, their streams, and how they get there and back. */
@NullMarked
package io.hdfsparity.caso.fs;

import org.jspecify.annotations.NullMarked;

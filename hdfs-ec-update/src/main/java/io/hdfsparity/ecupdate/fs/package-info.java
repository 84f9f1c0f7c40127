/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
/** In-place updates for programs: from a path of HDFS to an updater. */
@NullMarked
package io.hdfsparity.ecupdate.fs;

import org.jspecify.annotations.NullMarked;

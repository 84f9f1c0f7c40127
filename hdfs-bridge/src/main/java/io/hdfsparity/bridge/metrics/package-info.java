/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
/** How sources of Hadoop's metrics write their records. */
@NullMarked
package io.hdfsparity.bridge.metrics;

import org.jspecify.annotations.NullMarked;

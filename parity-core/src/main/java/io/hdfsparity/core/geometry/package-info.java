/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
/** Where bytes lie: ranges, cells, stripes. Pure arithmetic. */
@NullMarked
package io.hdfsparity.core.geometry;

import org.jspecify.annotations.NullMarked;

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
/** Which cells share a stripe: the sequential order, and the paper's Algorithms 1 and 2. Pure. */
@NullMarked
package io.hdfsparity.caso.organize;

import org.jspecify.annotations.NullMarked;

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
/** Rules of changes of level: pure, they see records and neither Hadoop nor a clock. */
@NullMarked
package io.hdfsparity.izs.level;

import org.jspecify.annotations.NullMarked;

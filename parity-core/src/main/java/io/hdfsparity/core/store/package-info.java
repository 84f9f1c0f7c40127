/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
/** Fixed-size byte stores with an explicit durability point. */
@NullMarked
package io.hdfsparity.core.store;

import org.jspecify.annotations.NullMarked;

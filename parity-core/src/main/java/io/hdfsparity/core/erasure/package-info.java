/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
/** Linear erasure codes over GF(2^8): encode, decode, delta update. No I/O. */
@NullMarked
package io.hdfsparity.core.erasure;

import org.jspecify.annotations.NullMarked;

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
/**
 * Arithmetic, matrices and bulk kernels over GF(2^8) with the polynomial 0x11d, the field of ISA-L
 * and of Hadoop's coders.
 */
@NullMarked
package io.hdfsparity.core.gf;

import org.jspecify.annotations.NullMarked;

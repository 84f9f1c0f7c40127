/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
/**
 * Which cells are written together (Shen et al.: "Correlation-Aware Stripe Organization for
 * Efficient Writes in Erasure-Coded Storage Systems", SRDS 2017, section III-A and IV-A). Pure.
 */
@NullMarked
package io.hdfsparity.caso.correlation;

import org.jspecify.annotations.NullMarked;

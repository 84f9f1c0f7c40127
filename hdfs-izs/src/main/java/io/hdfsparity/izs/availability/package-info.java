/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
/** How long data lasts: mean time to data loss by Markov chain (MFTS paper, section 5). Pure. */
@NullMarked
package io.hdfsparity.izs.availability;

import org.jspecify.annotations.NullMarked;

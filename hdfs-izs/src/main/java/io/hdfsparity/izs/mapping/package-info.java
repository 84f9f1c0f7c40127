/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
/**
 * Which coding scheme data should have: importance and access frequency to scheme by a rule table
 * (MFTS paper, section 3.2: Algorithm 1 and Table 2). Pure.
 */
@NullMarked
package io.hdfsparity.izs.mapping;

import org.jspecify.annotations.NullMarked;

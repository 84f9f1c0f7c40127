/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
/**
 * How often each path was accessed, period by period (MFTS paper, section 6.4), in memory and in a
 * file. Pure.
 */
@NullMarked
package io.hdfsparity.izs.history;

import org.jspecify.annotations.NullMarked;

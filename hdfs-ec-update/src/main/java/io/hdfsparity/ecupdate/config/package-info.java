/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
/**
 * Every configuration key of in-place updates, read once into immutable records, and what Hadoop's
 * own configuration means for updates. No I/O, and no class that works with what it reads.
 */
@NullMarked
package io.hdfsparity.ecupdate.config;

import org.jspecify.annotations.NullMarked;

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
/**
 * Judges a cluster by what its daemons answered: records in, findings out, without Hadoop. Features
 * add checks of their own.
 */
@NullMarked
package io.hdfsparity.bridge.doctor;

import org.jspecify.annotations.NullMarked;

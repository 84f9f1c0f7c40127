/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
/**
 * The Lstor of a disk: parity, slot table and journal in one crash-consistent file. Pure: no
 * Hadoop.
 */
@NullMarked
package io.hdfsparity.raidp.lstor;

import org.jspecify.annotations.NullMarked;

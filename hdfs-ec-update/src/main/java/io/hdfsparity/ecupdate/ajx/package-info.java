/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
/**
 * AJX (Aguilera, Janakiraman, Xu: "Using Erasure Codes Efficiently for Storage in a Distributed
 * System", DSN 2005): its messages, lock and operation modes, bounds. Knows neither Hadoop nor
 * disks nor clocks.
 */
@NullMarked
package io.hdfsparity.ecupdate.ajx;

import org.jspecify.annotations.NullMarked;

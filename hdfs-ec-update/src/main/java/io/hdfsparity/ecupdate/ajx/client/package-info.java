/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
/**
 * The client of AJX as state machines fed with replies and timers: read, write, recovery, garbage
 * collection, monitor.
 */
@NullMarked
package io.hdfsparity.ecupdate.ajx.client;

import org.jspecify.annotations.NullMarked;

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
/** Block traces as streams of requests in bytes: what comes is a stream, no disk, no clock. */
@NullMarked
package io.hdfsparity.core.trace;

import org.jspecify.annotations.NullMarked;

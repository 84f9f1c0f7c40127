/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
/**
 * Storage schemes for parity updates (Chan et al.: "Parity Logging with Reserved Space", FAST 2014)
 * and the management of reserved space, Algorithm 1.
 */
@NullMarked
package io.hdfsparity.ecupdate.plr;

import org.jspecify.annotations.NullMarked;

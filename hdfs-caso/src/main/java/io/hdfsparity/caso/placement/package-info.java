/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
/**
 * Which nodes of a new block group get its parity, so that parity updates that a trace predicts are
 * even over the nodes. Pure.
 */
@NullMarked
package io.hdfsparity.caso.placement;

import org.jspecify.annotations.NullMarked;

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
/** Counts what a trace costs under an organization. Pure: nothing is read or written. */
@NullMarked
package io.hdfsparity.caso.replay;

import org.jspecify.annotations.NullMarked;

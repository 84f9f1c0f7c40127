/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
/** Argument and state checks with one message grammar, and time as a dependency. */
@NullMarked
package io.hdfsparity.core.check;

import org.jspecify.annotations.NullMarked;

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
/** Configuration keys of the suite's features, and how their values are read and refused. */
@NullMarked
package io.hdfsparity.bridge.config;

import org.jspecify.annotations.NullMarked;

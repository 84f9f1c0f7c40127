/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
/** What the features' commands have in common beside {@code io.hdfsparity.core.cli}. */
@NullMarked
package io.hdfsparity.bridge.cli;

import org.jspecify.annotations.NullMarked;

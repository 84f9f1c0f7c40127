/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
/** Why a file is refused what was asked for it, in one form for all features. */
@NullMarked
package io.hdfsparity.bridge.refusal;

import org.jspecify.annotations.NullMarked;

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
/** Wire form of a refusal; other wire packages put it into their messages. */
@NullMarked
package io.hdfsparity.bridge.refusal.wire;

import org.jspecify.annotations.NullMarked;

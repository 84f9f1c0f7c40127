/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
/** Wire form of the file swap service; nothing outside sees a protobuf message. */
@NullMarked
package io.hdfsparity.bridge.swap.wire;

import org.jspecify.annotations.NullMarked;

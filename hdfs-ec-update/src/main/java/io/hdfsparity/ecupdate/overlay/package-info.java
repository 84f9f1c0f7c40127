/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
/**
 * Records over a base that stock readers pin, and the fence that keeps stock decoders from mixing
 * versions. Pure: bytes in memory, no disk, no clock.
 */
@NullMarked
package io.hdfsparity.ecupdate.overlay;

import org.jspecify.annotations.NullMarked;

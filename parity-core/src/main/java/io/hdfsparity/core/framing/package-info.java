/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
/**
 * Headers and records of on-disk formats: magic, version range, owner, CRC32C, and one exception
 * for each way to be wrong.
 */
@NullMarked
package io.hdfsparity.core.framing;

import org.jspecify.annotations.NullMarked;

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
/**
 * Raw erasure coders for Hadoop, found by its {@code CodecRegistry} through {@code ServiceLoader}:
 * the codec {@code izs}, and ISA-L coders without libhadoop for Hadoop's own codecs {@code rs} and
 * {@code xor}. Glue: translates calls and keeps no bytes.
 */
@NullMarked
package io.hdfsparity.izs.rawcoder;

import org.jspecify.annotations.NullMarked;

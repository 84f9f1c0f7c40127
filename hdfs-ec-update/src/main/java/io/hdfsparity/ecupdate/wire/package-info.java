/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
/**
 * The protocols of package {@code protocol} over Hadoop RPC: protobuf messages, and translators on
 * both sides. Nothing outside sees a protobuf message, and nothing here decides.
 */
@NullMarked
package io.hdfsparity.ecupdate.wire;

import org.jspecify.annotations.NullMarked;

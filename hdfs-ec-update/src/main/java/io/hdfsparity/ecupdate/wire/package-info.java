/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
/**
 * AJX's requests and replies as frames of bytes, for a stream between client and storage node.
 * Pure: no sockets.
 */
@NullMarked
package io.hdfsparity.ecupdate.wire;

import org.jspecify.annotations.NullMarked;

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
/**
 * The data channel of in-place updates: the frames of package {@code wire} over TCP, between an
 * updater and a storage node's engine. The format is docs/formats/ec-update-wire.md.
 */
@NullMarked
package io.hdfsparity.ecupdate.net;

import org.jspecify.annotations.NullMarked;

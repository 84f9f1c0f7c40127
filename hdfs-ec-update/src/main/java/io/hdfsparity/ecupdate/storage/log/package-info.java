/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
/**
 * The write-ahead log of one storage: what AJX was answered must survive a restart. Bytes on a
 * {@link io.hdfsparity.core.store.ByteStore} as in docs/formats/ec-update-log.md; no Hadoop, and
 * nothing of the engine.
 */
@NullMarked
package io.hdfsparity.ecupdate.storage.log;

import org.jspecify.annotations.NullMarked;

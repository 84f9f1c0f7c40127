/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
/**
 * The durable log of one storage node: what AJX answered for must survive a restart. Bytes on a
 * {@link io.hdfsparity.core.store.ByteStore}, no Hadoop. The file is described in
 * docs/formats/ec-update-log.md.
 */
@NullMarked
package io.hdfsparity.ecupdate.wal;

import org.jspecify.annotations.NullMarked;

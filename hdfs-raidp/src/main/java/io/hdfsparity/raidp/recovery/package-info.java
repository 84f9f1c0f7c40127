/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
/**
 * Decoding of blocks that lost both replicas, from Lstors and surviving mirrors (paper sections 3.3
 * and 6.4). Pure: neither Hadoop nor protobuf; all I/O through {@link
 * io.hdfsparity.raidp.recovery.ParitySource}, {@link io.hdfsparity.raidp.recovery.MirrorSource} and
 * {@link io.hdfsparity.raidp.recovery.BlockInstaller}.
 */
@NullMarked
package io.hdfsparity.raidp.recovery;

import org.jspecify.annotations.NullMarked;

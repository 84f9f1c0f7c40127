/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.wire.message;

import java.util.Optional;

/**
 * Order to check disks.
 *
 * @param diskId one disk; empty: all of the node
 * @param repair put right what can be put right
 * @param verifyFiles read replicas and compare with their checksums, not the parity alone
 */
public record ScrubRequest(Optional<String> diskId, boolean repair, boolean verifyFiles) {}

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
/**
 * What keeps a connection of the update channel secret and whole (ADR 0041): a handshake by the
 * secret of a block token, Noise_NNpsk0_25519_AESGCM_SHA256, and records of AES-256-GCM. Bytes in,
 * bytes out: no sockets, no Hadoop. Format: docs/formats/ec-update-wire.md.
 */
@NullMarked
package io.hdfsparity.ecupdate.channel.secure;

import org.jspecify.annotations.NullMarked;

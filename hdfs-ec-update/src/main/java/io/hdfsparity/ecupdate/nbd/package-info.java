/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
/**
 * A server of the network block device protocol, without Hadoop: handshake, requests and replies,
 * connections and TLS. What is served is a {@link io.hdfsparity.ecupdate.nbd.BlockExport}.
 *
 * <p>The protocol is that of <a
 * href="https://github.com/NetworkBlockDevice/nbd/blob/master/doc/proto.md">doc/proto.md</a> of the
 * NetworkBlockDevice project: fixed newstyle handshake, simple and structured replies.
 */
@NullMarked
package io.hdfsparity.ecupdate.nbd;

import org.jspecify.annotations.NullMarked;

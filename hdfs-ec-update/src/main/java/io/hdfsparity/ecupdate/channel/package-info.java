/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
/**
 * The data channel between an updater and a DataNode: frames of bytes
 * (docs/formats/ec-update-wire.md) over TCP, with the limits that protect both ends. No Hadoop and
 * no protobuf: who may connect says a {@link io.hdfsparity.ecupdate.channel.ChannelAccess}, what is
 * served a {@link io.hdfsparity.ecupdate.channel.SlotService}.
 */
@NullMarked
package io.hdfsparity.ecupdate.channel;

import org.jspecify.annotations.NullMarked;

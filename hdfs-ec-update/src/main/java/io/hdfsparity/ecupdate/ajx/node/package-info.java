/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
/**
 * The storage node of AJX: what one internal block of one stripe does with each request, and what
 * must be durable before the reply.
 */
@NullMarked
package io.hdfsparity.ecupdate.ajx.node;

import org.jspecify.annotations.NullMarked;

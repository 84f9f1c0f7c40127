/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
/**
 * Update sessions: what a NameNode grants, what a client gets, what a DataNode must know. Leases,
 * capabilities and the fence between them, without Hadoop.
 */
@NullMarked
package io.hdfsparity.ecupdate.session;

import org.jspecify.annotations.NullMarked;

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
/** The DataNode's side of sessions: it tells NameNodes that it can update replicas. */
@NullMarked
package io.hdfsparity.ecupdate.session.node;

import org.jspecify.annotations.NullMarked;

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
/** The level manager in the NameNode: what decides in package level, done by the bridge. */
@NullMarked
package io.hdfsparity.izs.namenode;

import org.jspecify.annotations.NullMarked;

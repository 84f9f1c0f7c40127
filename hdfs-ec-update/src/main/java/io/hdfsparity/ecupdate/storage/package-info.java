/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
/**
 * What one storage of a DataNode does with AJX's requests: runs the state machines of its blocks,
 * logs before it replies, keeps overlays for readers, and moves changes to where the update scheme
 * wants them (Chan et al.: "Parity Logging with Reserved Space", FAST 2014). Knows files by small
 * interfaces only, and nothing of Hadoop.
 */
@NullMarked
package io.hdfsparity.ecupdate.storage;

import org.jspecify.annotations.NullMarked;

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
/**
 * What one storage of a storage node does with AJX's requests: runs the machines of its slots, logs
 * before it replies, keeps overlays for readers, and moves changes on to where the update scheme
 * wants them. Knows files by small interfaces only, and nothing of Hadoop.
 */
@NullMarked
package io.hdfsparity.ecupdate.engine;

import org.jspecify.annotations.NullMarked;

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
/**
 * Collects access frequencies in the NameNode (MFTS paper, section 6.4: the workload collector):
 * audit logger, queue, collector with the history, and the plugin that connects them.
 */
@NullMarked
package io.hdfsparity.izs.namenode.access;

import org.jspecify.annotations.NullMarked;

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
/**
 * In-place updates in a DataNode: an engine for each storage on the files of real replicas,
 * snapshots for every stock read of a striped replica, and reports to NameNodes. What needs no
 * Hadoop is in {@code storage}, {@code channel} and {@code protocol}.
 *
 * <p>Locks, outermost first: dataset locks of HDFS (held by callers of hooks) &gt; the admission
 * lock of a volume &gt; the engine's own. The engine calls back for a replica's files only, and
 * those calls take no lock of HDFS.
 */
@NullMarked
package io.hdfsparity.ecupdate.datanode;

import org.jspecify.annotations.NullMarked;
